import { Problem } from '../errors'
import type { Argument } from './command'

/** Throws `usage` for a word in the place of those behind `--` that stands before it: it was meant for something else. */
export function expectBehindDashes(
  known: readonly Argument[],
  given: readonly string[],
  typed: readonly string[],
): void {
  const place = known.findIndex(({ behindDashes }) => behindDashes)
  const argument = known[place]
  if (!argument || given.length <= place) return
  const dashes = typed.indexOf('--')
  if (dashes >= 0 && typed.length - dashes - 1 >= given.length - place) return
  throw new Problem('usage', `unexpected argument "${given[place]}"`, {
    hint: `A ${argument.name} stands behind --, as in: -- ${given[place]}`,
  })
}
