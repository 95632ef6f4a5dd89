/** Reads answers: liberal in what they hold, strict in that they must hold something that makes sense. */
import { type Operation, partsOf, type Schema } from '../catalogue/operation'
import { deepest, isTooDeep } from '../data/depth'
import { parseJson } from '../data/json'
import type { FieldError, Problem } from '../errors'
import { isRecord } from '../rules/records'
import { type Asked, senseless } from './problems'
import type { WireAnswer } from './transport'

/** The body as JSON, integers exact; throws `defect` where it is none. An empty body is undefined. */
export async function readBody(answer: WireAnswer, asked: Asked, maxBytes: number): Promise<unknown> {
  const fail = (what: string) => senseless(what, asked, answer.status)
  const bytes = await unpacked(answer, maxBytes, fail)
  if (bytes.length === 0) return undefined
  let text: string
  try {
    // A byte order mark is taken away by the decoder.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fail('it is not UTF-8')
  }
  let value: unknown
  try {
    value = await parseJson(text)
  } catch {
    const type = answer.headers['content-type']
    throw fail(`it is not JSON${type && !type.includes('json') ? ` but ${type}` : ''}`)
  }
  if (isTooDeep(value)) throw fail(`it is nested over ${deepest} levels deep`)
  return value
}

async function unpacked(
  { headers, body }: WireAnswer,
  maxOutputLength: number,
  fail: (what: string) => Problem,
): Promise<Buffer> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity' || body.length === 0) return body
  if (encoding !== 'gzip') throw fail(`it is packed as ${encoding}, which was not asked for`)
  const { gunzip } = await import('node:zlib')
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength }, (error, bytes) => {
      if (!error) return resolve(bytes)
      const bomb = 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      reject(fail(bomb ? `it is over ${maxOutputLength / 2 ** 20} MiB when unpacked` : 'it is no gzip, or cut'))
    })
  })
}

/** The body of a successful answer, as the operation promises it: only a 204 says that there is nothing to tell. */
export function shaped(
  { returns }: Operation,
  { status, body }: { status: number; body: unknown },
  fail: (what: string) => Problem,
): unknown {
  if (returns.type === 'array') {
    const items = isRecord(body) ? body.data : body
    if (Array.isArray(items)) return items
    throw fail('it is no list')
  }
  if (body === undefined) {
    if (returns.type === 'nullable' && status === 204) return null
    if (isEmptyObject(returns)) return {}
    throw fail('it is empty')
  }
  if (isErrorBody(body)) throw fail('it tells of errors, with a status of success')
  return record(returns, body, fail)
}

/** An object as `schema` describes it: of its fields only the one by which it is known is looked at. */
export function record(schema: Schema, value: unknown, fail: (what: string) => Problem): Record<string, unknown> {
  if (!isRecord(value)) throw fail('it is no object')
  if (Object.hasOwn(partsOf(schema).entries ?? {}, 'id') && (value.id === undefined || value.id === null))
    throw fail('it has no id')
  return value
}

/** Nothing but errors, as api.md describes them; preferences are any object, and may hold a key of that name. */
function isErrorBody(body: unknown): boolean {
  if (!isRecord(body) || !Array.isArray(body.errors) || Object.keys(body).length > 1) return false
  return body.errors.length > 0 && body.errors.every((error) => isRecord(error) && typeof error.reason === 'string')
}

function isEmptyObject(schema: Schema): boolean {
  return schema.type === 'loose_object' && Object.keys(partsOf(schema).entries ?? {}).length === 0
}

/** The errors of an answer that tells of a failure; none where it does not tell them as it should. */
export async function readErrors(answer: WireAnswer, asked: Asked, maxBytes: number): Promise<FieldError[]> {
  const body = await readBody(answer, asked, maxBytes).catch(() => undefined)
  const errors = isRecord(body) ? body.errors : undefined
  const listed = [errors].flat().flatMap((error): FieldError[] => {
    if (typeof error === 'string') return [{ field: null, reason: error }]
    if (!isRecord(error) || typeof error.reason !== 'string') return []
    return [{ field: typeof error.field === 'string' && error.field !== '' ? error.field : null, reason: error.reason }]
  })
  const more = listed.length - mostErrors
  return more > 0
    ? [...listed.slice(0, mostErrors), { field: null, reason: `${more} more errors are not shown` }]
    : listed
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
