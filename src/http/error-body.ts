/** Reads the errors in the body of a failed answer. */
import type { FieldError } from '../errors'
import { isRecord } from '../rules/records'

/** Errors of a failed request. */
export interface ApiErrors {
  errors: FieldError[]
  /** True if the body has the form that the API uses for failures (api.md, Errors 1), not a proxy's or a gateway's. */
  byTheApi: boolean
}

/** Returns the errors in a body, also if they are malformed. */
export function errorsIn(body: unknown): ApiErrors {
  const errors = isRecord(body) ? body.errors : undefined
  const listed = [errors].flat().flatMap((error): FieldError[] => {
    if (typeof error === 'string') return [{ field: null, reason: error }]
    if (!isRecord(error) || typeof error.reason !== 'string') return []
    return [{ field: typeof error.field === 'string' && error.field !== '' ? error.field : null, reason: error.reason }]
  })
  const byTheApi = Array.isArray(errors) && errors.some((error) => isRecord(error) && typeof error.reason === 'string')
  const more = listed.length - mostErrors
  const rest = { field: null, reason: `${more} more ${more === 1 ? 'error is' : 'errors are'} not shown` }
  return { errors: more > 0 ? [...listed.slice(0, mostErrors), rest] : listed, byTheApi }
}

/** Maximum number of errors to show. */
const mostErrors = 100
