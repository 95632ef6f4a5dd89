import { describe, expect, test } from 'vitest'
import { Tables } from '../../src/sandbox/database'
import fc, { runs } from '../support/fast-check'

interface Named {
  id: number
  name: string
}

/** Table whose records never expire, and are complete. */
const plain = { settle: (record: Named) => record, complete: (record: Named) => record }

function twoTables() {
  const tables = new Tables()
  const first = tables.add('first', plain)
  const second = tables.add('second', plain)
  first.put({ id: 1, name: 'one' })
  first.put({ id: 2, name: 'two' })
  return { tables, first, second }
}

const refuse = () => {
  throw new Error('no')
}

describe('a change of the tables', () => {
  test('is kept once, with the final state of its records', () => {
    const { tables, first, second } = twoTables()
    const states: unknown[] = []
    tables.change(
      () => {
        first.put({ id: 1, name: 'uno' })
        first.delete(2)
        second.put({ id: 5, name: 'five' })
      },
      () => states.push(structuredClone(tables.saved)),
    )
    expect(states).toEqual([
      {
        first: { last_id: 2, records: [{ id: 1, name: 'uno' }] },
        second: { last_id: 5, records: [{ id: 5, name: 'five' }] },
      },
    ])
  })

  test('deletes the oldest record beyond the maximum, and can be undone', () => {
    const tables = new Tables()
    const table = tables.add('few', { ...plain, most: 2 })
    for (const id of [1, 2, 3]) tables.change(() => table.put({ id, name: 'a' }))
    expect(table.all().map(({ id }) => id)).toEqual([2, 3])
    expect(() => tables.change(() => table.put({ id: 4, name: 'a' }), refuse)).toThrow('no')
    expect(table.all().map(({ id }) => id)).toEqual([2, 3])
  })

  test.for(['work', 'keep'])('is undone completely if "%s" fails', (failing) => {
    const { tables, first, second } = twoTables()
    const fail = (part: string) => {
      if (part === failing) throw new Error('no')
    }
    expect(() =>
      tables.change(
        () => {
          first.put({ id: 1, name: 'uno' })
          first.put({ id: 1, name: 'ein' })
          first.delete(2)
          second.put({ id: 5, name: 'five' })
          fail('work')
        },
        () => fail('keep'),
      ),
    ).toThrow('no')
    expect(first.all()).toEqual([
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ])
    expect(second.all()).toEqual([])
    expect([first.nextId(), second.nextId()]).toEqual([3, 1])
  })

  test('is not saved if nothing changed', () => {
    const { tables, first } = twoTables()
    tables.change(
      () => first.get(1),
      () => {
        throw new Error('nothing to keep')
      },
    )
  })
})

test('a read that tries to change something fails, and changes nothing', () => {
  const { tables, first } = twoTables()
  expect(tables.read(() => first.get(1))).toMatchObject({ id: 1 })
  expect(() => tables.read(() => first.delete(1))).toThrow('a read changed a table')
  expect(first.get(1)).toMatchObject({ id: 1 })
})

test('the contents of tables restore them, including used ids', () => {
  const { tables, first } = twoTables()
  first.delete(2)
  const copy = twoTables()
  copy.second.put({ id: 7, name: 'seven' })
  copy.tables.load(tables.saved)
  expect(copy.first.all()).toEqual([{ id: 1, name: 'one' }])
  expect([copy.first.nextId(), copy.second.nextId()]).toEqual([3, 1])
})

test('the contents of tables include a first id that was used, and none of an unused table', () => {
  const { tables, second } = twoTables()
  expect(Object.keys(tables.saved)).toEqual(['first'])
  second.put({ id: 1, name: 'one' })
  second.delete(1)
  expect(tables.saved.second).toEqual({ last_id: 1, records: [] })
})

test('the contents of tables of a newer version are kept', () => {
  const { tables } = twoTables()
  const saved = { later: { last_id: 9, records: [{ id: 4, more: true }] } }
  tables.load(saved)
  expect(tables.saved).toEqual(saved)
})

test('a table has its records by ascending id, after any changes and undone changes', () => {
  const change = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    name: fc.constantFrom('a', 'b'),
    kind: fc.constantFrom('put', 'put', 'delete'),
    fails: fc.boolean(),
  })
  const property = fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
    const tables = new Tables()
    const table = tables.add('few', plain)
    const expected = new Map<number, Named>()
    let last = 0
    for (const { kind, fails, ...record } of changes) {
      const work = () => (kind === 'put' ? table.put(record) : table.delete(record.id))
      if (fails) expect(() => tables.change(work, refuse)).toThrow('no')
      else {
        tables.change(work)
        last = Math.max(last, record.id)
        if (kind === 'put') expected.set(record.id, record)
        else expected.delete(record.id)
      }
      const all = [...expected.values()].sort((one, other) => one.id - other.id)
      expect([table.all(), table.size, table.nextId()]).toEqual([all, all.length, last + 1])
      expect(table.where('name', 'a')).toEqual(all.filter(({ name }) => name === 'a'))
      const ids = Array.from({ length: 9 }, (_, index) => index + 1)
      expect(ids.map((id) => table.get(id))).toEqual(ids.map((id) => expected.get(id)))
    }
  })
  fc.assert(property, { numRuns: runs(500) })
})
