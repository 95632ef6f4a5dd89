import type { FieldError } from '../errors'

/** An error answer. It is thrown by the rule that does not hold, and undoes whatever its request had changed. */
export class Refusal extends Error {
  readonly status: number
  readonly errors: readonly FieldError[]

  constructor(status: number, errors: readonly FieldError[]) {
    super(errors.map(({ field, reason }) => (field === null ? reason : `${field}: ${reason}`)).join('; '))
    this.name = 'Refusal'
    this.status = status
    this.errors = errors
  }
}

/** A rule of the document does not hold: 400, whatever the kind of rule (gaps.md, Status codes). */
export const refusal = (field: string | null, reason: string) => new Refusal(400, [{ field, reason }])

/** A rule, with the field that is to blame where it does not hold; what is undefined holds. */
export type Fault = readonly [broken: boolean | undefined, field: string, reason: string]

/** Refuses with all that is broken at once. */
export function refuseBroken(faults: readonly Fault[]): void {
  const errors = faults.flatMap(([broken, field, reason]) => (broken ? [{ field, reason }] : []))
  if (errors.length > 0) throw new Refusal(400, errors)
}

/** Does all of these, and refuses with everything that any of them refuses; another status ends them at once. */
export function all(...steps: readonly (() => void)[]): void {
  const errors: FieldError[] = []
  for (const step of steps) {
    try {
      step()
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error
      errors.push(...error.errors)
    }
  }
  if (errors.length > 0) throw new Refusal(400, errors)
}

/** Any other status, with one reason. */
export const refusedAs = (status: number, reason: string) => new Refusal(status, [{ field: null, reason }])

export const notFound = () => refusedAs(404, 'Not found')
export const forbidden = () => refusedAs(403, 'Unauthorized')
export const invalidToken = () => refusedAs(401, 'Invalid Token')
export const missingScope = () => refusedAs(401, 'Your OAuth token is not authorized to use this endpoint.')
export const tooManyRequests = () => refusedAs(429, 'Too many requests')

/** The record that a path names; 404 where there is none. */
export function found<R>(record: R | undefined): R {
  if (record === undefined) throw notFound()
  return record
}
