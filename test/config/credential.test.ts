/** Where requests go and with which token (interface.md, Environment and contexts). */
import { describe, expect, test } from 'vitest'
import { actingOn } from '../../src/config/acting-account'
import type { Config, StoredContext } from '../../src/config/contexts'
import { chooseCredential, tokenOf } from '../../src/config/credential'
import { Problem } from '../../src/errors'
import type { Environment } from '../../src/rules/environment'

const at = (host: string, token?: string) =>
  ({ base_url: `https://${host}/v4`, ...(token && { token }) }) as StoredContext

function choice(env: Environment, contexts: Record<string, StoredContext> = {}, flags = {}, current?: string) {
  const config = { contexts: new Map(Object.entries(contexts)), ...(current && { current }) } as Config
  return { flags, env, config }
}

const prod = at('prod.example.net', 'of-prod')
const stag = at('stag.example.net', 'of-stag')

describe('a token of the environment', () => {
  test('goes to the address that is named beside it, and to no other', () => {
    const env = { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: 'https://prod.example.net/v4' }
    expect(chooseCredential(choice(env))).toMatchObject({
      baseUrl: 'https://prod.example.net/v4',
      secret: { from: 'environment', token: 'of-env' },
    })
    const elsewhere = chooseCredential(choice(env, {}, { baseUrl: 'https://other.example.net/v4' }))
    expect(elsewhere).toMatchObject({
      baseUrl: 'https://other.example.net/v4',
      secret: {
        code: 'not_signed_in',
        message: 'not signed in to https://other.example.net: SKYCTL_TOKEN is for SKYCTL_BASE_URL',
        details: { hint: 'Set SKYCTL_BASE_URL to that address too, or sign in there with skyctl auth login' },
      },
    })
  })

  test("is another path of the same origin's too", () => {
    const env = { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: 'https://prod.example.net/v4' }
    const other = chooseCredential(choice(env, {}, { baseUrl: 'https://prod.example.net/v5' }))
    expect(other).toMatchObject({ secret: { from: 'environment', token: 'of-env' } })
  })

  test('leaves a context its own where it is for another address', () => {
    const env = { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: 'https://prod.example.net/v4' }
    const chosen = chooseCredential(choice(env, { stag }, { context: 'stag' }))
    expect(chosen).toMatchObject({
      baseUrl: 'https://stag.example.net/v4',
      secret: { from: 'context', token: 'of-stag' },
    })
  })

  test('comes as text or as a file, not as both', async () => {
    const base = { SKYCTL_BASE_URL: 'https://prod.example.net/v4' }
    const both = { ...base, SKYCTL_TOKEN: 'of-env', SKYCTL_TOKEN_FILE: '/run/token' }
    expect(chooseCredential(choice(both))).toMatchObject({
      secret: {
        code: 'usage',
        message: 'SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are both set',
        details: { hint: 'Unset one of them' },
      },
    })
    expect(chooseCredential(choice({ ...base, SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_TOKEN: '' }))).toMatchObject({
      secret: { from: 'environment', file: '/run/token' },
    })
  })

  test('the address is unknown is told', () => {
    expect(() => chooseCredential(choice({ SKYCTL_TOKEN: 'of-env' }))).toThrow('SKYCTL_TOKEN is set, but no base URL')
  })
})

test('a token of a context goes to no other address', async () => {
  const chosen = chooseCredential(choice({}, { prod }, { baseUrl: 'https://other.example.net/v4' }, 'prod'))
  expect(chosen).toMatchObject({
    secret: {
      code: 'not_signed_in',
      message:
        'not signed in to https://other.example.net: the token of context "prod" is for https://prod.example.net',
      details: { hint: 'Set SKYCTL_TOKEN, or sign in there with skyctl auth login' },
    },
  })
  if (!chosen.sandbox) await expect(tokenOf(chosen, {})).rejects.toThrow('not signed in to https://other.example.net')
})

describe('the account that a run acts on', () => {
  const name = (...args: Parameters<typeof choice>) => actingOn(choice(...args)).name
  const env = { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: 'https://prod.example.net/v4' }

  test('is named by its context where there is another to confuse it with', () => {
    expect(name({}, { prod, stag }, {}, 'prod')).toBe('prod')
    expect(name({}, { prod }, {}, 'prod')).toBeUndefined()
  })

  test('is named by variable and address where a context is not what is used', () => {
    expect(name(env, { prod }, {}, 'prod')).toBe('SKYCTL_TOKEN at prod.example.net')
    expect(name(env, { prod })).toBe('SKYCTL_TOKEN at prod.example.net')
    expect(name(env)).toBeUndefined()
    const file = { SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_BASE_URL: 'https://prod.example.net/v4' }
    expect(name(file, { prod })).toBe('SKYCTL_TOKEN_FILE at prod.example.net')
  })

  test('is that of the address where a context has no token to send there', () => {
    expect(name({ SKYCTL_BASE_URL: 'https://other.example.net/v4' }, { prod, stag }, {}, 'prod')).toBe(
      'SKYCTL_TOKEN at other.example.net',
    )
  })

  test('is the sandbox by its name, and needs no contexts that can be read', () => {
    expect(name({}, { prod }, { context: 'sandbox' })).toBe('sandbox')
    const config = new Problem('local', 'cannot be read')
    expect(actingOn({ flags: {}, env, config }).name).toBeUndefined()
  })
})
