/** Results of the checks. */
import { type FieldError, Problem } from '../../errors'

export const statuses = ['ok', 'warning', 'failure', 'skipped'] as const
export type CheckStatus = (typeof statuses)[number]

export interface Diagnosis {
  /** Name for scripts: `clock`. */
  name: string
  status: CheckStatus
  message: string
  /** Next step: a command, or half a sentence. */
  fix?: string
}

type CreateDiagnosis = (name: string, message: string, fix?: string) => Diagnosis

const withStatus =
  (status: CheckStatus): CreateDiagnosis =>
  (name, message, fix) => ({ name, status, message, ...(fix !== undefined && { fix }) })

export const ok = withStatus('ok')
export const warning = withStatus('warning')
export const failure = withStatus('failure')
export const skipped = withStatus('skipped')

export function ofProblem(name: string, problem: Problem): Diagnosis {
  const errors: readonly FieldError[] = problem.details.errors ?? []
  return failure(name, problem.message, problem.details.hint ?? errors[0]?.reason)
}

/** Resolves to the result or the problem; rethrows defects and interrupts. */
export async function orProblem<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T | Problem> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    return error
  }
}
