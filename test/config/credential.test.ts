/** Where requests go, with which token, and what is said of that (interface.md, Environment and contexts). */
import { describe, expect, test } from 'vitest'
import { actingOn } from '../../src/config/acting-account'
import type { Config, StoredContext } from '../../src/config/contexts'
import { chooseContext, chooseCredential, tokenOf } from '../../src/config/credential'
import { overrideOfUse } from '../../src/config/override-warnings'
import { Problem } from '../../src/errors'

const api = 'https://api.example.net/v4'
const other = 'https://api.example.org/v4'
const contexts = new Map<string, StoredContext>([
  ['prod', { base_url: api, token: 'prod-token' }],
  ['vault', { base_url: api, token_command: 'echo vault-token' }],
  ['bare', { base_url: api }],
  ['__proto__', { base_url: other, token: 'proto-token' }],
])
const unreadable = new Problem('local', 'the disk is gone')

interface Given {
  flags?: { context?: string; baseUrl?: string }
  env?: Record<string, string>
  current?: string
  config?: Config | Problem
}

const choice = ({ flags = {}, env = {}, current, config }: Given) => ({
  flags,
  env,
  config: config ?? { contexts, ...(current !== undefined && { current }) },
})

/** What is chosen; of a token that there is not, why. */
function choose(given: Given) {
  const credential = chooseCredential(choice(given))
  if (credential.sandbox) return { sandbox: true, from: credential.context.from }
  const { context, baseUrl, baseUrlFrom, secret } = credential
  return { context: context?.name, baseUrl, baseUrlFrom, secret: secret instanceof Problem ? secret.message : secret }
}

describe('the context in use', () => {
  test.for<[Given, string, string]>([
    [{ current: 'bare' }, 'bare', 'context'],
    [{ current: 'bare', env: { SKYCTL_CONTEXT: 'prod' } }, 'prod', 'environment'],
    [{ current: 'bare', env: { SKYCTL_CONTEXT: '' } }, 'bare', 'context'],
    [{ current: 'bare', env: { SKYCTL_CONTEXT: 'prod' }, flags: { context: 'vault' } }, 'vault', 'flag'],
  ])('of %j is %s', ([given, name, from]) => {
    expect(chooseContext(choice(given))).toEqual({ name, from, record: contexts.get(name) })
  })

  test('is none where none is current', () => {
    expect(chooseContext(choice({}))).toBeUndefined()
  })

  test.for<[Given, string, string]>([
    [{ flags: { context: 'prd' } }, 'context "prd" not found', 'Did you mean "prod"?'],
    [{ flags: { context: 'sandbx' } }, 'context "sandbx" not found', 'Did you mean "sandbox"?'],
    [{ flags: { context: '' } }, 'context "" not found', 'See skyctl context list'],
    [
      { env: { SKYCTL_CONTEXT: 'toString' } },
      'context "toString" (from SKYCTL_CONTEXT) not found',
      'See skyctl context list',
    ],
  ])('of %j is not found: %s', ([given, message, hint]) => {
    const problem = { code: 'context_not_found', message, details: { hint } }
    expect(() => chooseContext(choice(given))).toThrow(expect.objectContaining(problem))
  })
})

describe('the credential', () => {
  test('is that of the context in use', () => {
    expect(choose({ current: 'prod' })).toEqual({
      context: 'prod',
      baseUrl: api,
      baseUrlFrom: 'context',
      secret: { from: 'context', token: 'prod-token' },
    })
  })

  test('takes the flag before the environment, and that before the current context', () => {
    const env = { SKYCTL_CONTEXT: 'vault', SKYCTL_BASE_URL: 'https://env.example.net/v4', SKYCTL_TOKEN: 'env-token' }
    expect(choose({ current: 'prod', env, flags: { baseUrl: 'https://env.example.net/v5' } })).toEqual({
      context: 'vault',
      baseUrl: 'https://env.example.net/v5',
      baseUrlFrom: 'flag',
      secret: { from: 'environment', token: 'env-token' },
    })
    expect(choose({ current: 'prod', env })).toMatchObject({
      context: 'vault',
      baseUrl: 'https://env.example.net/v4',
      baseUrlFrom: 'environment',
    })
  })

  test('of a context named by flag is its own, whatever stands in the environment', () => {
    for (const env of [
      { SKYCTL_TOKEN: 'env-token' },
      { SKYCTL_TOKEN: 'env-token', SKYCTL_BASE_URL: other, SKYCTL_CONTEXT: '__proto__' },
    ]) {
      expect(choose({ current: '__proto__', env, flags: { context: 'prod' } })).toEqual(choose({ current: 'prod' }))
      expect(choose({ env, flags: { context: 'bare' } })).toMatchObject({
        baseUrl: api,
        secret: 'context "bare" is signed out',
      })
    }
  })

  test('never sends a token of the environment past SKYCTL_BASE_URL', () => {
    const env = { SKYCTL_TOKEN: 'env-token', SKYCTL_BASE_URL: other }
    expect(chooseCredential(choice({ env, flags: { baseUrl: api } }))).toMatchObject({
      baseUrl: api,
      secret: {
        code: 'not_signed_in',
        message: 'not signed in to https://api.example.net: SKYCTL_TOKEN is for SKYCTL_BASE_URL',
        details: { hint: 'Set SKYCTL_BASE_URL to that address too, or sign in there with skyctl auth login' },
      },
    })
    expect(choose({ env, current: 'prod', flags: { baseUrl: api } })).toMatchObject({ secret: { token: 'prod-token' } })
    const alone = { SKYCTL_TOKEN: 'env-token' }
    for (const given of [
      { env: alone, flags: { baseUrl: api } },
      { env: alone, current: 'prod' },
    ])
      expect(choose(given)).toMatchObject({ baseUrl: api, secret: { from: 'environment', token: 'env-token' } })
  })

  test('takes a token of the environment as text or as a file, not as both', () => {
    const env = { SKYCTL_BASE_URL: api, SKYCTL_TOKEN: 'env-token', SKYCTL_TOKEN_FILE: '/run/token' }
    expect(chooseCredential(choice({ env }))).toMatchObject({
      secret: {
        code: 'usage',
        message: 'SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are both set',
        details: { hint: 'Unset one of them' },
      },
    })
    expect(choose({ env: { ...env, SKYCTL_TOKEN: '' } }).secret).toEqual({ from: 'environment', file: '/run/token' })
  })

  test('treats an empty variable as none', () => {
    const env = { SKYCTL_CONTEXT: '', SKYCTL_BASE_URL: '', SKYCTL_TOKEN: '' }
    expect(choose({ current: 'prod', env })).toEqual(choose({ current: 'prod' }))
  })

  test('is never that of another account where a flag is empty, as from a variable that is not set', () => {
    const env = { SKYCTL_CONTEXT: 'vault', SKYCTL_BASE_URL: other, SKYCTL_TOKEN: 't' }
    expect(() => choose({ current: 'prod', env, flags: { context: '' } })).toThrow('context "" not found')
    expect(() => choose({ current: 'prod', env, flags: { baseUrl: '' } })).toThrow('--base-url')
  })

  test.each(['https://evil.example.net/v4', 'https://api.example.net:8443/v4', 'http://localhost/v4'])(
    'never sends a stored token to another origin: %s',
    async (url) => {
      for (const name of ['prod', 'vault']) {
        const message = `not signed in to ${new URL(url).origin}: the token of context "${name}" is for https://api.example.net`
        const hint = 'Set SKYCTL_TOKEN, or sign in there with skyctl auth login'
        for (const given of [{ flags: { baseUrl: url } }, { env: { SKYCTL_BASE_URL: url } }]) {
          const chosen = chooseCredential(choice({ current: name, ...given }))
          if (chosen.sandbox) throw new Error('it is the sandbox')
          expect(chosen.secret).toMatchObject({ code: 'not_signed_in', message, details: { hint } })
          await expect(tokenOf(chosen, {})).rejects.toBe(chosen.secret)
        }
      }
    },
  )

  test('sends a stored token to another path of its origin', () => {
    expect(choose({ current: 'prod', flags: { baseUrl: 'https://API.example.net:443/v4beta' } })).toMatchObject({
      baseUrl: 'https://api.example.net/v4beta',
      secret: { token: 'prod-token' },
    })
  })

  test('is the sandbox where it is named, whatever stands in the environment, or on disk', () => {
    const env = { SKYCTL_BASE_URL: 'nonsense', SKYCTL_TOKEN: 'real-token' }
    expect(choose({ flags: { context: 'sandbox' }, env })).toEqual({ sandbox: true, from: 'flag' })
    expect(choose({ env: { ...env, SKYCTL_CONTEXT: 'sandbox' } })).toEqual({ sandbox: true, from: 'environment' })
    expect(choose({ current: 'sandbox', env })).toEqual({ sandbox: true, from: 'context' })
    expect(choose({ flags: { context: 'sandbox' }, config: unreadable })).toMatchObject({ sandbox: true })
  })

  test.for<[string, Given, object]>([
    [
      'nothing',
      {},
      {
        code: 'not_signed_in',
        message: 'not signed in',
        details: {
          hint: 'Sign in with skyctl auth login, or try the sandbox: skyctl --context sandbox volumes list',
        },
      },
    ],
    [
      'a token alone',
      { env: { SKYCTL_TOKEN: 'env-token' } },
      { code: 'not_signed_in', message: 'SKYCTL_TOKEN is set, but no base URL' },
    ],
    ['the sandbox and an address', { flags: { context: 'sandbox', baseUrl: api } }, { code: 'usage' }],
    [
      'a context whose address is not https',
      { config: { current: 'old', contexts: new Map([['old', { base_url: 'http://api.example.net/v4' }]]) } },
      { message: expect.stringMatching(/^the base URL of context "old" must begin with https/) },
    ],
  ])('is none where there is %s', ([, given, problem]) => {
    expect(() => choose(given)).toThrow(expect.objectContaining(problem))
  })

  test('needs no token for open endpoints', () => {
    expect(choose({ flags: { baseUrl: api } })).toMatchObject({
      baseUrl: api,
      secret: '--base-url is set, but no token',
    })
    expect(choose({ env: { SKYCTL_BASE_URL: api } })).toMatchObject({
      baseUrl: api,
      secret: 'SKYCTL_BASE_URL is set, but no token',
    })
    expect(choose({ current: 'bare' })).toMatchObject({ baseUrl: api, secret: 'context "bare" is signed out' })
  })

  test('needs nothing on disk where the environment says all', () => {
    const env = { SKYCTL_BASE_URL: api, SKYCTL_TOKEN: 'env-token' }
    expect(choose({ env, config: unreadable })).toMatchObject({ baseUrl: api, secret: { token: 'env-token' } })
    expect(choose({ env, current: 'gone' })).toMatchObject({ baseUrl: api, secret: { token: 'env-token' } })
    expect(choose({ flags: { baseUrl: api }, config: unreadable }).secret).toBe('the disk is gone')
  })

  test.for<Given>([
    {},
    { env: { SKYCTL_BASE_URL: api }, flags: { context: 'prod' } },
    { env: { SKYCTL_BASE_URL: api, SKYCTL_CONTEXT: 'prod' } },
    { env: { SKYCTL_CONTEXT: 'prod' }, flags: { baseUrl: api } },
    { flags: { context: 'prod', baseUrl: api } },
  ])('needs the contexts that cannot be read where one of them is wanted: %j', (given) => {
    expect(() => choose({ ...given, config: unreadable })).toThrow(unreadable)
  })

  test('gives its token, from wherever it is', async () => {
    const token = async (given: Given) => {
      const credential = chooseCredential(choice(given))
      if (credential.sandbox) throw new Error('unexpected')
      return tokenOf(credential, { PATH: process.env.PATH })
    }
    expect(await token({ current: 'prod' })).toBe('prod-token')
    expect(await token({ current: 'vault' })).toBe('vault-token')
    expect(await token({ current: '__proto__' })).toBe('proto-token')
    expect(await token({ current: 'prod', env: { SKYCTL_TOKEN: 'env-token\n' } })).toBe('env-token')
    await expect(token({ current: 'bare' })).rejects.toMatchObject({ code: 'not_signed_in' })
    await expect(token({ current: 'prod', env: { SKYCTL_TOKEN: 'not a token' } })).rejects.toMatchObject({
      code: 'usage',
    })
    await expect(token({ current: 'prod', env: { SKYCTL_TOKEN_FILE: import.meta.filename } })).rejects.toThrow(
      /: the token is longer than 4096 characters$/,
    )
  })
})

describe('the account that a run acts on', () => {
  const alone = { current: 'prod', contexts: new Map([['prod', { base_url: api, token: 'prod-token' }]]) }
  const two = { current: 'prod', contexts: new Map([...contexts].slice(0, 2)) }
  const none = { contexts: new Map() }
  const env = { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other }

  test.for<[string, Given, string | undefined]>([
    ['its context, where there are two', { config: two }, 'prod'],
    ['nothing, where its context is the only one', { config: alone }, undefined],
    ['its variable and address, where there is a context', { config: alone, env }, 'SKYCTL_TOKEN at api.example.org'],
    [
      'the variable of its file',
      { config: alone, env: { SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_BASE_URL: other } },
      'SKYCTL_TOKEN_FILE at api.example.org',
    ],
    [
      'the address to which its context has no token to send',
      { current: 'prod', env: { SKYCTL_BASE_URL: other } },
      'SKYCTL_TOKEN at api.example.org',
    ],
    ['nothing, where there is no context', { config: none, env }, undefined],
    ['nothing, where the contexts cannot be read', { config: unreadable, env }, undefined],
    ['the sandbox', { config: none, flags: { context: 'sandbox' } }, 'sandbox'],
  ])('is named by %s', ([, given, name]) => {
    expect(actingOn(choice(given)).name).toBe(name)
  })
})

describe('what is said of the environment', () => {
  const here = { SKYCTL_TOKEN: 'prod-token\n', SKYCTL_BASE_URL: api }
  const there = { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other }

  test.for<[string, Given, string | undefined]>([
    ['nothing, where it is empty', { current: 'prod' }, undefined],
    ['nothing, where it says the same', { current: 'prod', env: here }, undefined],
    ['nothing, where no context is used', { env: there }, undefined],
    [
      'that its token wins',
      { current: 'prod', env: { SKYCTL_TOKEN: 't' } },
      'using SKYCTL_TOKEN instead of the token of context "prod"',
    ],
    [
      'that its token wins, where a context has none',
      { env: { SKYCTL_TOKEN: 't', SKYCTL_CONTEXT: 'bare' } },
      'using SKYCTL_TOKEN instead of the token of context "bare"',
    ],
    [
      'that its address wins',
      { current: 'prod', env: { SKYCTL_BASE_URL: 'https://api.example.net/v5' } },
      'SKYCTL_BASE_URL overrides context "prod"; unset it to use that',
    ],
    [
      'that both win',
      { env: { ...there, SKYCTL_CONTEXT: 'prod' } },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "prod"; unset them to use that',
    ],
    [
      'that the file of its token wins',
      { current: 'prod', env: { SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_BASE_URL: api } },
      'SKYCTL_TOKEN_FILE overrides context "prod"; unset it to use that',
    ],
    [
      'nothing, where a flag names the context that it agrees with',
      { flags: { context: 'prod' }, env: { SKYCTL_BASE_URL: api }, current: 'vault' },
      undefined,
    ],
    [
      'that both are not used, where a flag names a context',
      { flags: { context: 'prod' }, env: there },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: --context prod uses its own address and token',
    ],
    [
      'that one is not used, where a flag names a context',
      { flags: { context: 'prod' }, env: { SKYCTL_TOKEN: 't' } },
      'SKYCTL_TOKEN is not used: --context prod uses its own address and token',
    ],
    [
      'that its token is not used, where that is for another address',
      { flags: { baseUrl: api }, current: 'prod', env: there },
      'SKYCTL_TOKEN is not used: it is for SKYCTL_BASE_URL',
    ],
    [
      'nothing, where a flag wins over both',
      { flags: { baseUrl: api }, current: 'prod', env: { SKYCTL_BASE_URL: other } },
      undefined,
    ],
    [
      'that none of it is used for the sandbox',
      { flags: { context: 'sandbox' }, env: { ...there, SKYCTL_TOKEN_FILE: 'b' } },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are not used: the context "sandbox" is built in',
    ],
    ['nothing for the sandbox, where it is empty', { flags: { context: 'sandbox' } }, undefined],
  ])('is %s', ([, given, said]) => {
    expect(actingOn(choice(given)).override).toBe(said)
  })

  test.for<[string, string, Record<string, string>, string | undefined]>([
    ['nothing, where it is empty', 'prod', {}, undefined],
    ['nothing, where it names the same', 'prod', { SKYCTL_CONTEXT: 'prod' }, undefined],
    [
      'that it names another',
      'prod',
      { SKYCTL_CONTEXT: 'stag', SKYCTL_TOKEN: 'a' },
      'SKYCTL_CONTEXT=stag overrides the current context; unset it',
    ],
    [
      'that it wins',
      'prod',
      { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: 'a' },
      'SKYCTL_TOKEN overrides context "prod"; unset it to use that',
    ],
    ['nothing, where it is the sandbox', 'sandbox', { SKYCTL_TOKEN: 'a' }, undefined],
  ])('of a context that is put in use is %s', ([, name, env, said]) => {
    expect(overrideOfUse(name, contexts.get(name), env)).toBe(said)
  })
})
