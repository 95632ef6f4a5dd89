/** The built program, of which nobody reads what it prints: a part of the cases, and all with bench/closed-streams.mjs. */
import { expect, test } from 'vitest'
import { cases, play } from '../support/closed-streams'
import { program } from '../support/program'

/** A prime, so that every way to lose the output comes up, with other lines. */
const stride = 37
const chosen = cases.filter((_, index) => index % stride === 0)

test.for(chosen.map((one) => ({ ...one, typed: one.line.line })))(
  'a change is made to its end where $way: $typed $flags',
  async (one) => {
    expect(await play(one, program)).toEqual([])
  },
)
