/**
 * Causes of failure and their exit codes. Code that detects a failure throws a problem. main turns it into one line (or
 * one JSON object) and an exit code.
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
  protected: 6,
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

export type ErrorCode = keyof typeof exitCodes

/**
 * An error in a field: `field` is a path in the API's notation, `rules.inbound[0].ports`; null for the whole, or no
 * field.
 */
export interface FieldError {
  field: string | null
  reason: string
}

/** The failure of one of several targets. */
export interface TargetFailure {
  /** The target as the user typed it. */
  target: string
  problem: Problem
  /** False if the run ended before this target was tried. */
  tried: boolean
  /** True if the target is a line of a file: a message that mentions it does not say that it is about it. */
  isPlace?: true
}

/** A resource that was created before a failure, and still exists. */
export interface Created {
  kind: string
  id: unknown
  label: unknown
}

export interface Details {
  /** The next step, as a sentence. */
  hint?: string
  /** Errors by field, from skyctl's validation or from the service. */
  errors?: FieldError[]
  /** Flags and arguments that the line lacks, if nothing else is wrong with it: `--label`, `--region or --compute-id`. */
  lacks?: readonly string[] | undefined
  /** A word of the line that can be no target. */
  noTarget?: string
  /** The query of the line, if it is one of jq that JMESPath cannot express as simply. */
  jq?: string
  /** An argument of the line, and the words that it should be. */
  otherWord?: readonly [string, ...string[]]
  /** HTTP status of the failed answer. */
  status?: number | undefined
  request?: { method: string; path: string }
  /** True if the request may succeed later unchanged, and a retry has no effect twice: see `problemRecord`. */
  retryable?: boolean
  /** Time that the service asks to wait before the next request, in milliseconds. */
  retryAfterMs?: number | undefined
  /** The object that does not exist, according to the API: its path, `/volumes/12`, or its list and label. */
  missing?: string
  /** True if the change may have been made: a signal ended the run before the answer, or the embedded service broke. */
  mayBeDone?: true
  /** A list if several targets created one; undefined if no created resource exists any more. */
  created?: Created | readonly Created[] | undefined
  /** True if only this object cannot be read: other targets of a command go on. */
  onlyTarget?: true
  /** True if the output before the failure is incomplete. */
  incomplete?: true
  /** The answer to the change, if only what follows it failed, such as a wait: it is printed nevertheless. */
  answer?: Record<string, unknown>
  /** Failures by target, in a command with several targets. */
  failures?: TargetFailure[]
  /** Last line in text output, below the failures, if it is not the message: `4 of 5 deleted`. */
  summary?: string
  cause?: unknown
}

export class Problem extends Error {
  readonly code: ErrorCode
  readonly details: Omit<Details, 'cause'>

  constructor(code: ErrorCode, message: string, { cause, ...details }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Problem'
    this.code = code
    this.details = details
  }

  get exitCode(): number {
    return exitCodes[this.code]
  }

  /** Returns a problem with the same code, and with another message or more details, which this one has caused. */
  with({ message = this.message, ...details }: Details & { message?: string }): Problem {
    return new Problem(this.code, message, { ...this.details, cause: this, ...details })
  }
}

/**
 * Reports whether an error is the API's "not found" for an object, or a fully read list without its label. Only these
 * prove that the object is gone; a missing context, a missing list or a gateway's page does not. `places` are the paths
 * of the object, if the request may have been about another one.
 */
export function isGone(error: unknown, places?: readonly string[]): error is Problem & { code: 'not_found' } {
  if (!(error instanceof Problem) || error.code !== 'not_found') return false
  const { missing } = error.details
  return missing !== undefined && (places === undefined || places.includes(missing))
}

/** Reports whether a problem leaves open which object a name means: none has it, or several have. */
export const isUnresolved = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'not_found' || error.code === 'refused')

/** Reports whether something was refused: by the API, by a precondition, or by the user. */
export function isRefusal(error: unknown): error is Problem & { exitCode: typeof exitCodes.refused } {
  return error instanceof Problem && error.exitCode === exitCodes.refused
}

/** Reports whether a request was refused for now, as its object is busy: no other refusal is retryable. */
export const isBusy = (error: unknown): error is Problem => isRefusal(error) && error.details.retryable === true

/** Reports whether the API has looked at the object, so that the effect of an earlier attempt would show. */
export function tellsOfObject(code: ErrorCode): boolean {
  return code === 'not_found' || exitCodes[code] === exitCodes.refused
}

/** Exit codes of failures before the requested change, or instead of it. */
const harmless: readonly number[] = (
  ['usage', 'not_signed_in', 'not_allowed', 'not_found', 'refused', 'rate_limited', 'unavailable'] as const
).map((code) => exitCodes[code])

/** Reports whether a failed change certainly changed nothing. */
export function wasNotDone(error: unknown): error is Problem {
  if (!(error instanceof Problem)) return false
  const { created, answer } = error.details
  return harmless.includes(error.exitCode) && created === undefined && answer === undefined
}

/** Handler for `catch`: ignores a problem, and rethrows a defect. */
export function ignoreProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
  return undefined
}

/** Returns the value; undefined if a problem is thrown. Rethrows a defect. */
export function ifPossible<T>(give: () => T): T | undefined {
  try {
    return give()
  } catch (error) {
    return ignoreProblem(error)
  }
}

/** Reports whether a request was sent, and its answer was lost. */
export const isLost = (error: unknown): error is Problem => error instanceof Problem && error.code === 'outcome_unknown'

/** Reports whether a failed retry shows that the first request had no effect either; a defect is not hidden. */
export const decides = (error: unknown): boolean => !(error instanceof Problem) || tellsOfObject(error.code)

/** Adds to the problem of a lost answer why the state could not be checked; a defect is not told. */
export function unchecked(lost: Problem, error: unknown): Problem {
  if (!(error instanceof Problem)) return lost
  return lost.with({ message: `${lost.message}; the check failed: ${error.message}`, cause: error })
}

/** A program that ran for the user has exited: skyctl exits with the same code, without a message. */
export class ProgramEnded extends Error {
  constructor(readonly exitCode: number) {
    super(`the program exited with ${exitCode}`)
    this.name = 'ProgramEnded'
  }
}

/** Returns the message with the next step, for warnings about a problem that does not end the run. */
export function hintedText({ message, details: { hint } }: Problem): string {
  return hint ? `${message}. ${hint}` : message
}
