/** Exit codes of commands. */

import { type ErrorCode, exitCodes } from '../errors'
import type { Command } from './command'

/** Meaning of each cause, for help and documents. */
export const meanings: Record<ErrorCode, string> = {
  defect: 'internal error, or invalid response to a read',
  usage: 'usage or validation: nothing was changed',
  not_signed_in: 'not signed in: no token, or the API rejects it',
  not_allowed: 'not allowed: scope or grant missing',
  not_found: 'not found: the API has no such object',
  context_not_found: 'not found: no context has this name',
  refused: 'refused by the API, ambiguous label, or "no" at a prompt',
  exists: 'refused: an object with this label exists',
  conflict: 'refused: the current state of the object does not allow it',
  changed: 'refused: somebody else changed it meanwhile',
  locked_out: 'refused: it would block an address that must stay allowed',
  protected: 'refused: it has the tag "protected", or the file protects it',
  rate_limited: 'rate limited, after retries',
  unavailable: 'unavailable: network, timeout, 5xx, after retries',
  not_the_api: 'unavailable: the address answers, but is not the API',
  some_failed: 'several targets, and some failed',
  wait_timed_out: 'a wait timed out',
  outcome_unknown: 'outcome unknown: a change was sent, and its answer was lost',
  local: 'a local file or disk: unreadable, full, exists, not private',
  too_large: 'too much data for the memory limit',
  mismatch: 'a comparison or check failed',
  interrupted: 'interrupted (Ctrl-C)',
  terminated: 'terminated',
}

/** Causes possible in every command. */
const always: readonly ErrorCode[] = [
  ...(['defect', 'usage', 'not_found', 'refused', 'local', 'interrupted', 'terminated'] as const),
]
const asking: readonly ErrorCode[] = ['not_signed_in', 'not_allowed', 'rate_limited', 'unavailable']

/** Lists a command's exit codes in ascending order, starting with 0 (success). `words` are the command's words. */
export function exitCodesOf(
  { operations, requestsDependOn, flags, arguments: values = [] }: Command,
  words: readonly string[],
): number[] {
  const has = (name: string) => flags.some((flag) => flag.name === name)
  const any = requestsDependOn !== undefined
  const isChange = any || operations?.some(({ idempotency }) => idempotency !== 'safe')
  const codes: readonly ErrorCode[] = [
    ...always,
    ...(any || operations ? asking : []),
    ...(words[0] === 'auth' ? asking : []),
    ...(values.some(({ many }) => many) && has('concurrency') ? (['some_failed'] as const) : []),
    ...(has('wait') || ['apply', 'wait'].includes(words.at(-1) ?? '') ? (['wait_timed_out'] as const) : []),
    ...(isChange ? (['outcome_unknown'] as const) : []),
    // Failed checks are a result of `doctor`, not an error.
    ...(['exit-code', 'expect', 'fail-on'].some(has) || words[0] === 'doctor' ? (['mismatch'] as const) : []),
  ]
  return [...new Set([0, ...codes.map((code) => exitCodes[code])])].sort((a, b) => a - b)
}
