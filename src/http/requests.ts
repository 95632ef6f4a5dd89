/** Requests as they go out: where to, with which headers and which body. */
import type { Method, Operation, Repeat } from '../catalogue/operation'
import { formatJson } from '../data/json'
import { fillPath, queryText, wirePath } from './path'
import type { Recorded } from './recording'
import type { Settings } from './settings'

export interface Request {
  method: Method
  /** Below the base URL, with its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
  repeat: Repeat
  /** It is tried no second time. */
  once?: true
  /** Stops a read that is not wanted any more. */
  signal?: AbortSignal
  /** Called at every 429. */
  onLimited?: () => void
}

export interface Call {
  /** Fills the holes of the operation's path. */
  path?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean>>
  body?: unknown
  /** `X-Filter`: the service may ignore it, so what it gives is to be checked. */
  filter?: Readonly<Record<string, unknown>>
  /** Fields of the answer that the caller decides by, dotted, besides those that are essential to the operation. */
  essential?: readonly string[]
  /** It is written down already, by one who knows more of it. */
  recorded?: Recorded | undefined
}

export interface Sending {
  method: Method
  /** Below the base URL, with its query. */
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  repeat: Repeat
}

export interface Received {
  status: number
  headers: Record<string, string>
  /** null where there is none. */
  body: unknown
}

/** Throws `usage` where a value does not fit its place in the path. */
export async function requestOf(
  { method, path, repeat, open }: Operation,
  { path: values = {}, query, body, filter }: Call,
  { token, ...settings }: Settings,
): Promise<Request> {
  const sending = { method, path: fillPath(path, values) + queryText(query), repeat, body }
  const headers: Record<string, string> = filter ? { 'x-filter': await asciiJson(filter) } : {}
  return buildRequest({ ...sending, headers }, open ? settings : { ...settings, ...(token && { token }) })
}

/** Throws `usage` where the path is none of the service. */
export async function buildRequest(
  { method, path, body, headers, repeat }: Sending,
  { baseUrl, token, userAgent }: Pick<Settings, 'baseUrl' | 'token' | 'userAgent'>,
): Promise<Request> {
  return {
    method,
    path: wirePath(baseUrl, path),
    repeat,
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

/** A header takes ASCII only, and JSON can be written in it. */
async function asciiJson(value: unknown): Promise<string> {
  const json = await formatJson(value, 0)
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
