/** Reading an account for a plan: what must be read, and what would only be good to know (state.md, The commands). */
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import type { Kind } from '../../src/state/kind'
import { volumeKind } from '../../src/state/kinds/volumes'
import { readAccountState } from '../../src/state/read-account'

/** A kind that is read so; nobody asks the client. */
const usual: Kind = volumeKind
const kind = (key: string, read: () => Promise<unknown[]>): Kind => ({ ...usual, key, read })
const client = Object.create(null)

const volumes = kind('volumes', async () => ['a volume'])
const notAllowed = new Problem('not_allowed', 'the token lacks a scope')

describe('an account', () => {
  test('is what was read of each kind', async () => {
    const needed = kind('rdns', async () => ['an address', 'another'])
    expect(await readAccountState({ wanted: [volumes], needed: [needed] }, client)).toEqual(
      new Map([
        ['volumes', ['a volume']],
        ['rdns', ['an address', 'another']],
      ]),
    )
  })

  test('lacks a kind that is only needed, where the token may not read it', async () => {
    const needed = kind('rdns', () => Promise.reject(notAllowed))
    expect(await readAccountState({ wanted: [volumes], needed: [needed] }, client)).toEqual(
      new Map([['volumes', ['a volume']]]),
    )
    await expect(readAccountState({ wanted: [needed], needed: [volumes] }, client)).rejects.toBe(notAllowed)
  })

  test.for([new Problem('unavailable', 'no answer'), new TypeError('a defect')])(
    'is not known where anything else fails: %s',
    async (error) => {
      let isOver = false
      const failing = kind('rdns', () => Promise.reject(error))
      const slow = kind('volumes', async () => {
        await new Promise((resolve) => setImmediate(resolve))
        isOver = true
        return []
      })
      await expect(readAccountState({ wanted: [slow], needed: [failing] }, client)).rejects.toBe(error)
      // All requests have ended by then.
      expect(isOver).toBe(true)
    },
  )
})
