/**
 * The kinds of failure and their exit codes. A problem is thrown by the code that knows what went wrong and is
 * turned into one line (or one JSON object) and an exit code in main.
 */
export const exitCodes = {
  defect: 1,
  usage: 2,
  not_signed_in: 3,
  not_allowed: 4,
  not_found: 5,
  context_not_found: 5,
  refused: 6,
  exists: 6,
  conflict: 6,
  changed: 6,
  locked_out: 6,
  rate_limited: 7,
  unavailable: 8,
  not_the_api: 8,
  some_failed: 9,
  wait_timed_out: 10,
  outcome_unknown: 11,
  local: 12,
  too_large: 12,
  mismatch: 13,
  interrupted: 130,
  terminated: 143,
} as const

export type Code = keyof typeof exitCodes

/** What is wrong: `field` is a path as the API writes it, `rules.inbound[0].ports`; null is the whole, or none. */
export interface FieldError {
  field: string | null
  reason: string
}

/** What failed for one of several targets. */
export interface Failure {
  /** As it was typed. */
  target: string
  problem: Problem
  /** Not, where the service was gone before its turn came. */
  tried: boolean
}

/** What was made before a failure, and stands. */
export interface Created {
  kind: string
  id: unknown
  label: unknown
}

export interface Details {
  /** What to do next, as a sentence. */
  hint?: string
  /** What is wrong, field by field: from our own checks or as the service said. */
  errors?: FieldError[]
  /** HTTP status of the answer that tells of the failure. */
  status?: number | undefined
  request?: { method: string; path: string }
  /** Whether the request may succeed later without a change, and can do nothing twice: see `problemRecord`. */
  retryable?: boolean
  /** What the API says there is none of: the path of the object, `/volumes/12`, or its list and label. */
  missing?: string
  /** It was sent, and no answer of the service tells whether it was done. */
  mayBeDone?: true
  /** Several of several targets; undefined where nothing stands any more. */
  created?: Created | readonly Created[] | undefined
  /** What was printed before the failure is not all of it. */
  incomplete?: true
  /** What the change was answered with before a wait for it failed: it is printed all the same. */
  answer?: Record<string, unknown>
  /** With several targets: what failed for which. */
  failures?: Failure[]
  /** The last line for a person, below those of the failures, where that is not the message: `4 of 5 deleted`. */
  summary?: string
  cause?: unknown
}

export class Problem extends Error {
  readonly code: Code
  readonly details: Omit<Details, 'cause'>

  constructor(code: Code, message: string, { cause, ...details }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Problem'
    this.code = code
    this.details = details
  }

  get exitCode(): number {
    return exitCodes[this.code]
  }
}

/**
 * Whether an error is the API's own "not found" for an object, or a list read whole that lacks its label. Nothing else
 * means that the object is gone: not a missing context, a list that is not found, or a page of some gateway. `places`
 * are the paths that name the object, where the request may have been about another one.
 */
export function isGone(error: unknown, places?: readonly string[]): error is Problem & { code: 'not_found' } {
  if (!(error instanceof Problem) || error.code !== 'not_found') return false
  const { missing } = error.details
  return missing !== undefined && (places === undefined || places.includes(missing))
}

/** Whether something was refused, whatever the cause: by the API, by a precondition, or by a person. */
export function isRefusal(error: unknown): error is Problem & { exitCode: typeof exitCodes.refused } {
  return error instanceof Problem && error.exitCode === exitCodes.refused
}

/** Whether a failure tells of the object: the API has looked at it, so that an earlier attempt would show. */
export function tellsOfObject(code: Code): boolean {
  return code === 'not_found' || exitCodes[code] === exitCodes.refused
}

/** Exit codes of failures before, or in place of, what was asked for. */
const harmless: readonly number[] = (
  ['usage', 'not_signed_in', 'not_allowed', 'not_found', 'refused', 'rate_limited', 'unavailable'] as const
).map((code) => exitCodes[code])

/** Whether a change that failed is known to have changed nothing. */
export function wasNotDone(error: unknown): error is Problem {
  if (!(error instanceof Problem)) return false
  const { mayBeDone, created } = error.details
  return harmless.includes(error.exitCode) && !mayBeDone && created === undefined
}

/** For `catch`: what ends in a problem is gone on without; a defect is thrown on. */
export function passOver(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
  return undefined
}

/** What is given; undefined where that ends in a problem. A defect is thrown on. */
export function ifPossible<T>(give: () => T): T | undefined {
  try {
    return give()
  } catch (error) {
    return passOver(error)
  }
}

/** A program that was run for the user has ended: its exit code is ours, and there is nothing to say of it. */
export class ProgramEnded extends Error {
  constructor(readonly exitCode: number) {
    super(`the program ended with ${exitCode}`)
    this.name = 'ProgramEnded'
  }
}

/** What failed, and for which target: the service's own words seldom name it. */
export function failureText({ target, problem: { message } }: Failure): string {
  const named = message.includes(`"${target}"`) || (/\d/.test(target) && message.split(/[\s;()]/).includes(target))
  return named ? message : `${target}: ${message}`
}

/**
 * A problem as scripts read it (interface.md, Errors). A request that can be repeated does not make its command line
 * repeatable: another request of the line may have created something, or may have been done.
 */
export function problemRecord(problem: Problem): Record<string, unknown> {
  const { status, errors, request, retryable, hint, failures, created, incomplete } = problem.details
  return {
    code: problem.code,
    message: problem.message,
    exit_code: problem.exitCode,
    status: status ?? null,
    errors: errors ?? [],
    request: request ?? null,
    retryable: retryable === true && created === undefined && problem.code !== 'outcome_unknown',
    hint: hint ?? null,
    ...(created && { created }),
    ...(incomplete && { incomplete }),
    ...(failures && {
      failures: failures.map(({ target, problem }) => ({ target, error: problemRecord(problem) })),
    }),
  }
}
