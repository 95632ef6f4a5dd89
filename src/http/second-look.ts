/**
 * Looks at what a DELETE or a PUT has done whose success cannot be read: cut, empty, or not the API's. The object is at
 * the path of the request.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Operation, partsOf } from '../catalogue/operation'
import { isGone, passOver } from '../errors'
import { isRecord } from '../rules/records'

/**
 * Resolves to what is as good as the answer, or to undefined where it cannot be seen that the change is done; `read`
 * reads the object as it is now.
 */
export async function secondLook(operation: Operation, body: unknown, read: () => Promise<unknown>): Promise<unknown> {
  if (operation.method !== 'PUT' && operation.method !== 'DELETE') return undefined
  try {
    const record = await read()
    return operation.method === 'PUT' && shows(record, body, operation) ? record : undefined
  } catch (error) {
    return operation.method === 'DELETE' && isGone(error) ? {} : passOver(error)
  }
}

/** Whether a record has all that was sent; of an object of any keys, nothing else. */
function shows(record: unknown, body: unknown, { returns }: Operation): boolean {
  if (!isRecord(record) || !isRecord(body)) return false
  if (Object.keys(partsOf(returns).entries ?? {}).length === 0) return isDeepStrictEqual(record, body)
  return Object.entries(body).every(([field, value]) => isDeepStrictEqual(inAnyOrder(record[field]), inAnyOrder(value)))
}

/** Lists of texts, such as tags, have no order. */
function inAnyOrder(value: unknown): unknown {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...value].sort() : value
}
