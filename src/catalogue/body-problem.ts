/** Creates the problem of a request that cannot be sent. */
import { type ErrorCode, type FieldError, Problem } from '../errors'

/** Names fields by what sets them; without it they are named as in the API. */
export interface FieldNaming {
  field(name: string): string
  reason(text: string): string
  /** Returns how to set the fields that are missing. */
  hint(errors: readonly FieldError[]): string | undefined
  /** Returns what sets the missing fields; undefined if something else is wrong. */
  lacks(errors: readonly FieldError[]): readonly string[] | undefined
}

interface BodyProblemOptions {
  naming?: FieldNaming | undefined
  code?: ErrorCode
  hint?: string | undefined
}

/** Creates the problem of a body that cannot be sent, with all errors in one message; `usage` unless `code` is set. */
export function bodyProblem(errors: FieldError[], { naming, code = 'usage', hint }: BodyProblemOptions = {}): Problem {
  const messages = errors.map(({ field, reason }) => {
    if (field === null) return reason
    const name = naming ? naming.field(field) : field
    if (reason.startsWith(field)) return reason.replace(field, () => name)
    return `${name}: ${lower(naming ? naming.reason(reason) : reason)}`
  })
  const next = hint ?? naming?.hint(errors)
  const lacks = naming?.lacks(errors)
  return new Problem(code, messages.join('; '), { errors, ...(next && { hint: next }), ...(lacks && { lacks }) })
}

function lower(reason: string): string {
  return reason.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
}
