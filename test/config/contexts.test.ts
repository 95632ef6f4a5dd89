/** Parsing and writing the contexts file. */
import { describe, expect, test } from 'vitest'
import { contextsIn, toRecord } from '../../src/config/contexts-file'

const url = 'https://api.example.net/v4'
const fullContext = {
  base_url: url,
  token: 't',
  token_command: 'c',
  user: 'u',
  defaults: { region: 'r', output: 'json', more: 1 },
  more: 2,
}

describe('The contexts file', () => {
  test.for<[string, unknown, object]>([
    ['nothing', {}, { contexts: new Map() }],
    ['a context', { contexts: { prod: { base_url: url } } }, { contexts: new Map([['prod', { base_url: url }]]) }],
    ['the current context', { current: 'prod', contexts: {} }, { current: 'prod', contexts: new Map() }],
    [
      'additional fields of a later version',
      { version: 2, contexts: {} },
      { contexts: new Map(), others: { version: 2 } },
    ],
    ['a context with all fields', { contexts: { p: fullContext } }, { contexts: new Map([['p', fullContext]]) }],
  ])('may have %s', ([, record, config]) => {
    expect(contextsIn('contexts.json', JSON.stringify(record))).toStrictEqual(config)
  })

  test.for<[string, unknown]>([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
    ['a number as current context', { current: 7 }],
    ['null as current context', { current: null }],
    ['a list of contexts', { contexts: [] }],
    ['null contexts', { contexts: null }],
    ['a text instead of a context', { contexts: { p: 'x' } }],
    ['a null context', { contexts: { p: null } }],
    ['a context without a base URL', { contexts: { p: {} } }],
    ['a number as base URL', { contexts: { p: { base_url: 7 } } }],
    ...['token', 'token_command', 'user'].map((key): [string, unknown] => [
      `a number as ${key}`,
      { contexts: { p: { base_url: url, [key]: 7 } } },
    ]),
    ['a list of defaults', { contexts: { p: { base_url: url, defaults: [] } } }],
    ...['region', 'output'].map((key): [string, unknown] => [
      `a number as default ${key}`,
      { contexts: { p: { base_url: url, defaults: { region: 'r', output: 'json', [key]: 7 } } } },
    ]),
    ['a valid and an invalid context', { contexts: { a: { base_url: url }, p: {} } }],
  ])('is damaged with %s', ([, record]) => {
    expect(contextsIn('contexts.json', JSON.stringify(record))).toBeUndefined()
  })

  test('is damaged if it is not JSON', () => {
    for (const text of ['', '{', '{"contexts":{}} x']) expect(contextsIn('contexts.json', text)).toBeUndefined()
  })

  test('is written with its additional fields, and without missing ones', () => {
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
  ] as const)('cannot have a context named %j', ([name, message]) => {
    expect(() => toRecord({ contexts: new Map([[name, { base_url: url }]]) })).toThrow(
      expect.objectContaining({ code: 'usage', message: message }),
    )
  })
})
