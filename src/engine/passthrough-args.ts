import { Problem } from '../errors'
import type { Argument } from './command'

/** Throws `usage` for a word before `--` that was taken for an argument after it: the user meant something else. */
export function expectPassthrough(
  known: readonly Argument[],
  given: readonly string[],
  typed: readonly string[],
): void {
  const place = known.findIndex(({ passthrough }) => passthrough)
  const argument = known[place]
  if (!argument || given.length <= place) return
  const dashes = typed.indexOf('--')
  if (dashes >= 0 && typed.length - dashes - 1 >= given.length - place) return
  throw new Problem('usage', `unexpected argument "${given[place]}"`, {
    hint: `Put the ${argument.name} after --: -- ${given[place]}`,
  })
}
