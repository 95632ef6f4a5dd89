/** Names of an account in local files and in suggested commands. */
import { expect, test } from 'vitest'
import { type Account, accountOf, sameAccount } from '../../src/account/account'
import { Problem } from '../../src/errors'

const baseUrl = 'https://api.example.net/v4'
const work = { name: 'work', from: 'current' }
const none = new Problem('not_signed_in', 'no token')
const accountOn = (credential: object) => ({ access: { credential: async () => credential } }) as unknown as Account

test.for<[string, object, string | null]>([
  ['its context if both address and token come from it', {}, 'work'],
  ['no context if the address comes from elsewhere', { baseUrlFrom: 'environment' }, null],
  ['no context if the token comes from elsewhere', { secret: { from: 'environment' } }, null],
  ['no context without a token', { secret: none }, null],
  ['no context if there is none', { context: undefined }, null],
])('An account is named by its address and by %s', async ([, more, context]) => {
  const defaults = { sandbox: false, baseUrl, baseUrlFrom: 'context', secret: { from: 'context' }, context: work }
  expect(await accountOf(accountOn({ ...defaults, ...more }))).toEqual({ context, service: baseUrl })
})

test('The account of the sandbox is named by its context and as the sandbox', async () => {
  const account = accountOn({ sandbox: true, context: work, baseUrl })
  expect(await accountOf(account)).toEqual({ context: 'work', service: 'sandbox' })
})

const inSandbox = { sandbox: true }
const addressed = (baseUrlFrom: string) => ({ sandbox: false, baseUrl, baseUrlFrom })

test.for<[string, () => Promise<unknown>, object, string]>([
  [
    'the context that came from --context',
    async () => ({ name: 'my work', from: 'flag' }),
    inSandbox,
    " --context 'my work'",
  ],
  ['the address that came from --base-url', async () => undefined, addressed('flag'), ` --base-url ${baseUrl}`],
  ['no address of the environment', async () => undefined, addressed('environment'), ''],
  ['no context that is the current one', async () => work, inSandbox, ''],
  ['no context if it is missing', async () => undefined, inSandbox, ''],
  ['no context if it cannot be read', () => Promise.reject(none), inSandbox, ''],
])('A suggested command names %s', async ([, context, credential, words]) => {
  const access = { context, credential: async () => credential }
  expect(await sameAccount({ access } as unknown as Account)).toBe(words)
})
