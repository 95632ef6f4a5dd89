/** Runs that are killed and gone on with; `bench/bulk.mjs` does the same with many more. */
import { expect, test } from 'vitest'
import { campaign } from '../support/crashes'
import { program } from '../support/program'

test.for(['create', 'delete'] as const)(
  'Of 40 volumes to %s, none is done twice and none is missing after 5 kills',
  { timeout: 240_000 },
  async (verb) => {
    const { killed, unanswered, unknown, faults } = await campaign({ program, verb, targets: 40, kills: 5, seed: 4 })
    expect({ killed, faults }).toEqual({ killed: 5, faults: [] })
    // Otherwise nothing of this was tried.
    expect(unanswered).toBeGreaterThan(0)
    expect(unknown).toBeLessThan(40)
  },
)
