/** Choice of context, base URL and token, and the warnings about it (interface.md, Environment and contexts). */
import { describe, expect, test } from 'vitest'
import type { Config, StoredContext } from '../../src/config/contexts'
import { actingOn, chooseContext, chooseCredential, tokenOf } from '../../src/config/credential'
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

interface Setup {
  flags?: { context?: string; baseUrl?: string }
  env?: Record<string, string>
  current?: string
  config?: Config | Problem
}

const choice = ({ flags = {}, env = {}, current, config }: Setup) => ({
  flags,
  env,
  config: config ?? { contexts, ...(current !== undefined && { current }) },
})

/** Returns the chosen credential, with the message about a missing token. */
async function choose(setup: Setup) {
  const credential = await chooseCredential(choice(setup))
  if (credential.sandbox) return { sandbox: true, from: credential.context.from }
  const { context, baseUrl, baseUrlFrom, secret } = credential
  return { context: context?.name, baseUrl, baseUrlFrom, secret: secret instanceof Problem ? secret.message : secret }
}

describe('The context in use', () => {
  test.for<[Setup, string, string]>([
    [{ current: 'bare' }, 'bare', 'context'],
    [{ current: 'bare', env: { SKYCTL_CONTEXT: 'prod' } }, 'prod', 'environment'],
    [{ current: 'bare', env: { SKYCTL_CONTEXT: '' } }, 'bare', 'context'],
    [{ current: 'bare', env: { SKYCTL_CONTEXT: 'prod' }, flags: { context: 'vault' } }, 'vault', 'flag'],
  ])('with %j is %s', async ([setup, name, from]) => {
    expect(await chooseContext(choice(setup))).toEqual({ name, from, record: contexts.get(name) })
  })

  test('is undefined without a current one', async () => {
    expect(await chooseContext(choice({}))).toBeUndefined()
  })

  test.for<[Setup, string, string]>([
    [{ flags: { context: 'prd' } }, 'context "prd" not found', 'Did you mean "prod"?'],
    [{ flags: { context: 'sandbx' } }, 'context "sandbx" not found', 'Did you mean "sandbox"?'],
    [{ flags: { context: '' } }, 'context "" not found', 'See skyctl context list'],
    [
      { env: { SKYCTL_CONTEXT: 'toString' } },
      'context "toString" (from SKYCTL_CONTEXT) not found',
      'See skyctl context list',
    ],
  ])('with %j is not found: %s', async ([setup, message, hint]) => {
    const problem = { code: 'context_not_found', message, details: { hint } }
    await expect(chooseContext(choice(setup))).rejects.toThrow(expect.objectContaining(problem))
  })
})

describe('The credential', () => {
  test('is that of the context in use', async () => {
    expect(await choose({ current: 'prod' })).toEqual({
      context: 'prod',
      baseUrl: api,
      baseUrlFrom: 'context',
      secret: { from: 'context', token: 'prod-token' },
    })
  })

  test('prefers flags to the environment, and that to the current context', async () => {
    const env = { SKYCTL_CONTEXT: 'vault', SKYCTL_BASE_URL: 'https://env.example.net/v4', SKYCTL_TOKEN: 'env-token' }
    expect(await choose({ current: 'prod', env, flags: { baseUrl: 'https://env.example.net/v5' } })).toEqual({
      context: 'vault',
      baseUrl: 'https://env.example.net/v5',
      baseUrlFrom: 'flag',
      secret: { from: 'environment', token: 'env-token' },
    })
    expect(await choose({ current: 'prod', env })).toMatchObject({
      context: 'vault',
      baseUrl: 'https://env.example.net/v4',
      baseUrlFrom: 'environment',
    })
  })

  test('of a context named by flag does not depend on the environment', async () => {
    for (const env of [
      { SKYCTL_TOKEN: 'env-token' },
      { SKYCTL_TOKEN: 'env-token', SKYCTL_BASE_URL: other, SKYCTL_CONTEXT: '__proto__' },
    ]) {
      expect(await choose({ current: '__proto__', env, flags: { context: 'prod' } })).toEqual(
        await choose({ current: 'prod' }),
      )
      expect(await choose({ env, flags: { context: 'bare' } })).toMatchObject({
        baseUrl: api,
        secret: 'context "bare" is signed out',
      })
    }
  })

  test('never sends SKYCTL_TOKEN to another address than SKYCTL_BASE_URL', async () => {
    const env = { SKYCTL_TOKEN: 'env-token', SKYCTL_BASE_URL: other }
    expect(await chooseCredential(choice({ env, flags: { baseUrl: api } }))).toMatchObject({
      baseUrl: api,
      secret: {
        code: 'not_signed_in',
        message: 'not signed in to https://api.example.net: SKYCTL_TOKEN is for SKYCTL_BASE_URL',
        details: { hint: 'Set SKYCTL_BASE_URL to that address too, or sign in there with skyctl auth login' },
      },
    })
    expect(await choose({ env, current: 'prod', flags: { baseUrl: api } })).toMatchObject({
      secret: { token: 'prod-token' },
    })
    const alone = { SKYCTL_TOKEN: 'env-token' }
    for (const setup of [
      { env: alone, flags: { baseUrl: api } },
      { env: alone, current: 'prod' },
    ])
      expect(await choose(setup)).toMatchObject({ baseUrl: api, secret: { from: 'environment', token: 'env-token' } })
  })

  test('may be SKYCTL_TOKEN or SKYCTL_TOKEN_FILE, but not both', async () => {
    const env = { SKYCTL_BASE_URL: api, SKYCTL_TOKEN: 'env-token', SKYCTL_TOKEN_FILE: '/run/token' }
    expect(await chooseCredential(choice({ env }))).toMatchObject({
      secret: {
        code: 'usage',
        message: 'SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are both set',
        details: { hint: 'Unset one of them' },
      },
    })
    expect((await choose({ env: { ...env, SKYCTL_TOKEN: '' } })).secret).toEqual({
      from: 'environment',
      file: '/run/token',
    })
  })

  test('ignores an empty variable', async () => {
    const env = { SKYCTL_CONTEXT: '', SKYCTL_BASE_URL: '', SKYCTL_TOKEN: '' }
    expect(await choose({ current: 'prod', env })).toEqual(await choose({ current: 'prod' }))
  })

  test('is never that of another account if a flag is empty, as from an unset variable', async () => {
    const env = { SKYCTL_CONTEXT: 'vault', SKYCTL_BASE_URL: other, SKYCTL_TOKEN: 't' }
    await expect(choose({ current: 'prod', env, flags: { context: '' } })).rejects.toThrow('context "" not found')
    await expect(choose({ current: 'prod', env, flags: { baseUrl: '' } })).rejects.toThrow('--base-url')
  })

  test.each(['https://evil.example.net/v4', 'https://api.example.net:8443/v4', 'http://localhost/v4'])(
    'never sends a stored token to another origin: %s',
    async (url) => {
      for (const name of ['prod', 'vault']) {
        const message = `not signed in to ${new URL(url).origin}: the token of context "${name}" is for https://api.example.net`
        const hint = 'Set SKYCTL_TOKEN, or sign in there with skyctl auth login'
        for (const setup of [{ flags: { baseUrl: url } }, { env: { SKYCTL_BASE_URL: url } }]) {
          const credential = await chooseCredential(choice({ current: name, ...setup }))
          if (credential.sandbox) throw new Error('it is the sandbox')
          expect(credential.secret).toMatchObject({ code: 'not_signed_in', message, details: { hint } })
          await expect(tokenOf(credential, {})).rejects.toBe(credential.secret)
        }
      }
    },
  )

  test('sends a stored token to another path of its origin', async () => {
    expect(await choose({ current: 'prod', flags: { baseUrl: 'https://API.example.net:443/v4beta' } })).toMatchObject({
      baseUrl: 'https://api.example.net/v4beta',
      secret: { token: 'prod-token' },
    })
  })

  test('is the sandbox if that is named, independent of the environment and the disk', async () => {
    const env = { SKYCTL_BASE_URL: 'nonsense', SKYCTL_TOKEN: 'real-token' }
    expect(await choose({ flags: { context: 'sandbox' }, env })).toEqual({ sandbox: true, from: 'flag' })
    expect(await choose({ env: { ...env, SKYCTL_CONTEXT: 'sandbox' } })).toEqual({ sandbox: true, from: 'environment' })
    expect(await choose({ flags: { context: 'sandbox' }, config: unreadable })).toMatchObject({ sandbox: true })
  })

  test('is the sandbox if that is the stored context and nothing overrides it', async () => {
    expect(await choose({ current: 'sandbox' })).toEqual({ sandbox: true, from: 'context' })
    expect(await choose({ current: 'sandbox', env: { SKYCTL_BASE_URL: '' } })).toEqual({
      sandbox: true,
      from: 'context',
    })
  })

  test.for<[Setup, object]>([
    [{ env: { SKYCTL_BASE_URL: other, SKYCTL_TOKEN: 't' } }, { baseUrl: other, secret: { token: 't' } }],
    [{ env: { SKYCTL_BASE_URL: other, SKYCTL_TOKEN_FILE: '/t' } }, { baseUrl: other, secret: { file: '/t' } }],
    [{ env: { SKYCTL_BASE_URL: other } }, { baseUrl: other, secret: 'SKYCTL_BASE_URL is set, but no token' }],
    [
      { flags: { baseUrl: other }, env: { SKYCTL_TOKEN: 't' } },
      { baseUrl: other, secret: { token: 't' } },
    ],
    [{ flags: { baseUrl: other } }, { baseUrl: other, secret: '--base-url is set, but no token' }],
  ])('is not a stored context "sandbox" with %j', async ([setup, credential]) => {
    expect(await choose({ current: 'sandbox', ...setup })).toMatchObject(credential)
  })

  test.for<[string, Setup, object]>([
    [
      'no setting',
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
      'only a token',
      { env: { SKYCTL_TOKEN: 'env-token' } },
      { code: 'not_signed_in', message: 'SKYCTL_TOKEN is set, but no base URL' },
    ],
    [
      'only a token and a stored context "sandbox"',
      { current: 'sandbox', env: { SKYCTL_TOKEN: 'env-token' } },
      {
        code: 'not_signed_in',
        message: 'SKYCTL_TOKEN is set, but no base URL',
        details: { hint: 'Set SKYCTL_BASE_URL, or use the sandbox with --context sandbox' },
      },
    ],
    ['the sandbox and a base URL', { flags: { context: 'sandbox', baseUrl: api } }, { code: 'usage' }],
    [
      'a context without https',
      { config: { current: 'old', contexts: new Map([['old', { base_url: 'http://api.example.net/v4' }]]) } },
      { message: expect.stringMatching(/^the base URL of context "old" must begin with https/) },
    ],
  ])('is missing or rejected with %s', async ([, setup, problem]) => {
    await expect(choose(setup)).rejects.toThrow(expect.objectContaining(problem))
  })

  test('needs no token for public endpoints', async () => {
    expect(await choose({ flags: { baseUrl: api } })).toMatchObject({
      baseUrl: api,
      secret: '--base-url is set, but no token',
    })
    expect(await choose({ env: { SKYCTL_BASE_URL: api } })).toMatchObject({
      baseUrl: api,
      secret: 'SKYCTL_BASE_URL is set, but no token',
    })
    expect(await choose({ current: 'bare' })).toMatchObject({ baseUrl: api, secret: 'context "bare" is signed out' })
  })

  test('needs no file if the environment has base URL and token', async () => {
    const env = { SKYCTL_BASE_URL: api, SKYCTL_TOKEN: 'env-token' }
    expect(await choose({ env, config: unreadable })).toMatchObject({ baseUrl: api, secret: { token: 'env-token' } })
    expect(await choose({ env, current: 'gone' })).toMatchObject({ baseUrl: api, secret: { token: 'env-token' } })
    expect((await choose({ flags: { baseUrl: api }, config: unreadable })).secret).toBe('the disk is gone')
  })

  test.for<Setup>([
    {},
    { env: { SKYCTL_BASE_URL: api }, flags: { context: 'prod' } },
    { env: { SKYCTL_BASE_URL: api, SKYCTL_CONTEXT: 'prod' } },
    { env: { SKYCTL_CONTEXT: 'prod' }, flags: { baseUrl: api } },
    { flags: { context: 'prod', baseUrl: api } },
  ])('fails with unreadable contexts if one of them is needed: %j', async (setup) => {
    await expect(choose({ ...setup, config: unreadable })).rejects.toThrow(unreadable)
  })

  test('provides its token from a context, a command or the environment', async () => {
    const token = async (setup: Setup) => {
      const credential = await chooseCredential(choice(setup))
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

describe('The account of a run', () => {
  const alone = { current: 'prod', contexts: new Map([['prod', { base_url: api, token: 'prod-token' }]]) }
  const two = { current: 'prod', contexts: new Map([...contexts].slice(0, 2)) }
  const none = { contexts: new Map() }
  const env = { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other }

  test.for<[string, Setup, string | undefined]>([
    ['its context if there are two', { config: two }, 'prod'],
    ['nothing if its context is the only one', { config: alone }, undefined],
    ['its variable and address if there is a context', { config: alone, env }, 'SKYCTL_TOKEN at api.example.org'],
    [
      'the variable of its token file',
      { config: alone, env: { SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_BASE_URL: other } },
      'SKYCTL_TOKEN_FILE at api.example.org',
    ],
    [
      'an address that the token of its context is not for',
      { current: 'prod', env: { SKYCTL_BASE_URL: other } },
      'SKYCTL_TOKEN at api.example.org',
    ],
    ['nothing without a context', { config: none, env }, undefined],
    [
      'its variable and address if it overrides the sandbox',
      { config: { ...none, current: 'sandbox' }, env },
      'SKYCTL_TOKEN at api.example.org',
    ],
    ['nothing if the contexts cannot be read', { config: unreadable, env }, undefined],
    ['the sandbox', { config: none, flags: { context: 'sandbox' } }, 'sandbox'],
  ])('is named by %s', async ([, setup, name]) => {
    expect((await actingOn(choice(setup))).name).toBe(name)
  })
})

describe('The warning about the environment', () => {
  const here = { SKYCTL_TOKEN: 'prod-token\n', SKYCTL_BASE_URL: api }
  const there = { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other }

  test.for<[string, Setup, string | undefined]>([
    ['missing if no variable is set', { current: 'prod' }, undefined],
    ['missing if the variables agree with the context', { current: 'prod', env: here }, undefined],
    ['missing if no context is used', { env: there }, undefined],
    [
      'that its token is used',
      { current: 'prod', env: { SKYCTL_TOKEN: 't' } },
      'using SKYCTL_TOKEN instead of the token of context "prod"',
    ],
    [
      'that its token is used, even if the context has none',
      { env: { SKYCTL_TOKEN: 't', SKYCTL_CONTEXT: 'bare' } },
      'using SKYCTL_TOKEN instead of the token of context "bare"',
    ],
    [
      'that its base URL is used',
      { current: 'prod', env: { SKYCTL_BASE_URL: 'https://api.example.net/v5' } },
      'SKYCTL_BASE_URL overrides context "prod"; unset it to use that',
    ],
    [
      'that both are used',
      { env: { ...there, SKYCTL_CONTEXT: 'prod' } },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "prod"; unset them to use that',
    ],
    [
      'that its token file is used',
      { current: 'prod', env: { SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_BASE_URL: api } },
      'SKYCTL_TOKEN_FILE overrides context "prod"; unset it to use that',
    ],
    [
      'missing if a flag names the context that the variables agree with',
      { flags: { context: 'prod' }, env: { SKYCTL_BASE_URL: api }, current: 'vault' },
      undefined,
    ],
    [
      'that both are unused if a flag names a context',
      { flags: { context: 'prod' }, env: there },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: --context prod uses its own address and token',
    ],
    [
      'that one is unused if a flag names a context',
      { flags: { context: 'prod' }, env: { SKYCTL_TOKEN: 't' } },
      'SKYCTL_TOKEN is not used: --context prod uses its own address and token',
    ],
    [
      'that its token is unused because it is for another address',
      { flags: { baseUrl: api }, current: 'prod', env: there },
      'SKYCTL_TOKEN is not used: it is for SKYCTL_BASE_URL',
    ],
    [
      'missing if a flag overrides both',
      { flags: { baseUrl: api }, current: 'prod', env: { SKYCTL_BASE_URL: other } },
      undefined,
    ],
    [
      'that all are unused for the sandbox',
      { flags: { context: 'sandbox' }, env: { ...there, SKYCTL_TOKEN_FILE: 'b' } },
      'SKYCTL_BASE_URL, SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are not used: the context "sandbox" is built in',
    ],
    [
      'how to try a token while SKYCTL_CONTEXT names the sandbox',
      { env: { SKYCTL_CONTEXT: 'sandbox', SKYCTL_TOKEN: 't' } },
      'SKYCTL_TOKEN is not used: the context "sandbox" is built in. ' +
        'To try a token, unset SKYCTL_CONTEXT and set the SKYCTL_BASE_URL that "skyctl sandbox start" prints',
    ],
    [
      'how to use the account of the environment while SKYCTL_CONTEXT names the sandbox',
      { env: { ...there, SKYCTL_CONTEXT: 'sandbox' } },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: the context "sandbox" is built in; to use another account, unset SKYCTL_CONTEXT',
    ],
    [
      'that both override a stored sandbox',
      { current: 'sandbox', env: there },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "sandbox"; unset them to use that',
    ],
    ['missing for the sandbox if no variable is set', { flags: { context: 'sandbox' } }, undefined],
  ])('is %s', async ([, setup, warning]) => {
    expect((await actingOn(choice(setup))).override).toBe(warning)
  })

  test.for<[string, string, Record<string, string>, string | undefined]>([
    ['missing if no variable is set', 'prod', {}, undefined],
    ['missing if SKYCTL_CONTEXT names the same context', 'prod', { SKYCTL_CONTEXT: 'prod' }, undefined],
    [
      'that SKYCTL_CONTEXT names another context',
      'prod',
      { SKYCTL_CONTEXT: 'stag', SKYCTL_TOKEN: 'a' },
      'SKYCTL_CONTEXT=stag overrides the current context; unset it',
    ],
    [
      'that SKYCTL_TOKEN is used',
      'prod',
      { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: 'a' },
      'SKYCTL_TOKEN overrides context "prod"; unset it to use that',
    ],
    ['missing for the sandbox if no variable is set', 'sandbox', {}, undefined],
    [
      'that SKYCTL_BASE_URL and SKYCTL_TOKEN are used instead of the sandbox',
      'sandbox',
      { SKYCTL_BASE_URL: other, SKYCTL_TOKEN: 'a' },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "sandbox"; unset them to use that',
    ],
  ])('after context use is %s', async ([, name, env, warning]) => {
    expect(overrideOfUse(name, contexts.get(name), env)).toBe(warning)
  })
})
