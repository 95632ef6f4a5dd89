/** Handles one API request from token to answer, in the service's order of checks. */

import { isUtf8 } from 'node:buffer'
import { checkValue } from '../catalogue/check'
import { type Operation, parametersOf } from '../catalogue/operation'
import { parseId } from '../rules/ids'
import { isRecord } from '../rules/records'
import { covers } from '../rules/scope-cover'
import { type Caller, callerOf, mayAdd, permissionOf } from './caller'
import { eventRecorder } from './events'
import type { Faults } from './faults'
import type { AnswerWarning, Need, Served } from './handler'
import { readLeniently, toleratedInput, warningHeader } from './lenient-input'
import type { Allowance, RateLimiter } from './limits'
import { pageRequest } from './pages'
import { ApiRefusal, forbidden, invalidToken, missingScope, notFound, refusal, tooManyRequests } from './refusal'
import type { Entity, UserRecord } from './tables/users'
import type { World } from './world'

export interface Incoming {
  parameter(name: string): string | undefined
  query: URLSearchParams
  header(name: string): string | undefined
  /** Returns the parsed body; throws a Refusal if it is unreadable. An empty body counts as an empty object. */
  body(): unknown
  /** Sets a header of the answer, successful or not. */
  answerHeader(name: string, value: string): void
}

export interface Rules {
  world: World
  /** True to reject undocumented input that real clients send. */
  strict: boolean
  limiter: RateLimiter
  faults: Faults
}

export interface Reply {
  /** 299 is a success with `warnings` in the body. */
  status: 200 | 299
  /** Body; null for status 204. */
  body: object | null
}

/** Only paged operations answer with a list. */
const unpaged = pageRequest(new URLSearchParams(), undefined)

/** Returns the answer to a successful request; throws a Refusal otherwise. */
export function answer(served: Served, exchange: Incoming, rules: Rules): Reply {
  const { operation, needs, event, handle } = served
  const caller = admit(operation, exchange, rules)
  const page = operation.paged
    ? pageRequest(exchange.query, readFilter(exchange, rules), operation.filterable)
    : unpaged
  const sent = operation.method === 'GET' ? {} : exchange.body()
  const parameters = readParameters(served, exchange)
  if (caller) for (const need of needs) allow(caller.user, need, parameters)
  const { fields, ignored } = readFields(served, sent, rules)
  const input = { ...readQuery(operation, exchange, rules), ...fields, ...parameters }
  const warnings: AnswerWarning[] = []
  const { world } = rules
  const record = caller && eventRecorder(event, input, { world, caller })
  const result = handle(input, { world, caller, warn: (warning) => warnings.push(warning) })
  const answered = typeof result === 'function' ? result(page) : result
  record?.(answered)
  if (ignored.length > 0) exchange.answerHeader('Warning', warningHeader(ignored))
  const status = warnings.length > 0 ? 299 : 200
  const allWarnings = [...warnings, ...ignored]
  return { status, body: allWarnings.length > 0 ? { ...answered, warnings: allWarnings } : answered }
}

/** Returns the body's fields, and warnings about ignored keys. */
function readFields({ operation, refusesUnknownKeys }: Served, sent: unknown, { strict }: Rules) {
  const { body } = operation
  if (body === undefined) return { fields: {}, ignored: [] }
  const { ignored, ...liberties } = toleratedInput(operation, refusesUnknownKeys)
  const fields = strict ? sent : readLeniently(body, sent, liberties)
  const problems = checkValue(body, fields)
  if (problems.length > 0) throw new ApiRefusal(400, problems)
  return { fields: isRecord(fields) ? fields : {}, ignored }
}

/**
 * Reads the filter, JSON in UTF-8. Except in strict mode, an empty header means no filter, and one that is not UTF-8 is
 * Latin-1, as JavaScript's HTTP clients write headers.
 */
function readFilter({ header }: Incoming, { strict }: Rules): string | undefined {
  const sent = header('x-filter')
  if (!sent) return strict ? sent : undefined
  // Header values arrive with one byte per character.
  const bytes = Buffer.from(sent, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  if (strict) throw refusal('X-Filter', 'Filter not valid JSON')
  return sent
}

/** Checks token, scopes and rate limit. */
function admit(operation: Operation, exchange: Incoming, { world, limiter, faults }: Rules): Caller | undefined {
  const caller = callerOf(exchange.header('authorization'), world)
  exchange.answerHeader('X-OAuth-Scopes', caller?.scopes.join(' ') ?? 'unknown')
  exchange.answerHeader('X-Accepted-OAuth-Scopes', operation.scopes.join(',') || '*')
  const allowance = faults.rateLimit ? limiter.count(caller?.token ?? '', operation) : limiter.uncounted(operation)
  tellAllowance(allowance, exchange)
  if (!operation.isPublic) {
    if (caller === undefined) throw invalidToken()
    if (!operation.scopes.every((scope) => covers(caller.scopes, scope))) throw missingScope()
  }
  if (allowance.exceeded) {
    exchange.answerHeader('Retry-After', String(allowance.reset - Math.floor(world.clock.now() / 1000)))
    throw tooManyRequests()
  }
  return caller
}

function tellAllowance({ limit, remaining, reset }: Allowance, exchange: Incoming): void {
  exchange.answerHeader('X-RateLimit-Limit', String(limit))
  exchange.answerHeader('X-RateLimit-Remaining', String(remaining))
  exchange.answerHeader('X-RateLimit-Reset', String(reset))
}

type PathParameters = Record<string, string | number>

function readParameters({ operation: { path }, readers }: Served, exchange: Incoming): PathParameters {
  const parameters: PathParameters = {}
  for (const name of parametersOf(path)) {
    const text = exchange.parameter(name) ?? ''
    const value = (readers[name] ?? parseId)(text)
    if (value === undefined) throw notFound()
    parameters[name] = value
  }
  return parameters
}

/** Reads the operation's query fields; ./pages reads `page` and `page_size`. */
function readQuery({ query: schema }: Operation, { query }: Incoming, { strict }: Rules): object {
  if (schema === undefined) return {}
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(schema.entries)) {
    const text = query.get(name)
    if (text !== null) values[name] = booleanIn(text, strict) ?? text
  }
  const problems = checkValue(schema, values)
  if (problems.length > 0) throw new ApiRefusal(400, problems)
  return values
}

/** Parses a boolean. Python clients send `True` and `False`. */
function booleanIn(text: string, strict: boolean): boolean | undefined {
  if (text === 'true' || (text === 'True' && !strict)) return true
  return text === 'false' || (text === 'False' && !strict) ? false : undefined
}

/** Path parameters whose objects can have grants. */
const entities: Record<string, Entity> = { volumeId: 'volume', firewallId: 'firewall' }

/** Checks the user's grants: 404 if an object is not visible to the user, 403 if the permission is insufficient. */
function allow(user: UserRecord, need: Need, parameters: PathParameters): void {
  if (need !== 'read_only' && need !== 'read_write') {
    if (!mayAdd(user, need)) throw forbidden()
    return
  }
  for (const [name, id] of Object.entries(parameters)) {
    const entity = entities[name]
    if (entity === undefined) continue
    const permission = permissionOf(user, entity, Number(id))
    if (permission === null) throw notFound()
    if (need === 'read_write' && permission === 'read_only') throw forbidden()
  }
}
