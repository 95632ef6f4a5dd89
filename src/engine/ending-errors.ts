/** Failures of one target that end the run for all others. */
import { Problem } from '../errors'

/** Codes of problems that end the run, whatever was done before. */
const endsRun = new Set<Problem['code']>(['interrupted', 'terminated', 'defect'])
/** Codes of problems that the next target would have, too: the service is unavailable, or the disk is full. */
export const endsService = new Set<Problem['code']>(['not_signed_in', 'unavailable', 'not_the_api', 'local'])

/** Reports whether a failure ends the run: the remaining targets would fail, too. */
export function endsAll(error: unknown): boolean {
  const endingError = endingErrorIn(error)
  return !(endingError instanceof Problem) || endsTheRun(endingError) || endsService.has(endingError.code)
}

export const endsTheRun = ({ code, details }: Problem) => endsRun.has(code) && !details.onlyTarget

/** Returns the error that may end the run: for a lost answer, the reason why the change could not be checked. */
export function endingErrorIn(error: unknown): unknown {
  const isLost = error instanceof Problem && error.code === 'outcome_unknown'
  return isLost && error.cause instanceof Problem ? endingErrorIn(error.cause) : error
}

/** Returns the problem of a target that was not tried, because of this error. */
export function untried(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const { answer, hint, ...others } = error.details
  // If only a wait failed, the answer to its change and the command that continues it are about another target.
  const details = answer === undefined ? error.details : others
  return new Problem(error.code, `not tried: ${error.message}`, { ...details, cause: error })
}
