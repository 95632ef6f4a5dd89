/** Answers are accepted, completed or refused before a command receives them. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { boolean, integer, text } from '../../src/catalogue/fields'
import { firewalls } from '../../src/catalogue/firewalls'
import { isMissing, normalize, SchemaMismatch } from '../../src/catalogue/normalize'
import type { Operation } from '../../src/catalogue/operation'
import { parametersOf, partsOf } from '../../src/catalogue/operation'
import { volumes } from '../../src/catalogue/volumes'
import { catalogued } from '../support/catalogue'
import { completeRecord } from '../support/records'

const volume = (changes: object = {}) => completeRecord({ id: 7, ...changes })
const fault = (operation: Operation, value: unknown): string => {
  try {
    normalize(operation.returns, value)
  } catch (error) {
    if (error instanceof SchemaMismatch) return error.message
  }
  return 'nothing'
}

describe('an answer is accepted unchanged', () => {
  test.each([
    ['with unknown fields', { extra: { deep: [1] }, __proto__x: null }],
    ['with an unknown status', { status: 'migrating' }],
    ['with a time that has a zone', { created: '2026-01-31T12:00:00.5+01:00' }],
    ['with integers past 2^53', { id: 9007199254740993n, size: 9007199254740993n }],
    ['with null in nullable fields', { compute_id: null, compute_label: null }],
  ])('%s', (_, changes) => {
    const before = volume(changes)
    const text = () => JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
    const sent = text()
    expect(normalize(volumes.view.returns, before)).toBe(before)
    expect(text()).toBe(sent)
  })

  test('except that a missing nullable field becomes null', () => {
    const { compute_id: _, ...before } = volume()
    expect(normalize(volumes.view.returns, before)).toMatchObject({ compute_id: null })
  })

  test('with missing optional fields, as rules are sent back', () => {
    const rule = { action: 'DROP', protocol: 'TCP', addresses: {} }
    const rules = { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }
    normalize(firewalls.view.returns, volume({ rules }))
    expect([Object.keys(rule), Object.keys(rule.addresses)]).toEqual([['action', 'protocol', 'addresses'], []])
  })

  test('with null in an optional field that is not nullable', () => {
    const rule = { action: 'DROP', protocol: 'TCP', addresses: { ipv4: null } }
    const rules = { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }
    normalize(firewalls.view.returns, volume({ rules }))
    expect(rule.addresses).toEqual({ ipv4: null })
  })
})

describe('a field that is not essential', () => {
  const returns = v.looseObject({
    enabled: boolean('Required'),
    note: v.nullable(text('May be null')),
    tags: v.array(text('Tag')),
    addresses: v.pipe(v.looseObject({}), v.metadata({ default: {} })),
    items: v.array(v.looseObject({ id: integer('ID'), answer: boolean('Required') })),
  })
  const names = ['enabled', 'note', 'tags', 'addresses'] as const
  const missingIn = (record: object) => names.filter((name) => isMissing(record, name))

  test('becomes null if it is missing, and isMissing reports it', () => {
    const record = {}
    expect(normalize(returns, record, [])).toEqual(Object.fromEntries([...names, 'items'].map((name) => [name, null])))
    expect(missingIn(record)).toEqual(names)
  })

  test('counts as missing if it is null, unless it is nullable, a list or has a default', () => {
    const record = { enabled: null, note: null, tags: null, addresses: null, items: [] }
    expect(normalize(returns, record, [])).toEqual({ enabled: null, note: null, tags: [], addresses: {}, items: [] })
    expect(missingIn(record)).toEqual(['enabled'])
  })

  test('can be missing in a list with an essential field', () => {
    const essential = ['items.id']
    expect(normalize(returns, { items: [{ id: 1 }] }, essential)).toMatchObject({ items: [{ id: 1, answer: null }] })
    expect(() => normalize(returns, { items: [{ answer: true }] }, essential)).toThrow('items[0].id is missing')
    expect(() => normalize(returns, {}, essential)).toThrow('items is missing')
  })
})

test('a null list becomes an empty one, in the same position', () => {
  expect(Object.entries(normalize(volumes.view.returns, volume({ tags: null })) as object)).toEqual(
    Object.entries(volume({ tags: [] })),
  )
})

test('rules of other clients can lack lists and addresses, and have protocol numbers', () => {
  const rules = {
    inbound: [{ action: 'DROP', protocol: 47, addresses: null }],
    inbound_policy: 'DROP',
    outbound: null,
    outbound_policy: 'DROP',
  }
  expect(normalize(firewalls.view.returns, volume({ rules }))).toMatchObject({
    rules: { inbound: [{ protocol: 47, addresses: {} }], outbound: [] },
  })
})

test.each<[Operation, object | unknown[] | null, string]>([
  [volumes.view, { size: '40' }, 'size is a text, not a whole number'],
  [volumes.view, { size: 1.5 }, 'size is a number, not a whole number'],
  [volumes.view, { size: -1 }, 'size is below 1'],
  [volumes.view, { id: 0 }, 'id is below 1'],
  [volumes.view, { label: undefined }, 'label is missing'],
  [volumes.view, { label: null }, 'label is null, not a text'],
  [volumes.view, { tags: ['a', null] }, 'tags[1] is null, not a text'],
  [volumes.view, { tags: {} }, 'tags is an object, not a list'],
  [firewalls.view, { rules: { inbound: [{ action: 'DROP' }] } }, 'rules.inbound[0].protocol is missing'],
  [firewalls.view, { rules: [] }, 'rules is a list, not an object'],
])('a field that would mislead a command is refused by its name: %#', (operation, changes, message) => {
  expect(fault(operation, volume(changes ?? {}))).toBe(message)
})

test('every operation on one object has an identity field', () => {
  const incomplete = catalogued.filter(({ operation }) => {
    const { path, returns, method, identityField } = operation
    const hasTarget = parametersOf(path).length > 0 && path.endsWith('}') && method !== 'DELETE'
    return hasTarget && identityField === undefined && Object.keys(partsOf(returns).entries ?? {}).length > 0
  })
  expect(incomplete.map(({ name }) => name)).toEqual([])
})

test('every list without ids names the fields that identify its records', () => {
  const incomplete = catalogued.filter(({ operation: { paged, returns, distinct } }) => {
    return paged && distinct === undefined && !Object.hasOwn(partsOf(returns).entries ?? {}, 'id')
  })
  expect(incomplete.map(({ name }) => name)).toEqual([])
})
