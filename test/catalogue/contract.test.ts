/** The catalogue describes each operation as api.md and gaps.md do: see test/operations. */
import { getMetadata } from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Idempotency, parametersOf, partsOf, type Schema } from '../../src/catalogue/operation'
import { program } from '../../src/commands/index'
import { loadTree, withDescendants } from '../../src/engine/command-nodes'
import { parts, rows } from '../operations'
import type { Kind } from '../operations/row'
import { catalogued } from '../support/catalogue'

const wordsOf = (text = 'none') => (text === 'none' || text === 'any object' ? [] : text.split(' ').sort())

const fieldsOf = (schema: Schema | undefined) => Object.entries((schema && partsOf(schema).entries) ?? {})

/** reliability.md, "Which requests may be sent again"; undefined for POST, where each row states it. */
const byMethod: Record<string, Idempotency | undefined> = { GET: 'safe', PUT: 'idempotent', DELETE: 'idempotent' }

function kindOf(schema: Schema): Kind {
  const { type, entries, item, wrapped, options, pipe = [] } = partsOf(schema)
  if (wrapped) return type === 'nullable' ? orNull(kindOf(wrapped)) : kindOf(wrapped)
  if (entries) return Object.fromEntries(Object.entries(entries).map(([name, field]) => [name, kindOf(field)]))
  if (item) return [kindOf(item)]
  if (options) return options.join(', ')
  const { pattern, 'x-known-values': values, 'x-kind': special }: Record<string, unknown> = getMetadata(schema)
  if (Array.isArray(values)) return values.join(', ')
  if (pattern !== undefined) return special === 'deadline' ? 'date-time to come' : 'date-time'
  if (special === 'address') return 'ip'
  return pipe.some((part) => part.type === 'integer') ? 'integer' : type
}

const orNull = (kind: Kind): Kind => (typeof kind === 'string' ? `${kind} or null` : ['null', kind])

describe.each(rows)('%s', (_title, row) => {
  const { operation } = row

  test('is sent as api.md describes it', () => {
    expect({
      line: `${operation.method} ${operation.path}`,
      scopes: operation.isPublic ? 'open' : operation.scopes.join(' ') || 'none',
      body: fieldsOf(operation.body)
        .map(([name, { type }]) => (type === 'optional' ? name : `${name}*`))
        .sort(),
      hasBody: operation.body !== undefined,
      query: fieldsOf(operation.query)
        .map(([name]) => name)
        .sort(),
      paged: operation.paged === true,
    }).toEqual({
      line: row.line,
      scopes: row.scopes,
      body: wordsOf(row.body),
      hasBody: (row.body ?? 'none') !== 'none',
      query: wordsOf(row.query),
      paged: row.paged !== undefined,
    })
  })

  test('is repeated only if that is safe', () => {
    expect(operation.idempotency).toBe(row.repeat ?? byMethod[operation.method])
  })

  // After a lost answer skyctl searches objects of this kind, and the history records the created object.
  test('names the kind of object that it creates, if it creates one', () => {
    const { answer, repeat } = row
    const hasName = typeof answer === 'object' && ['id', 'address', 'range'].some((field) => field in answer)
    expect(operation.creates !== undefined).toBe(repeat === 'never' && hasName)
  })

  // An answer with another value is about another object, and refused (http/response-identity).
  test('compares its body with the answer if it creates an object', () => {
    const sent = wordsOf(row.body).map((field) => field.replace('*', ''))
    const shown = typeof row.answer === 'object' ? Object.entries(row.answer) : []
    const isPlain = (kind: Kind) => typeof kind === 'string' && !kind.startsWith('date-time')
    const expected = shown.flatMap(([field, kind]) => (isPlain(kind) && sent.includes(field) ? [field] : []))
    if (operation.creates) expect(operation.repeats).toEqual(expect.arrayContaining(expected))
  })

  test('returns the fields that api.md names, with their types', () => {
    const isBare = row.answer === 'nothing' || row.answer === 'any object'
    expect(kindOf(operation.returns)).toEqual(isBare ? {} : row.answer)
  })

  test('has the filter keys that the service accepts', () => {
    expect(operation.filterable?.join(' ') ?? 'none').toBe(row.paged?.filters ?? 'none')
  })

  // Records are identified by their id; those of some lists have none (api.md).
  test('names the fields that identify records without an id', () => {
    expect(operation.distinct?.join(' ')).toBe(row.paged?.distinct)
  })
})

test.each(parts)('api.md has $count operations in its table $name', ({ count, rows }) => {
  expect(Object.keys(rows)).toHaveLength(count)
})

test('every operation of the catalogue has exactly one row', () => {
  const operations = rows.map(([, { operation }]) => operation)
  expect(new Set(operations).size).toBe(operations.length)
  expect(catalogued.filter(({ operation }) => !operations.includes(operation)).map(({ name }) => name)).toEqual([])
  const listed = catalogued.map(({ operation }) => operation)
  expect(rows.filter(([, { operation }]) => !listed.includes(operation)).map(([title]) => title)).toEqual([])
})

test('every operation of the catalogue has a command', async () => {
  const nodes = withDescendants(await loadTree(program))
  const used = new Set(nodes.flatMap(({ command }) => command?.operations ?? []))
  expect(catalogued.filter(({ operation }) => !used.has(operation)).map(({ name }) => name)).toEqual([])
})

test('the parameters of a path are the names in braces', () => {
  expect(parametersOf('/volumes/{volumeId}/attach')).toEqual(['volumeId'])
  expect(parametersOf('/volumes')).toEqual([])
})
