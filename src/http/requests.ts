/** Builds requests: path, headers and body. */
import type { Idempotency, Method, Operation, Schema } from '../catalogue/operation'
import { formatJson } from '../data/json'
import { fillPath, queryText, wirePath } from './request-path'
import type { ClientSettings } from './settings'

export interface Request {
  method: Method
  /** Below the base URL, with its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
  idempotency: Idempotency
  /** Requests with the same name share a rate limit: method and path template. */
  family?: string
  /** Base URL of the same origin in place of the client's. */
  base?: string
  /** True if the request must not be retried. */
  once?: true
  /** Aborts a read that is no longer needed. */
  signal?: AbortSignal
  /** Called after every 429. */
  onLimited?: () => void
  /** Maximum size of an answer that announces its size, in bytes. */
  mostBytes?: number
}

export interface Call {
  /** Values of the path parameters. */
  path?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean>>
  body?: unknown
  /** Values that the answer must repeat although the body does not have them: a copy has the size of its source. */
  expected?: Readonly<Record<string, unknown>> | undefined
  /** Header `X-Filter`. The service may ignore it, so the caller must check the results. */
  filter?: Readonly<Record<string, unknown>>
  /** Fields that the caller needs in the answer, dotted, in addition to the operation's essential ones. */
  essential?: readonly string[]
  /** Gets the records of a list that lack such fields, with the reason; without it, the list cannot be read. */
  onUnreadable?: ((record: Readonly<Record<string, unknown>>, reason: string) => void) | undefined
}

export interface Sending {
  method: Method
  /** Below the base URL, with its query. */
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  idempotency: Idempotency
  /** Schema of the answer, if the operation is known: then an answer that should not be empty is refused. */
  returns?: Schema | undefined
}

/** Builds the request of an operation. Throws `usage` for an invalid path parameter. */
export async function requestOf(
  { method, path, idempotency, isPublic }: Operation,
  { path: values = {}, query, body, filter }: Call,
  { baseUrl, userAgent, token }: ClientSettings,
): Promise<Request> {
  const sending = { method, path: (await fillPath(path, values)) + queryText(query), idempotency, body }
  const headers: Record<string, string> = filter ? { 'x-filter': await asciiJson(filter) } : {}
  const request = await buildRequest(
    { ...sending, headers },
    { baseUrl, userAgent, ...(token && !isPublic && { token }) },
  )
  return { ...request, family: familyOf({ method, path }) }
}

/** Builds any request. Throws `usage` for an invalid path. */
export async function buildRequest(
  { method, path, body, headers, idempotency }: Sending,
  { baseUrl, token, userAgent }: Pick<ClientSettings, 'baseUrl' | 'token' | 'userAgent'>,
): Promise<Request> {
  return {
    method,
    path: wirePath(baseUrl, path),
    idempotency,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: await formatJson(body, 0) }),
  }
}

/** Names requests that the API counts together, by their method and path template. */
export const familyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Formats JSON in ASCII, for a header. */
async function asciiJson(value: unknown): Promise<string> {
  const json = await formatJson(value, 0)
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
