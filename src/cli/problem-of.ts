import { Problem } from '../errors'
import { errorCode, fileLimitProblem } from '../files/problem'

/** Converts whatever ended a command to a problem: a refusal of the system, or a defect of the program. */
export async function problemOf(error: unknown): Promise<Problem> {
  if (error instanceof Problem) return error
  if (errorCode(error) === 'ERR_ACCESS_DENIED') return (await import('../files/permissions')).missingPermission(error)
  return fileLimitProblem(error) ?? defect(error)
}

function defect(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  return new Problem('defect', `internal error: ${message}`, {
    hint: 'Run it again with --debug, and report the output',
  })
}
