/** Tags of objects in files: the last look before a removal (state.md, The commands). */
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { expectOwned } from '../../src/state/tags'
import { recordsOf } from '../support/pure-plans'

const look = (tags: readonly string[]) => Promise.resolve({ id: 7, tags })

describe('the last look at an object to remove', () => {
  test("lets it be removed with the owner's tag, or where it is gone", async () => {
    await expect(expectOwned(look(['a', 'team']), 'team')).resolves.toBeUndefined()
    const gone = new Problem('not_found', 'volume 7 not found', { missing: '/volumes/7' })
    await expect(expectOwned(Promise.reject(gone), 'team')).resolves.toBeUndefined()
  })

  test('keeps it where it has lost the tag', async () => {
    await expect(expectOwned(look(['teams']), 'team')).rejects.toMatchObject({
      code: 'changed',
      message: 'it no longer has the tag "team", so skyctl keeps it',
    })
  })

  test.for([
    ['nobody may look', new Problem('not_allowed', 'no')],
    ['another page is not found', new Problem('not_found', 'no such page')],
    ['skyctl has a defect', new TypeError('a defect')],
  ] as const)('keeps it where %s', async ([, error]) => {
    await expect(expectOwned(Promise.reject(error), 'team')).rejects.toBe(error)
  })

  test('keeps it where the answer lacks its tags', async () => {
    const [volume] = recordsOf('volumes', [{ id: 7, label: 'data' }])
    await expect(expectOwned(Promise.resolve(Object(volume)), 'team')).rejects.toMatchObject({
      code: 'defect',
      message: 'the answer lacks the tags of 7, so skyctl cannot tell whether it has the tag "team"',
    })
  })
})
