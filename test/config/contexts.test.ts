/** Contexts as they stand in their file: what is one, and what is damaged. */
import { describe, expect, test } from 'vitest'
import { type Config, parseConfig, toRecord } from '../../src/config/contexts'
import { chooseContext, chooseCredential, tokenOf } from '../../src/config/credential'
import { Problem } from '../../src/errors'
import type { Environment } from '../../src/rules/environment'

const url = 'https://api.example.net/v4'

describe('a file', () => {
  test.for<[string, unknown, object]>([
    ['nothing', {}, { contexts: new Map() }],
    ['a context', { contexts: { prod: { base_url: url } } }, { contexts: new Map([['prod', { base_url: url }]]) }],
    ['the current one', { current: 'prod', contexts: {} }, { current: 'prod', contexts: new Map() }],
    ['more of a later version', { version: 2, contexts: {} }, { contexts: new Map(), others: { version: 2 } }],
    [
      'all that a context may have',
      {
        contexts: {
          p: {
            base_url: url,
            token: 't',
            token_command: 'c',
            user: 'u',
            defaults: { region: 'r', output: 'json', more: 1 },
            more: 2,
          },
        },
      },
      {
        contexts: new Map([
          [
            'p',
            {
              base_url: url,
              token: 't',
              token_command: 'c',
              user: 'u',
              defaults: { region: 'r', output: 'json', more: 1 },
              more: 2,
            },
          ],
        ]),
      },
    ],
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

describe('contexts that cannot be read', () => {
  const config = new Problem('local', 'cannot be read')
  const choose =
    (env: Environment, flags: object = {}) =>
    () =>
      chooseCredential({ flags, env, config })

  test('matter where one of them is wanted', () => {
    for (const [env, flags] of [
      [{}, {}],
      [{ SKYCTL_BASE_URL: url }, { context: 'prod' }],
      [{ SKYCTL_BASE_URL: url, SKYCTL_CONTEXT: 'prod' }, {}],
      [{ SKYCTL_CONTEXT: 'prod' }, { baseUrl: url }],
      [{}, { context: 'prod', baseUrl: url }],
    ])
      expect(choose(env as Environment, flags)).toThrow(config)
  })

  test('do not where the address is known', () => {
    expect(choose({ SKYCTL_BASE_URL: url, SKYCTL_TOKEN: 't' })()).toMatchObject({ secret: { token: 't' } })
    expect(choose({}, { baseUrl: url })()).toMatchObject({ baseUrl: url, secret: config })
  })
})

describe('the context in use', () => {
  const config: Config = {
    current: 'a',
    contexts: new Map([
      ['a', { base_url: url }],
      ['b', { base_url: url }],
    ]),
  }

  test.for<[object, Environment, string, string]>([
    [{}, {}, 'a', 'context'],
    [{}, { SKYCTL_CONTEXT: 'b' }, 'b', 'environment'],
    [{}, { SKYCTL_CONTEXT: '' }, 'a', 'context'],
    [{ context: 'a' }, { SKYCTL_CONTEXT: 'b' }, 'a', 'flag'],
    [{ context: 'sandbox' }, {}, 'sandbox', 'flag'],
  ])('of %j and %j is %s', ([flags, env, name, from]) => {
    expect(chooseContext({ flags, env, config })).toMatchObject({ name, from })
  })

  test('is none where none is current', () => {
    expect(chooseContext({ flags: {}, env: {}, config: { contexts: new Map() } })).toBeUndefined()
  })

  test.for([
    ['aa', 'Did you mean "a"?'],
    ['production', 'See skyctl context list'],
  ] as const)('%s is not found: %s', ([context, hint]) => {
    expect(() => chooseContext({ flags: { context }, env: {}, config })).toThrow(
      expect.objectContaining({
        code: 'context_not_found',
        message: `context "${context}" not found`,
        details: { hint: expect.stringContaining(hint) },
      }),
    )
  })
})

test('a token comes from a text, a command or a file', async () => {
  const account = (record: object, env: Environment = {}) => {
    const config = { current: 'p', contexts: new Map([['p', { base_url: url, ...record }]]) } as Config
    const chosen = chooseCredential({ flags: {}, env, config })
    if (chosen.sandbox) throw new Error('it is the sandbox')
    return tokenOf(chosen, { PATH: process.env.PATH, ...env })
  }
  expect(await account({ token: 'abc' })).toBe('abc')
  expect(await account({ token_command: 'echo of-command' })).toBe('of-command')
  await expect(account({}, { SKYCTL_TOKEN_FILE: import.meta.filename })).rejects.toThrow(
    /: the token is longer than 4096 characters$/,
  )
  await expect(account({})).rejects.toMatchObject({ code: 'not_signed_in' })
})
