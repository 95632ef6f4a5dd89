/** Removals: the last check before a deletion (state.md, The commands). */
import { describe, expect, test } from 'vitest'
import { readOwned } from '../../src/account-file/check-removal'
import { Problem } from '../../src/errors'
import { recordsOf } from '../support/pure-plans'

const objectWith = (tags: readonly string[]) => Promise.resolve({ id: 7, tags })

describe('the last check before a deletion', () => {
  test("allows it if the object has the owner's tag or no longer exists", async () => {
    await expect(readOwned(objectWith(['a', 'team']), 'team')).resolves.toMatchObject({ id: 7 })
    const missing = new Problem('not_found', 'volume 7 not found', { missing: '/volumes/7' })
    await expect(readOwned(Promise.reject(missing), 'team')).resolves.toBeUndefined()
  })

  test('prevents it if the object has lost the tag', async () => {
    await expect(readOwned(objectWith(['teams']), 'team')).rejects.toMatchObject({
      code: 'changed',
      message: 'it no longer has the tag "team", so skyctl keeps it',
    })
  })

  test.for([
    ['the token may not read the object', new Problem('not_allowed', 'no')],
    ['another page is not found', new Problem('not_found', 'no such page')],
    ['skyctl has a defect', new TypeError('a defect')],
  ] as const)('prevents it if %s', async ([, error]) => {
    await expect(readOwned(Promise.reject(error), 'team')).rejects.toBe(error)
  })

  test('prevents it if the answer lacks the tags', async () => {
    const [volume] = recordsOf('volumes', [{ id: 7, label: 'data' }])
    await expect(readOwned(Promise.resolve(Object(volume)), 'team')).rejects.toMatchObject({
      code: 'defect',
      message: 'the answer lacks the tags of 7, so skyctl cannot tell whether it has the tag "team"',
    })
  })
})
