/** Failures of files: each of a field with its position, and the problem that has all of them. */
import { type ErrorCode, type FieldError, Problem, type TargetFailure } from '../errors'
import { counted } from '../rules/texts'

/** Returns the common code of all failures; undefined if they differ. */
export function commonCode([first, ...others]: readonly TargetFailure[]): ErrorCode | undefined {
  const code = first?.problem.code
  return others.every(({ problem }) => problem.code === code) ? code : undefined
}

/** Returns `usage` if the files are wrong, otherwise the common cause of all failures; `refused` if they differ. */
export function causeOf(failures: readonly TargetFailure[]): ErrorCode {
  const codes = new Set(failures.map(({ problem }) => problem.code))
  const [code = 'refused', ...others] = codes.has('usage') ? ['usage' as const] : codes
  return others.length > 0 ? 'refused' : code
}

/** Creates the failure of a field, or of the whole file. */
export function fieldFailure(target: string, error: FieldError, code: ErrorCode): TargetFailure {
  const { field, reason } = error
  return {
    target,
    problem: new Problem(code, field === null ? reason : `${field}: ${reason}`, { errors: [error] }),
    tried: true,
    isPlace: true,
  }
}

/** Creates the failures of fields in files. */
export const fieldFailures = (faults: readonly (FieldError & { place: string })[]): TargetFailure[] =>
  faults.map(({ place, ...error }) => fieldFailure(place, error, 'usage'))

/** Creates the problem with all failures of the files or the plan. */
export function wrongFiles(failures: readonly TargetFailure[], code: ErrorCode): Problem {
  const count = counted(failures.length, 'problem')
  const errors = failures.flatMap(({ problem }) => problem.details.errors ?? [])
  return new Problem(code, `${count}; nothing was sent`, { errors, failures: [...failures] })
}
