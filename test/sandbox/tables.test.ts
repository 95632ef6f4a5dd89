import { describe, expect, test } from 'vitest'
import { Tables } from '../../src/sandbox/database'
import { listing, pageRequest } from '../../src/sandbox/pages'
import fc, { runs } from '../support/fast-check'
import { recordsOf } from '../support/lazy-records'

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

describe('a change of the tables', () => {
  test('is saved as the final state of its records', () => {
    const { tables, first, second } = twoTables()
    const log: unknown[] = []
    tables.change(
      () => {
        first.put({ id: 1, name: 'uno' })
        first.delete(2)
        second.put({ id: 5, name: 'five' })
      },
      (changes) => log.push(...changes),
    )
    expect(log).toEqual([
      ['first', 1, { id: 1, name: 'uno' }],
      ['first', 2, null],
      ['second', 5, { id: 5, name: 'five' }],
    ])
  })

  test('deletes the oldest record beyond the maximum, and can be undone', () => {
    const tables = new Tables()
    const table = tables.add('few', { ...plain, most: 2 })
    const log: unknown[] = []
    const add = (id: number) =>
      tables.change(
        () => table.put({ id, name: 'a' }),
        (changes) => log.push(...changes),
      )
    for (const id of [1, 2, 3]) add(id)
    expect(table.all().map(({ id }) => id)).toEqual([2, 3])
    expect(log.slice(-2)).toEqual([
      ['few', 3, { id: 3, name: 'a' }],
      ['few', 1, null],
    ])
    expect(() =>
      tables.change(
        () => table.put({ id: 4, name: 'a' }),
        () => {
          throw new Error('no')
        },
      ),
    ).toThrow('no')
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

test('a record known by its line cannot be read without lines', () => {
  const { tables, first } = twoTables()
  tables.loaderOf('first')(9, 0)
  expect(() => first.get(9)).toThrow('nothing is kept')
})

test('the contents of tables restore them, including used ids', () => {
  const { tables, first } = twoTables()
  first.delete(2)
  const copy = twoTables()
  copy.tables.clear()
  for (const change of tables.contents()) copy.tables.load(change)
  expect(copy.first.all()).toEqual([{ id: 1, name: 'one' }])
  expect(copy.first.nextId()).toBe(3)
})

test('the contents of tables include a first id that was used, and none of an unused table', () => {
  const { tables, second } = twoTables()
  expect([...tables.contents()].filter(([table]) => table === 'second')).toEqual([])
  second.put({ id: 1, name: 'one' })
  second.delete(1)
  expect([...tables.contents()].filter(([table]) => table === 'second')).toEqual([['second', 1, null]])
})

test('replaced and deleted records count as spent, but undone changes do not', () => {
  const { tables, first } = twoTables()
  expect(tables.spent).toBe(0)
  const lengthOf = (record: Named) => JSON.stringify([['first', record.id, record]]).length
  first.put({ id: 1, name: 'uno' })
  const afterOne = tables.spent
  first.delete(2)
  first.put({ id: 3, name: 'three' })
  // Approximate: the text around a record is assumed to have the same length for all.
  expect(Math.abs(afterOne - lengthOf({ id: 1, name: 'one' }))).toBeLessThan(16)
  expect(Math.abs(tables.spent - 2 * afterOne)).toBeLessThan(16)
  const before = tables.spent
  const refused = () => {
    first.put({ id: 1, name: 'x'.repeat(1000) })
    first.delete(1)
    throw new Error('no')
  }
  expect(() => tables.change(refused)).toThrow('no')
  expect(tables.spent).toBe(before)
})

describe('a table with indexes', () => {
  interface Item {
    id: number
    label: string
    size: number
    tags: readonly string[]
    /** A field that changes when it is read. */
    state: string
  }

  interface Operation {
    item: Item
    kind: 'put' | 'delete'
    /** True if the change fails, and is undone. */
    fails: boolean
    /** Filter of the list after the change. */
    filter: object
  }

  /** Concatenated texts of neighbours contain more than each alone: `a` and `bc` contain `abc`. */
  const texts = fc.constantFrom('', 'a', 'bc', 'abc', 'cab', 'abcabc', 'ä€')
  /** Ids at the end of a block, and far from it. */
  const ids = fc.constantFrom(1, 2, 3, 1022, 1023, 1024, 1025, 900_000)
  const sizes = fc.constantFrom(1, 2)
  const states = fc.constantFrom('old', 'new')

  const item: fc.Arbitrary<Item> = fc.record({
    id: ids,
    label: texts,
    size: sizes,
    tags: fc.array(texts, { maxLength: 3 }),
    state: states,
  })

  const condition = fc.oneof(
    fc.record({ id: ids }),
    fc.record({ label: texts }),
    fc.record({ size: fc.oneof(sizes, texts) }),
    fc.record({ tags: texts }),
    fc.record({ state: states }),
    fc.record({ label: fc.record({ '+contains': fc.oneof(texts, sizes) }) }),
    fc.record({ tags: fc.record({ '+contains': texts }) }),
    fc.record({ size: fc.record({ '+contains': texts }) }),
    fc.record({ state: fc.record({ '+contains': fc.constantFrom('o', 'w', 'ew') }) }),
    fc.record({ label: fc.record({ '+contains': texts, '+eq': texts }) }),
    fc.record({ label: fc.record({ '+neq': texts }) }),
    fc.record({ label: texts, size: sizes }),
  )
  const filter = fc.oneof(
    condition,
    fc.record({ '+or': fc.array(condition, { maxLength: 3 }) }),
    fc.record({ '+and': fc.array(condition, { maxLength: 3 }) }),
    fc.record({ '+or': fc.array(condition, { maxLength: 3 }), size: sizes }),
    fc.record({ label: fc.record({ '+contains': texts }), '+order_by': fc.constantFrom('label', 'size') }),
  )
  const operation: fc.Arbitrary<Operation> = fc.record({
    ...{ item, kind: fc.constantFrom('put', 'put', 'delete'), fails: fc.boolean(), filter },
  })

  const aging = {
    settle: (record: Item) => ({ ...record, state: 'new' }),
    unindexed: ['state'],
    complete: (record: Item) => record,
  }

  /** Table with records that are saved, but not parsed yet. */
  function savedTable(items: readonly Item[]) {
    const byId = [...new Map(items.map((one) => [one.id, one])).values()]
    const lines = byId.map((one) => `${JSON.stringify([['items', one.id, one]])}\n`)
    const { lines: lazyRecords, size } = recordsOf(lines.join(''))
    const tables = new Tables()
    const table = tables.add('items', aging)
    tables.clear(lazyRecords)
    lazyRecords.visit(size, { record: (name) => tables.loaderOf(name), other: () => {} })
    return { tables, table, [Symbol.dispose]: () => lazyRecords.close() }
  }

  /** Makes a change, or tries one that is undone. */
  function applyChange({ tables, table }: ReturnType<typeof savedTable>, { item, kind, fails }: Operation) {
    try {
      tables.change(() => {
        if (kind === 'delete') table.delete(item.id)
        else table.put(item)
        if (fails) throw new Error('no')
      })
    } catch {}
  }

  const keys = ['id', 'label', 'size', 'tags', 'state']
  const requestOf = (conditions: object) => pageRequest(new URLSearchParams(), JSON.stringify(conditions), keys)
  const itself = (record: Item) => record

  test('lists the same records as a scan for each filter, after each change or undone change', () => {
    const items = fc.array(item, { maxLength: 12 })
    const property = fc.property(items, fc.array(operation, { maxLength: 12 }), (existing, operations) => {
      using world = savedTable(existing)
      for (const one of operations) {
        applyChange(world, one)
        const request = requestOf(one.filter)
        const listed = listing(world.table, itself)(request)
        expect(listed).toEqual(listing(world.table.all(), itself)(request))
        const { label } = one.item
        expect(world.table.where('label', label)).toEqual(world.table.select((record) => record.label === label))
      }
    })
    fc.assert(property, { numRuns: runs(500) })
  })

  test('parses only the records with a label for the first list of a process', () => {
    const { table } = savedTable([1, 2, 3].map((id) => ({ id, label: `${id}`, size: 1, tags: [], state: 'old' })))
    listing(table, itself)(requestOf({ label: '2' }))
    const isRead = [...table.contents()].map(([, row]) => typeof row === 'object')
    expect(isRead).toEqual([false, true, false])
  })

  test('lists the pages of a filter by an index', () => {
    const { table } = savedTable([])
    for (let id = 1; id <= 60; id += 1) table.put({ id, label: `${id % 2}`, size: 1, tags: [], state: 'new' })
    const request = pageRequest(new URLSearchParams('page=2&page_size=25'), '{"label":"1"}', keys)
    // The first look-up of a label has no index yet.
    for (const turn of [1, 2]) {
      const { data, ...page } = listing(table, itself)(request)
      const numbers = data.map(({ id }) => id)
      expect({ turn, page, numbers }).toEqual({
        turn,
        page: { page: 2, pages: 2, results: 30 },
        numbers: [51, 53, 55, 57, 59],
      })
    }
  })
})
