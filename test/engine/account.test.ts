/** How an account is named in files of ours, and in a command that is proposed. */
import { expect, test } from 'vitest'
import { type Account, accountOf, sameAccount } from '../../src/account/account'
import { Problem } from '../../src/errors'

const baseUrl = 'https://api.example.net/v4'
const work = { name: 'work', from: 'current' }
const none = new Problem('not_signed_in', 'no token')
const accountOn = (credential: object) => ({ access: { credential: async () => credential } }) as unknown as Account

test.for<[string, object, string | null]>([
  ['that of a context which has both', {}, 'work'],
  ['none where the address comes from elsewhere', { baseUrlFrom: 'environment' }, null],
  ['none where the token comes from elsewhere', { secret: { from: 'environment' } }, null],
  ['none where there is no token', { secret: none }, null],
  ['none where there is no context', { context: undefined }, null],
])('an account is %s', async ([, more, context]) => {
  const usual = { sandbox: false, baseUrl, baseUrlFrom: 'context', secret: { from: 'context' }, context: work }
  expect(await accountOf(accountOn({ ...usual, ...more }))).toEqual({ context, service: baseUrl })
})

test('an account is the sandbox in its context', async () => {
  const account = accountOn({ sandbox: true, context: work, baseUrl })
  expect(await accountOf(account)).toEqual({ context: 'work', service: 'sandbox' })
})

test.for<[string, () => Promise<unknown>, string]>([
  ['was named on the line', async () => ({ name: 'my work', from: 'flag' }), " --context 'my work'"],
  ['is the current one', async () => work, ''],
  ['is none', async () => undefined, ''],
  ['cannot be read', () => Promise.reject(none), ''],
])('a command that is proposed names the context only if it %s', async ([, context, words]) => {
  expect(await sameAccount({ access: { context } } as unknown as Account)).toBe(words)
})
