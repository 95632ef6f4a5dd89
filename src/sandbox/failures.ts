/** Failures on request: `{ status: 429, count: 3 }` makes the next three requests fail with 429. */
export interface Failure {
  status: number
  count: number
  /** Only requests whose path, relative to the base URL, begins with it. */
  path?: string
}

/** Gives each request the status that it must fail with, in the order of the list, until all are used up. */
export function failureQueue(failures: readonly Failure[]): (path: string) => number | undefined {
  const left = failures.map((failure) => ({ ...failure }))
  return (path) => {
    const next = left.find((failure) => failure.count > 0 && path.startsWith(failure.path ?? ''))
    if (next === undefined) return undefined
    next.count -= 1
    return next.status
  }
}
