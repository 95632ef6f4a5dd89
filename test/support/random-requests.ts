/** Random requests: some as in the OpenAPI document, some slightly wrong, some malformed. A seed repeats them. */
import { document, operations } from './openapi-document'
import { randomFrom } from './random'

export interface RandomRequest {
  method: string
  /** Relative to the base URL. */
  path: string
  headers: Record<string, string>
  body?: string
}

interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minLength?: number
  maxLength?: number
}

interface OperationBody {
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

const ids = ['1', '2', '6', '1001', '1007', '2001', '3001', '3002', '3006', '4001', '4004', '4101', '9999']
const names = [
  ...['us-east', 'eu-west', 'nowhere', '192.0.2.11', '192.168.128.11', '2001:db8:100:100::', '::', '192.0.2.32'],
]
const oddSegments = [
  ...['0', '-1', '1e3', '..', '%2e%2e', '%00', '%ff', '%zz', '__proto__', 'constructor', ' ', '９', 'a'.repeat(3000)],
]
const texts = [
  ...['a', 'web', 'data-1', 'us-east', 'US', '+1 202 555 0143', '123456', '192.0.2.31', '192.0.2.0/24', '0.0.0.0/0'],
  ...['::/0'],
  ...['80, 443', '1-65535', 'volumes:read_only', '*', '2027-01-31T12:00:00', 'Europe/Berlin', 'a@example.net'],
  ...['enabled'],
  ...['', ' ', '\u0000', '\ud800', '😀'.repeat(40), '../..', '__proto__', '192.0.2.1/33', 'fe80::1%eth0'],
  ...['٣'.repeat(33)],
]
const oddValues = [null, true, 0, -1, 1.5, 1e300, 2 ** 53, '', 'x', [], {}, [null], { a: { b: [1] } }, [[[[]]]]]
const queries = [
  ...['', '', '', '?page=1', '?page=0', '?page_size=25', '?page_size=1e9', '?page=999999999999999'],
  ...['?skip_ipv6_rdns=maybe'],
]
const filters = [
  ...['{"label":"web"}', '{"+or":[{"label":"a"},{"tags":{"+contains":"b"}}]}', '{', '[]', '{"+order_by":"label"}'],
]
const wildBodies = [
  ...['', '{', 'null', '[]', '"a"', '\u0000', '{"a":', '['.repeat(5000), '{"__proto__":{"a":1}}', '{"label":1e999}'],
]

/** Returns a function for the next request of a series, which the seed determines; `tokens` are those to send. */
export function randomRequests(seed: number, tokens: readonly string[]): () => RandomRequest {
  const next = randomFrom(seed)
  const chance = (probability: number) => next() < probability
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T

  function value(schema: Schema, depth = 0): unknown {
    if (depth > 6 || chance(0.06)) return pick(oddValues)
    if (schema.$ref) return value(resolve(schema.$ref), depth + 1)
    if (schema.anyOf) return value(pick(schema.anyOf), depth + 1)
    if (schema.enum) return pick(schema.enum)
    if ('const' in schema) return schema.const
    switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
      case 'object':
        return objectOf(schema, depth)
      case 'array':
        return Array.from({ length: Math.floor(next() * 4) }, () => value(schema.items ?? {}, depth + 1))
      case 'string':
        return pick(texts)
      case 'integer':
      case 'number':
        return chance(0.6) ? Number(pick(ids)) : pick([10, 30, 56, 64, 0, -1, 10_241])
      case 'boolean':
        return chance(0.5)
      default:
        return pick([null, ...texts])
    }
  }

  function objectOf({ properties = {}, required = [] }: Schema, depth: number): object {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || chance(0.5))
    const entries = chosen.filter(() => !chance(0.03)).map(([name, one]) => [name, value(one, depth + 1)] as const)
    return Object.fromEntries(chance(0.04) ? [...entries, [pick(texts), pick(oddValues)]] : entries)
  }

  const segment = (placeholder: string) => {
    if (chance(0.06)) return pick(oddSegments)
    return encodeURIComponent(pick(/Id\}$/.test(placeholder) && placeholder !== '{regionId}' ? ids : names))
  }

  function headers(): Record<string, string> {
    return {
      ...(!chance(0.05) && { authorization: `Bearer ${chance(0.02) ? pick(['', 'x', 'a b']) : pick(tokens)}` }),
      ...(chance(0.1) && { 'x-filter': pick(filters) }),
      ...(!chance(0.03) && { 'content-type': 'application/json' }),
    }
  }

  return () => {
    const { path, method, operation } = pick(operations)
    const schema = (operation as OperationBody).requestBody?.content['application/json'].schema
    const isRead = method === 'get'
    const body = chance(0.08) ? pick(wildBodies) : JSON.stringify(schema ? value(schema) : {})
    const wildPath = `/${Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick([...oddSegments, ...ids, 'volumes'])).join('/')}`
    return {
      method: chance(0.03) ? pick(['PATCH', 'OPTIONS', 'DELETE', 'POST']) : method.toUpperCase(),
      path: (chance(0.04) ? wildPath : path.replaceAll(/\{\w+\}/g, segment)) + pick(queries),
      headers: headers(),
      ...(!isRead && { body }),
    }
  }
}

function resolve(reference: string): Schema {
  const [, ...keys] = reference.split('/')
  let value: unknown = document
  for (const key of keys) value = (value as Record<string, unknown>)[key]
  return value as Schema
}
