/** How a command may end. */

import type { Command } from '../engine/command'
import { type Code, exitCodes } from '../errors'

/** Whatever is typed may be wrong, nothing may be found, and "no" may be the answer. */
const always: readonly Code[] = [
  ...(['defect', 'usage', 'not_found', 'refused', 'local', 'interrupted', 'terminated'] as const),
]
const asking: readonly Code[] = ['not_signed_in', 'not_allowed', 'rate_limited', 'unavailable']

/** Exit codes in order; 0 is done. `words` are those of the command. */
export function exitCodesOf(
  { operations, flags, arguments: values = [] }: Command,
  words: readonly string[],
): number[] {
  const has = (name: string) => flags.some((flag) => flag.name === name)
  // What it sends is told by its arguments.
  const any = words[0] === 'api'
  const once = any || operations?.some(({ repeat }) => repeat === 'never' || repeat === 'check first')
  const codes: readonly Code[] = [
    ...always,
    ...(any || operations ? asking : []),
    ...(words[0] === 'auth' ? asking : []),
    ...(values.some(({ many }) => many) && has('concurrency') ? (['some_failed'] as const) : []),
    ...(has('wait-timeout') ? (['wait_timed_out'] as const) : []),
    ...(once ? (['outcome_unknown'] as const) : []),
    // What is wrong is what `doctor` is there to tell.
    ...(['exit-code', 'expect', 'fail-on'].some(has) || words[0] === 'doctor' ? (['mismatch'] as const) : []),
  ]
  return [...new Set([0, ...codes.map((code) => exitCodes[code])])].sort((a, b) => a - b)
}
