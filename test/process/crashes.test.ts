/** Bulk commands that are killed and resumed; `bench/bulk.mjs` repeats it with many more. */
import { expect, test } from 'vitest'
import { campaign } from '../support/crashes'
import { program } from '../support/program'

test.for(['create', 'delete'] as const)(
  'Each of 60 targets is done exactly once despite 5 kills: volumes %s',
  { timeout: 240_000 },
  async (verb) => {
    const { killed, unanswered, unknown, faults } = await campaign({ program, verb, targets: 60, kills: 5, seed: 4 })
    expect({ killed, faults }).toEqual({ killed: 5, faults: [] })
    // Without lost answers, the test proves nothing.
    expect(unanswered).toBeGreaterThan(0)
    expect(unknown).toBeLessThan(60)
  },
)
