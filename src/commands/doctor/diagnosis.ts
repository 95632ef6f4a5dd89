/** What is told of each thing that is looked at. */
import { type FieldError, Problem } from '../../errors'

export const statuses = ['ok', 'warning', 'failure', 'skipped'] as const
export type Status = (typeof statuses)[number]

export interface Diagnosis {
  /** For scripts: `clock`. */
  name: string
  status: Status
  message: string
  /** What to do about it: a command, or half a sentence. */
  mend?: string
}

type Told = (name: string, message: string, mend?: string) => Diagnosis

const told =
  (status: Status): Told =>
  (name, message, mend) => ({ name, status, message, ...(mend !== undefined && { mend }) })

export const ok = told('ok')
export const warning = told('warning')
export const failure = told('failure')
export const skipped = told('skipped')

/** A failure that another part of the program tells. */
export function ofProblem(name: string, problem: Problem): Diagnosis {
  const errors: readonly FieldError[] = problem.details.errors ?? []
  return failure(name, problem.message, problem.details.hint ?? errors[0]?.reason)
}

/** What is looked for, or the problem that it is; a defect stays one, and so does an interrupt. */
export async function orProblem<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T | Problem> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    return error
  }
}

/** What a look at the network may take. */
export interface Patience {
  /** Of each step: whoever waits for a diagnosis has waited already. */
  stepMs: number
  signal: AbortSignal
}

/** As `orProblem`, within the time of a step. */
export function inTime<T>(work: () => Promise<T>, { stepMs, signal }: Patience): Promise<T | Problem> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const problem = new Problem('unavailable', `no answer within ${stepMs / 1000} s`, {
      hint: 'Try again later, or look at the state of your network',
    })
    timer = setTimeout(() => reject(problem), stepMs)
  })
  return orProblem(() => Promise.race([work(), late]), signal).finally(() => clearTimeout(timer))
}
