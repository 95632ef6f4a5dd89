/**
 * Reads answers one at a time, and reports the API's warnings. It tolerates unexpected content, but requires the fields
 * that skyctl needs.
 */
import { isUtf8 } from 'node:buffer'
import { normalize, normalizeList, SchemaMismatch } from '../catalogue/normalize'
import { essentialOf, type Operation, partsOf, type Schema } from '../catalogue/operation'
import { parseJson } from '../data/json'
import { keepHeapSmall, LimitExceeded, NumberTooLarge, TooDeep } from '../data/memory-limits'
import { isRecord } from '../rules/records'
import { parseHttpDate } from './http-date'
import { type Fail, failing, type RequestSummary } from './problems'
import type { Redactor } from './redact'
import { isSuccess } from './retry'
import type { RequestResult } from './retrying-request'
import type { ClientSettings } from './settings'
import type { WireAnswer } from './transport'

/** Limits for one answer: bytes, compressed and decompressed, and the memory of its parsed body. */
export interface BodyLimits {
  bytes: number
  memory: number
}

/** A parsed body, and the length of its text in bytes. */
export interface ParsedBody {
  /** Integers are exact; undefined for an empty body. */
  body: unknown
  bytes: number
}

export class Reader {
  /** The API's time in milliseconds since the epoch, from its last answer. */
  serviceTime: number | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly settings: ClientSettings,
    private readonly limits: BodyLimits,
    private readonly redactor: Redactor,
  ) {}

  /** Reads the body of a successful answer; throws the problem of a failed one. */
  async read(answered: RequestResult, operation?: Operation): Promise<ParsedBody> {
    const { answer } = answered
    const { clock, warn } = this.settings
    this.serviceTime = parseHttpDate(answer.headers.date ?? '', clock.now()) ?? this.serviceTime
    if (!isSuccess(answer)) throw await this.#refusal(answered, operation)
    const parsedBody = await this.#readInTurn(answered)
    for (const { title, details } of readWarnings(answer, parsedBody.body)) {
      const redactedDetails = details === undefined ? {} : { details: this.redactor.text(details) }
      warn?.({ title: this.redactor.text(title), ...redactedDetails })
    }
    return parsedBody
  }

  async #refusal(answered: RequestResult, operation: Operation | undefined) {
    const { answer, summary, lostBefore } = answered
    const { body } = await this.#readInTurn(answered).catch(() => ({ body: undefined }))
    const { errorsIn } = await import('./error-body')
    const { errors, byTheApi } = errorsIn(body)
    const apiErrors = { errors: errors.map((error) => this.redactor.error(error)), byTheApi }
    const { clock, token, tokenVariable, context } = this.settings
    const caller = { signedIn: Boolean(token), tokenVariable, context, now: clock.now() }
    const { errorFromResponse } = await import('./response-errors')
    return errorFromResponse({ summary, answer, apiErrors, operation, lostBefore, ...caller })
  }

  /** Decompresses and parses one answer at a time: many decompression bombs at once are no worse than one. */
  #readInTurn({ answer, summary }: RequestResult): Promise<ParsedBody> {
    const turn = this.#turn.then(() => readBody(answer, summary, this.limits)).finally(answer.release)
    this.#turn = turn.catch(() => {})
    return turn
  }
}

/** Parses the body as JSON. Throws if it is invalid: `not_the_api` if it does not even begin like JSON. */
export async function readBody(
  answer: WireAnswer,
  summary: RequestSummary,
  { bytes: most, memory }: BodyLimits,
): Promise<ParsedBody> {
  const fail = failing(summary, answer.status)
  const bytes = await unpacked(answer, most, fail)
  if (bytes.length === 0) return { body: undefined, bytes: 0 }
  if (!isUtf8(bytes)) throw fail('it is not UTF-8')
  await keepHeapSmall(bytes.length)
  // Without a byte order mark.
  const text = bytes.toString().replace(/^\ufeff/, '')
  try {
    return { body: await parseJson(text, memory), bytes: bytes.length }
  } catch (error) {
    // An error holds the functions of its stack, and so the text: where ever smaller pages are read, one after the other.
    if (error instanceof LimitExceeded)
      throw fail(error.message, 'too_large', error instanceof TooDeep ? error : undefined)
    if (error instanceof NumberTooLarge) throw fail(error.message)
    const type = answer.headers['content-type']
    const what = `it is not JSON${type && !type.includes('json') ? ` but ${type}` : ''}`
    throw /^\s*[{[]/.test(text) ? fail(what) : fail(what, 'not_the_api')
  }
}

/** The operation as a caller needs it. */
export const needing = (operation: Operation, { essential }: { essential?: readonly string[] }): Operation =>
  essential ? { ...operation, essential: [...essentialOf(operation), ...essential] } : operation

async function unpacked({ headers, body }: WireAnswer, maxOutputLength: number, fail: Fail): Promise<Buffer> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity' || body.length === 0) return body
  if (encoding !== 'gzip') throw fail(`it has the encoding ${encoding}, which was not requested`)
  const { gunzip } = await import('node:zlib')
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength }, (error, bytes) => {
      if (!error) return resolve(bytes)
      const bomb = 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      const most = `it is over ${maxOutputLength / 2 ** 20} MiB when unpacked`
      reject(bomb ? fail(most, 'too_large') : fail('its gzip data is invalid or truncated'))
    })
  })
}

/**
 * Validates the body of a successful answer, and returns it in the operation's schema. Only a 204 may mean "nothing".
 */
export function normalizeBody(
  operation: Operation,
  { status, body }: { status: number; body: unknown },
  fail: Fail,
): unknown {
  const { returns } = operation
  expectBody(returns, { status, body }, fail)
  if (partsOf(returns).item) {
    const items = isRecord(body) ? body.data : body
    if (items !== undefined) return record(operation, items, fail)
    throw fail('it is not a list')
  }
  if (body === undefined) return isEmptyObject(returns) ? {} : null
  // null is not the API's answer for "nothing"; that is a 204 (gaps.md, On the wire).
  if (body === null) throw fail('it is null')
  if (isErrorBody(body)) throw fail('it reports errors with a success status')
  return record(operation, body, fail)
}

/** Validates a value against the operation's schema; may change it in place. */
function record(operation: Operation, value: unknown, fail: Fail): unknown {
  try {
    return normalize(operation.returns, value, essentialOf(operation))
  } catch (error) {
    throw error instanceof SchemaMismatch ? fail(error.message) : error
  }
}

/**
 * Validates the items of a page against the operation's schema; may change them in place. Records that do not fit are
 * added to `unreadable` with the reason; without it they fail.
 */
export function normalizeItems(
  operation: Operation,
  items: unknown[],
  fail: Fail,
  unreadable?: Map<unknown, string>,
): unknown[] {
  try {
    if (unreadable) return items.map((item) => itemOrReason(operation, item, unreadable))
    return normalizeList(operation.returns, items, essentialOf(operation))
  } catch (error) {
    throw error instanceof SchemaMismatch ? fail(error.within('data').message) : error
  }
}

function itemOrReason(operation: Operation, item: unknown, unreadable: Map<unknown, string>): unknown {
  try {
    return normalize(operation.returns, item, essentialOf(operation))
  } catch (error) {
    if (!(error instanceof SchemaMismatch) || !isRecord(item)) throw error
    unreadable.set(item, error.message)
    return item
  }
}

/**
 * Reports whether a body has only errors, as in api.md. Preferences are any object, and may have a key of that name.
 */
function isErrorBody(body: unknown): boolean {
  if (!isRecord(body) || !Array.isArray(body.errors) || Object.keys(body).length > 1) return false
  return body.errors.length > 0 && body.errors.every((error) => isRecord(error) && typeof error.reason === 'string')
}

/** Throws for an empty answer that should not be: it proves nothing. */
export function expectBody(returns: Schema, { status, body }: { status: number; body: unknown }, fail: Fail): void {
  if (body === undefined && !mayBeEmpty(returns, status)) throw fail('it is empty', 'not_the_api')
}

const mayBeEmpty = (returns: Schema, status: number) =>
  status === 204 && (isEmptyObject(returns) || returns.type === 'nullable')

function isEmptyObject(schema: Schema): boolean {
  return schema.type === 'loose_object' && Object.keys(partsOf(schema).entries ?? {}).length === 0
}

/** Reads the warnings of a 202, a 299, or a success with a `Warning` header (gaps.md, On the wire). */
export function readWarnings({ status, headers }: WireAnswer, body: unknown): { title: string; details?: string }[] {
  const warned = status === 202 || status === 299 || headers.warning?.startsWith('299 ')
  if (!warned || !isRecord(body) || !Array.isArray(body.warnings)) return []
  return body.warnings.flatMap((warning) => {
    if (!isRecord(warning) || typeof warning.title !== 'string') return []
    return [{ title: warning.title, ...(typeof warning.details === 'string' && { details: warning.details }) }]
  })
}
