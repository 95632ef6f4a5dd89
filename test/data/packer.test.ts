/** Records whose large fields are packed until they are read. */
import { expect, test } from 'vitest'
import { jsonByEntries } from '../../src/data/json-pieces'
import { memoryBudget, memorySize } from '../../src/data/memory-limits'
import { createPacker } from '../../src/data/packer'

const large = () => ({ list: Array.from({ length: 5000 }, (_, index) => `192.0.2.${index}/32`) })

test('A packed record has the same content in the same order of keys', () => {
  const pack = createPacker()
  const records = [1, 2].map((id) => ({ id, rules: large(), status: 'enabled', none: null }))
  const expected = JSON.stringify(records)
  for (const record of records) pack(record)
  expect(JSON.stringify(records)).toBe(expected)
  expect(records.map((record) => ({ ...record }))).toEqual(JSON.parse(expected))
  expect(Object.keys(records[0] ?? {})).toEqual(['id', 'rules', 'status', 'none'])
})

test('A packed record takes less memory than its text', () => {
  const record = { id: 1, rules: large() }
  const [before, text] = [memorySize(record), JSON.stringify(record).length]
  const after = createPacker()(record)
  expect(text).toBeLessThan(before)
  expect(after).toBeLessThan(text / 2)
})

test('A small record stays unpacked', () => {
  const record = { id: 1, tags: ['a'] }
  expect(createPacker()(record)).toBe(memorySize(record))
  expect(Object.getOwnPropertyDescriptor(record, 'tags')).toHaveProperty('value', ['a'])
})

test('Integers over 2^53 stay exact', () => {
  const record = { rules: { ...large(), id: 2n ** 60n } }
  createPacker()(record)
  expect(record.rules.id).toBe(2n ** 60n)
})

test('A field that was read stays the same object until another one is read', () => {
  const pack = createPacker()
  const [one, other] = [{ rules: large() }, { rules: large() }]
  for (const record of [one, other]) pack(record)
  const { rules } = one
  expect(one.rules).toBe(rules)
  expect(other.rules).not.toBe(rules)
})

test('Of all JSON files, only the field that was read last stays unpacked', () => {
  const text = JSON.stringify({ firewalls: { web: { rules: large() } } })
  const read = () => jsonByEntries(text, memoryBudget(2 ** 24), 1)?.value.firewalls
  const rulesOf = (firewalls: unknown) => Object.values(Object(firewalls)).map((one) => Object(one).rules)[0]
  const [one, other] = [read(), read()]
  const rules = rulesOf(one)
  expect(rulesOf(one)).toBe(rules)
  rulesOf(other)
  expect(rulesOf(one)).not.toBe(rules)
  expect(rulesOf(one)).toEqual(large())
})
