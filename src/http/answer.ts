/** Reads answers: liberal in what they hold, strict in that they must hold something that makes sense. */
import { isUtf8 } from 'node:buffer'
import { essentialOf, type Operation, partsOf, type Schema } from '../catalogue/operation'
import { Misshapen, shape, shapeList } from '../catalogue/shape'
import { NumberTooLarge, type Room, TooLarge } from '../data/bounds'
import { parsedWithin } from '../data/json'
import type { FieldError } from '../errors'
import { isRecord } from '../rules/records'
import { type Asked, type Fail, failing } from './problems'
import type { WireAnswer } from './transport'

/** How much of an answer is taken: bytes, packed and unpacked, and what they come to. */
export interface Taken {
  bytes: number
  room: Room
}

/** What an answer holds, and how many bytes of memory that takes. */
export interface Held {
  /** Integers are exact; undefined where the body is empty. */
  body: unknown
  memory: number
}

/** The body as JSON; throws where it is none: `not_the_api` where it is not even cut JSON. */
export async function readBody(answer: WireAnswer, asked: Asked, { bytes: most, room }: Taken): Promise<Held> {
  const fail = failing(asked, answer.status)
  const bytes = await unpacked(answer, most, fail)
  if (bytes.length === 0) return { body: undefined, memory: 0 }
  if (!isUtf8(bytes)) throw fail('it is not UTF-8')
  const text = textOf(bytes)
  try {
    const { value, memory } = parsedWithin(text, room)
    return { body: value, memory }
  } catch (error) {
    if (error instanceof TooLarge) throw fail(error.message, 'too_large')
    if (error instanceof NumberTooLarge) throw fail(error.message)
    const type = answer.headers['content-type']
    const what = `it is not JSON${type && !type.includes('json') ? ` but ${type}` : ''}`
    throw /^\s*[{[]/.test(text) ? fail(what) : fail(what, 'not_the_api')
  }
}

/** Without a byte order mark. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

async function unpacked({ headers, body }: WireAnswer, maxOutputLength: number, fail: Fail): Promise<Buffer> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity' || body.length === 0) return body
  if (encoding !== 'gzip') throw fail(`it is packed as ${encoding}, which was not asked for`)
  const { gunzip } = await import('node:zlib')
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength }, (error, bytes) => {
      if (!error) return resolve(bytes)
      const bomb = 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      const most = `it is over ${maxOutputLength / 2 ** 20} MiB when unpacked`
      reject(bomb ? fail(most, 'too_large') : fail('it is no gzip, or cut'))
    })
  })
}

/** The body of a successful answer, in the shape that is promised: only a 204 says that there is nothing to tell. */
export function shaped(operation: Operation, { status, body }: { status: number; body: unknown }, fail: Fail): unknown {
  const { returns } = operation
  if (body === undefined && !mayBeEmpty(returns, status)) throw fail('it is empty', 'not_the_api')
  if (partsOf(returns).item) {
    const items = isRecord(body) ? body.data : body
    if (items !== undefined) return record(operation, items, fail)
    throw fail('it is no list')
  }
  if (body === undefined) return isEmptyObject(returns) ? {} : null
  // Nothing is an answer of its own: a 204 (gaps.md, On the wire).
  if (body === null) throw fail('it is null')
  if (isErrorBody(body)) throw fail('it tells of errors, with a status of success')
  return record(operation, body, fail)
}

/** A value in the shape of what the operation returns; it may be changed in place. */
function record(operation: Operation, value: unknown, fail: Fail): unknown {
  try {
    return shape(operation.returns, value, essentialOf(operation))
  } catch (error) {
    throw error instanceof Misshapen ? fail(error.message) : error
  }
}

/** The items of a page, each in the shape of what the operation returns; they may be changed in place. */
export function shapedItems(operation: Operation, items: unknown[], fail: Fail): unknown[] {
  try {
    return shapeList(operation.returns, items, essentialOf(operation))
  } catch (error) {
    throw error instanceof Misshapen ? fail(error.within('data').message) : error
  }
}

/** Nothing but errors, as api.md describes them; preferences are any object, and may hold a key of that name. */
function isErrorBody(body: unknown): boolean {
  if (!isRecord(body) || !Array.isArray(body.errors) || Object.keys(body).length > 1) return false
  return body.errors.length > 0 && body.errors.every((error) => isRecord(error) && typeof error.reason === 'string')
}

const mayBeEmpty = (returns: Schema, status: number) =>
  isEmptyObject(returns) || (returns.type === 'nullable' && status === 204)

function isEmptyObject(schema: Schema): boolean {
  return schema.type === 'loose_object' && Object.keys(partsOf(schema).entries ?? {}).length === 0
}

/** What an answer tells of a failure. */
export interface Told {
  errors: FieldError[]
  /** Its body is the one that the API sends with a failure (api.md, Errors 1); others may send anything. */
  byTheApi: boolean
}

/** Reads the errors of an answer that tells of a failure, also where they are not told as they should be. */
export async function readErrors(answer: WireAnswer, asked: Asked, taken: Taken): Promise<Told> {
  const { body } = await readBody(answer, asked, taken).catch(() => ({ body: undefined }))
  const errors = isRecord(body) ? body.errors : undefined
  const listed = [errors].flat().flatMap((error): FieldError[] => {
    if (typeof error === 'string') return [{ field: null, reason: error }]
    if (!isRecord(error) || typeof error.reason !== 'string') return []
    return [{ field: typeof error.field === 'string' && error.field !== '' ? error.field : null, reason: error.reason }]
  })
  const byTheApi = Array.isArray(errors) && errors.some((error) => isRecord(error) && typeof error.reason === 'string')
  const more = listed.length - mostErrors
  const rest = { field: null, reason: `${more} more errors are not shown` }
  return { errors: more > 0 ? [...listed.slice(0, mostErrors), rest] : listed, byTheApi }
}

/** Nobody reads more of them at once. */
const mostErrors = 100

/** The caveats of a 202 or 299, and of a success whose header `Warning` says that there are some (gaps.md, On the wire). */
export function readWarnings({ status, headers }: WireAnswer, body: unknown): { title: string; details?: string }[] {
  const warned = status === 202 || status === 299 || headers.warning?.startsWith('299 ')
  if (!warned || !isRecord(body) || !Array.isArray(body.warnings)) return []
  return body.warnings.flatMap((warning) => {
    if (!isRecord(warning) || typeof warning.title !== 'string') return []
    return [{ title: warning.title, ...(typeof warning.details === 'string' && { details: warning.details }) }]
  })
}
