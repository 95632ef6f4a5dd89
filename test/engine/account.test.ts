/** How an account is named in files of ours, and in a command that is proposed. */
import { expect, test } from 'vitest'
import { type Account, accountOf, sameAccount } from '../../src/account/account'
import { Problem } from '../../src/errors'

const baseUrl = 'https://api.example.net/v4'
const work = { name: 'work', from: 'current' }
const none = new Problem('not_signed_in', 'no token')
const from = (place: string) => ({ from: place })

test.for<[string, object, object]>([
  [
    'that of a context which has both',
    { baseUrl, baseUrlFrom: 'context', secret: from('context'), context: work },
    { context: 'work', service: baseUrl },
  ],
  [
    'none where the address comes from elsewhere',
    { baseUrl, baseUrlFrom: 'environment', secret: from('context'), context: work },
    { context: null, service: baseUrl },
  ],
  [
    'none where the token comes from elsewhere',
    { baseUrl, baseUrlFrom: 'context', secret: from('environment'), context: work },
    { context: null, service: baseUrl },
  ],
  [
    'none where there is no token',
    { baseUrl, baseUrlFrom: 'context', secret: none, context: work },
    { context: null, service: baseUrl },
  ],
  [
    'none where there is no context',
    { baseUrl, baseUrlFrom: 'context', secret: from('context') },
    { context: null, service: baseUrl },
  ],
  ['the sandbox in its context', { sandbox: true, context: work, baseUrl }, { context: 'work', service: 'sandbox' }],
])('an account is %s', async ([, credential, name]) => {
  const account = { access: { credential: async () => ({ sandbox: false, ...credential }) } } as unknown as Account
  expect(await accountOf(account)).toEqual(name)
})

test.for<[string, () => Promise<unknown>, string]>([
  ['was named on the line', async () => ({ name: 'my work', from: 'flag' }), " --context 'my work'"],
  ['is the current one', async () => work, ''],
  ['is none', async () => undefined, ''],
  ['cannot be read', () => Promise.reject(none), ''],
])('a command that is proposed names the context only if it %s', async ([, context, words]) => {
  expect(await sameAccount({ access: { context } } as unknown as Account)).toBe(words)
})
