/** Reads an account for a plan: required kinds, and optional kinds that only help (state.md, The commands). */
import { describe, expect, test } from 'vitest'
import type { Kind } from '../../src/account-file/kind'
import { volumeKind } from '../../src/account-file/kinds/volumes'
import { readAccountState } from '../../src/account-file/read-account'
import { Problem } from '../../src/errors'

/** Creates a kind that is read by a function, without a client. */
const kind = (key: string, read: () => Promise<unknown[]>): Kind => ({ ...(volumeKind as Kind), key, read })
const client = Object.create(null)

const volumes = kind('volumes', async () => ['a volume'])
const notAllowed = new Problem('not_allowed', 'the token lacks a scope')

describe('an account', () => {
  test('consists of the objects of each kind', async () => {
    const needed = kind('rdns', async () => ['an address', 'another'])
    expect(await readAccountState({ required: [volumes], optional: [needed] }, client)).toEqual(
      new Map([
        ['volumes', ['a volume']],
        ['rdns', ['an address', 'another']],
      ]),
    )
  })

  test('lacks an optional kind if the token may not read it', async () => {
    const needed = kind('rdns', () => Promise.reject(notAllowed))
    expect(await readAccountState({ required: [volumes], optional: [needed] }, client)).toEqual(
      new Map([['volumes', ['a volume']]]),
    )
    await expect(readAccountState({ required: [needed], optional: [volumes] }, client)).rejects.toBe(notAllowed)
  })

  test.for([new Problem('unavailable', 'no answer'), new TypeError('a defect')])(
    'is not returned after any other failure: %s',
    async (error) => {
      let isOver = false
      const failing = kind('rdns', () => Promise.reject(error))
      const slow = kind('volumes', async () => {
        await new Promise((resolve) => setImmediate(resolve))
        isOver = true
        return []
      })
      await expect(readAccountState({ required: [slow], optional: [failing] }, client)).rejects.toBe(error)
      // The failure is reported after all requests have ended.
      expect(isOver).toBe(true)
    },
  )
})
