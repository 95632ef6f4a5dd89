import type { FieldError } from '../errors'

/** Error answer. Throwing it rolls back the request's changes. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly errors: readonly FieldError[],
  ) {
    super(errors.map(({ field, reason }) => (field === null ? reason : `${field}: ${reason}`)).join('; '))
    this.name = 'Refusal'
  }
}

/** Creates a 400 for a violated rule of api.md; the status is the same for all rules (gaps.md, Status codes). */
export const refusal = (field: string | null, reason: string) => new ApiRefusal(400, [{ field, reason }])

/** Result of a rule check with the field to report. A rule holds if `broken` is false or undefined. */
export type RuleCheck = readonly [broken: boolean | undefined, field: string, reason: string]

/** Throws one Refusal with all broken rules. */
export function refuseBroken(faults: readonly RuleCheck[]): void {
  const errors = faults.flatMap(([broken, field, reason]) => (broken ? [{ field, reason }] : []))
  if (errors.length > 0) throw new ApiRefusal(400, errors)
}

/** Runs all steps, then throws one Refusal with all their errors. A status other than 400 is thrown at once. */
export function all(...steps: readonly (() => void)[]): void {
  const errors: FieldError[] = []
  for (const step of steps) {
    try {
      step()
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.status !== 400) throw error
      errors.push(...error.errors)
    }
  }
  if (errors.length > 0) throw new ApiRefusal(400, errors)
}

export const refusedAs = (status: number, reason: string) => new ApiRefusal(status, [{ field: null, reason }])

export const notFound = () => refusedAs(404, 'Not found')
export const forbidden = () => refusedAs(403, 'Unauthorized')
export const invalidToken = () => refusedAs(401, 'Invalid Token')
export const missingScope = () => refusedAs(401, 'Your OAuth token is not authorized to use this endpoint.')
export const tooManyRequests = () => refusedAs(429, 'Too many requests')

/** Returns the record; 404 if it is undefined. */
export function orNotFound<R>(record: R | undefined): R {
  if (record === undefined) throw notFound()
  return record
}
