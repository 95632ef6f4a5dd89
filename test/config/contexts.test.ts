/** Contexts as they stand in their file: what is one, and what is damaged. */
import { describe, expect, test } from 'vitest'
import { parseConfig, toRecord } from '../../src/config/contexts'

const url = 'https://api.example.net/v4'
const whole = {
  base_url: url,
  token: 't',
  token_command: 'c',
  user: 'u',
  defaults: { region: 'r', output: 'json', more: 1 },
  more: 2,
}

describe('a file', () => {
  test.for<[string, unknown, object]>([
    ['nothing', {}, { contexts: new Map() }],
    ['a context', { contexts: { prod: { base_url: url } } }, { contexts: new Map([['prod', { base_url: url }]]) }],
    ['the current one', { current: 'prod', contexts: {} }, { current: 'prod', contexts: new Map() }],
    ['more of a later version', { version: 2, contexts: {} }, { contexts: new Map(), others: { version: 2 } }],
    ['all that a context may have', { contexts: { p: whole } }, { contexts: new Map([['p', whole]]) }],
  ])('holds %s', ([, record, config]) => {
    expect(parseConfig(JSON.stringify(record))).toStrictEqual(config)
  })

  test.for<[string, unknown]>([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
    ['another current one', { current: 7 }],
    ['no current one', { current: null }],
    ['contexts that are a list', { contexts: [] }],
    ['contexts that are nothing', { contexts: null }],
    ['a context that is none', { contexts: { p: 'x' } }],
    ['a context that is null', { contexts: { p: null } }],
    ['a context the address is unknown', { contexts: { p: {} } }],
    ['an address that is a number', { contexts: { p: { base_url: 7 } } }],
    ...['token', 'token_command', 'user'].map((key): [string, unknown] => [
      `a ${key} that is a number`,
      { contexts: { p: { base_url: url, [key]: 7 } } },
    ]),
    ['defaults that are a list', { contexts: { p: { base_url: url, defaults: [] } } }],
    ...['region', 'output'].map((key): [string, unknown] => [
      `a default ${key} that is a number`,
      { contexts: { p: { base_url: url, defaults: { region: 'r', output: 'json', [key]: 7 } } } },
    ]),
    ['one that is right and one that is not', { contexts: { a: { base_url: url }, p: {} } }],
  ])('is damaged that holds %s', ([, record]) => {
    expect(parseConfig(JSON.stringify(record))).toBeUndefined()
  })

  test('is damaged that is no JSON', () => {
    for (const text of ['', '{', '{"contexts":{}} x']) expect(parseConfig(text)).toBeUndefined()
  })

  test('is written with what it held besides, and nothing that it has not', () => {
    const contexts = new Map([['p', { base_url: url }]])
    expect(JSON.stringify(toRecord({ contexts }))).toBe(JSON.stringify({ contexts: { p: { base_url: url } } }))
    expect(Object.keys(toRecord({ contexts, current: 'p', others: { version: 2 } }))).toEqual([
      'version',
      'current',
      'contexts',
    ])
  })

  test.for([
    ['sandbox', 'the context "sandbox" is built in: choose another name'],
    ['', 'a context needs a name'],
  ] as const)('has no context named %j', ([name, message]) => {
    expect(() => toRecord({ contexts: new Map([[name, { base_url: url }]]) })).toThrow(
      expect.objectContaining({ code: 'usage', message: message }),
    )
  })
})
