/** Describes failures: of one of several targets, of a command that was done in part, and for scripts. */
import { Problem, type TargetFailure } from '.'

/** Names the target of a failure: the service's messages seldom do. */
export function failureText({ target, problem: { message }, isPlace }: TargetFailure): string {
  if (isPlace) return `${target}: ${message}`
  const named = message.includes(`"${target}"`) || (/\d/.test(target) && message.split(/[\s;()]/).includes(target))
  return named ? message : `${target}: ${message}`
}

/**
 * Returns the problem of a command that was done in part; the summary says how much. Waits alone can be repeated if each
 * of them can.
 */
export function someFailed(failures: TargetFailure[], summary: string): Problem {
  const message = `${summary}: ${failures
    .filter(({ tried }) => tried)
    .map(failureText)
    .join('; ')}`
  const areWaits = failures.every(({ problem: { code } }) => code === 'wait_timed_out')
  if (!areWaits) return new Problem('some_failed', message, { failures, summary })
  const retryable = failures.every(({ problem: { details } }) => details.retryable === true)
  return new Problem('wait_timed_out', message, { failures, summary, retryable })
}

/**
 * Returns a problem for scripts (interface.md, Errors). A request that can be retried does not make its command
 * retryable: another request of the command may have created something, or may have succeeded.
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
    created,
    incomplete,
    ...(failures && {
      failures: failures.map(({ target, problem }) => ({ target, error: problemRecord(problem) })),
    }),
  }
}
