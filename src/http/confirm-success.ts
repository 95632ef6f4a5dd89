/**
 * Checks whether a DELETE or PUT succeeded if its answer is lost or unreadable. It reads the object at the request's
 * path.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Operation, partsOf } from '../catalogue/operation'
import { isGone, Problem, unchecked } from '../errors'
import { isRecord } from '../rules/records'
import { isSuccess } from './retry'

interface Lost {
  /** The body of the request. */
  sent: unknown
  lost: Problem
}

/**
 * Resolves to a substitute for the answer, or to undefined if the object does not show the change; `read` reads the
 * current object. Throws the problem of the lost answer, with its cause, if the object cannot be read.
 */
export async function confirmSuccess(
  operation: Operation,
  { sent, lost }: Lost,
  read: () => Promise<unknown>,
): Promise<unknown> {
  const { method, idempotency } = operation
  if (method !== 'PUT' && method !== 'DELETE') return undefined
  // The caller of a "check first" operation looks itself, unless the API reported success.
  if (idempotency === 'check first' && !isSuccess({ status: Number(lost.details.status) })) return undefined
  try {
    const record = await read()
    return method === 'PUT' && shows(record, sent, operation) ? record : undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (method === 'DELETE' && isGone(error)) return {}
    throw unchecked(lost, error)
  }
}

/** Reports whether a record has all sent values; a record without a schema must equal the body. */
function shows(record: unknown, body: unknown, { returns }: Operation): boolean {
  if (!isRecord(record) || !isRecord(body)) return false
  if (Object.keys(partsOf(returns).entries ?? {}).length === 0) return isDeepStrictEqual(record, body)
  return Object.entries(body).every(([field, value]) => isDeepStrictEqual(inAnyOrder(record[field]), inAnyOrder(value)))
}

/** Sorts lists of strings, such as tags, which have no order. */
function inAnyOrder(value: unknown): unknown {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...value].sort() : value
}
