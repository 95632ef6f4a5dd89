/** One request for one operation, from the token to the answer, in the order in which the service checks. */

import { check } from '../catalogue/check'
import { type Operation, parametersOf } from '../catalogue/operation'
import { parseId } from '../rules/ids'
import { covers } from '../rules/scopes'
import { type Caller, callerOf, mayAdd, permissionOf } from './caller'
import type { Faults } from './faults'
import type { Need, Served, Warning } from './handler'
import { cut, libertiesOf, readLiberally, warningHeader } from './liberties'
import type { Allowance, RateLimiter } from './limits'
import { type Listing, pageRequest } from './pages'
import { forbidden, invalidToken, missingScope, notFound, Refusal, tooManyRequests } from './refusal'
import type { Entity, UserRecord } from './tables/users'
import type { World } from './world'

export interface Incoming {
  parameter(name: string): string | undefined
  query: URLSearchParams
  header(name: string): string | undefined
  /** What the body says; Refusal where that is not to be read. An empty one is the same as an empty object. */
  body(): unknown
  /** Sets a header of the answer, whether that tells of success or not. */
  answerHeader(name: string, value: string): void
}

export interface Rules {
  world: World
  /** Whether what real clients send is refused where the document does not name it. */
  strict: boolean
  limiter: RateLimiter
  faults: Faults
}

export interface Reply {
  /** 299: a success with `warnings` in its body. */
  status: 200 | 299
  /** Null: there is none, and the status is 204. */
  body: object | null
}

/** What a request is answered where it succeeds; otherwise a Refusal is thrown. */
export function answer(served: Served, exchange: Incoming, rules: Rules): Reply {
  const { operation, needs, handle } = served
  const caller = admit(operation, exchange, rules)
  const page = operation.paged && pageRequest(exchange.query, readFilter(exchange, rules), operation.filterable)
  const sent = operation.method === 'GET' ? {} : exchange.body()
  const parameters = readParameters(served, exchange)
  if (caller) for (const need of needs) allow(caller.user, need, parameters)
  const { fields, ignored } = readFields(served, sent, rules)
  const input = { ...readQuery(operation, exchange, rules), ...fields, ...parameters }
  const warnings: Warning[] = []
  const result = handle(input, { world: rules.world, caller, warn: (warning) => warnings.push(warning) })
  const answered = (page ? (result as Listing<unknown>)(page) : result) as object | null
  if (ignored.length > 0) exchange.answerHeader('Warning', warningHeader(ignored))
  const status = warnings.length > 0 ? 299 : 200
  const told = [...warnings, ...cut(ignored)]
  return { status, body: told.length > 0 ? { ...answered, warnings: told } : answered }
}

/** The fields of a body, and what was ignored of it. */
function readFields({ operation, refusesUnknownKeys }: Served, sent: unknown, { strict }: Rules) {
  const { body } = operation
  if (body === undefined) return { fields: {}, ignored: [] }
  const { ignored, ...liberties } = libertiesOf(operation, refusesUnknownKeys)
  const fields = strict ? sent : readLiberally(body, sent, liberties)
  const problems = check(body, fields)
  if (problems.length > 0) throw new Refusal(400, problems)
  return { fields: fields as object, ignored }
}

/** An empty header is none, for a service that is not strict. */
function readFilter({ header }: Incoming, { strict }: Rules): string | undefined {
  return header('x-filter') || (strict ? header('x-filter') : undefined)
}

/** Token, scopes, rate limit. */
function admit(operation: Operation, exchange: Incoming, { world, limiter, faults }: Rules): Caller | undefined {
  const caller = callerOf(exchange.header('authorization'), world)
  exchange.answerHeader('X-OAuth-Scopes', caller?.scopes.join(' ') ?? 'unknown')
  exchange.answerHeader('X-Accepted-OAuth-Scopes', operation.scopes.join(',') || '*')
  const allowance = limiter.count(caller?.token ?? 'nobody', operation)
  tellAllowance(allowance, exchange)
  if (!operation.open) {
    if (caller === undefined) throw invalidToken()
    if (!operation.scopes.every((scope) => covers(caller.scopes, scope))) throw missingScope()
  }
  if (faults.rateLimit && allowance.exceeded) {
    exchange.answerHeader('Retry-After', String(Math.max(1, allowance.reset - Math.floor(world.clock.now() / 1000))))
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

/** The query's fields that the operation knows; `page` and `page_size` are read where the page is made. */
function readQuery({ query: schema }: Operation, { query }: Incoming, { strict }: Rules): object {
  if (schema === undefined) return {}
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(schema.entries)) {
    const text = query.get(name)
    if (text !== null) values[name] = booleanIn(text, strict) ?? text
  }
  const problems = check(schema, values)
  if (problems.length > 0) throw new Refusal(400, problems)
  return values
}

/** Python clients write `True` and `False`. */
function booleanIn(text: string, strict: boolean): boolean | undefined {
  if (text === 'true' || (text === 'True' && !strict)) return true
  return text === 'false' || (text === 'False' && !strict) ? false : undefined
}

/** The thing that a path names; the kinds for which a user can hold a grant. */
const entities: Record<string, Entity> = { volumeId: 'volume', firewallId: 'firewall' }

/** What is hidden from the user does not exist for them (404); what they see and may not do is refused (403). */
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
