/** Creates the problem that has all faults of files, or of their plan. */
import { type ErrorCode, Problem, type TargetFailure } from '../errors'
import { counted } from '../rules/texts'
import type { Fault } from './places'

/**
 * Returns a problem with all faults. Its code is `usage` if one of the files is wrong, otherwise the common code of all
 * faults; `mixed` if they differ. `hint` is the next step for all of them.
 */
export function wrongFiles(faults: readonly Fault[], mixed: ErrorCode = 'refused', hint?: string): Problem {
  const codes = new Set(faults.map(({ code = 'usage' }) => code))
  const [first = mixed, ...others] = codes.has('usage') ? (['usage'] as const) : codes
  const failures = faults.map(failureOf)
  const errors = failures.flatMap(({ problem }) => problem.details.errors ?? [])
  return new Problem(others.length > 0 ? mixed : first, `${counted(faults.length, 'problem')}; nothing was sent`, {
    errors,
    failures,
    ...(hint !== undefined && { hint }),
  })
}

function failureOf({ at, reason, code = 'usage' }: Fault): TargetFailure {
  const { field } = at
  return {
    target: at.position,
    problem: new Problem(code, field === null ? reason : `${field}: ${reason}`, { errors: [{ field, reason }] }),
    tried: true,
    isPlace: true,
  }
}
