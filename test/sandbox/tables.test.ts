import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Tables } from '../../src/sandbox/database'
import { LazyRecords } from '../../src/sandbox/lazy-records'

interface Named {
  id: number
  name: string
}

/** Nothing ends with time, and nothing is left out. */
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
  test('is handed over as what stands at its end', () => {
    const { tables, first, second } = twoTables()
    const kept: unknown[] = []
    tables.change(
      () => {
        first.put({ id: 1, name: 'uno' })
        first.delete(2)
        second.put({ id: 5, name: 'five' })
      },
      (changes) => kept.push(...changes),
    )
    expect(kept).toEqual([
      ['first', 1, { id: 1, name: 'uno' }],
      ['first', 2, null],
      ['second', 5, { id: 5, name: 'five' }],
    ])
  })

  test('deletes the oldest record where more are kept than may be, and can be undone', () => {
    const tables = new Tables()
    const table = tables.add('few', { ...plain, most: 2 })
    const kept: unknown[] = []
    const add = (id: number) =>
      tables.change(
        () => table.put({ id, name: 'a' }),
        (changes) => kept.push(...changes),
      )
    for (const id of [1, 2, 3]) add(id)
    expect(table.all().map(({ id }) => id)).toEqual([2, 3])
    expect(kept.slice(-2)).toEqual([
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

  test.for(['work', 'keep'])('is undone as a whole where its %s fails', (failing) => {
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

  test('is not handed over where nothing changed', () => {
    const { tables, first } = twoTables()
    tables.change(
      () => first.get(1),
      () => {
        throw new Error('nothing to keep')
      },
    )
  })
})

test('what is to be read only fails where it changes something, and changes nothing', () => {
  const { tables, first } = twoTables()
  expect(tables.read(() => first.get(1))).toMatchObject({ id: 1 })
  expect(() => tables.read(() => first.delete(1))).toThrow('what was to be read only was changed')
  expect(first.get(1)).toMatchObject({ id: 1 })
})

test('a record that stands in a line is not there without lines', () => {
  const { tables, first } = twoTables()
  tables.place('first', 9, 0)
  expect(() => first.get(9)).toThrow('nothing is kept')
})

test('the contents of tables build them again, with the ids that were used up', () => {
  const { tables, first } = twoTables()
  first.delete(2)
  const copy = twoTables()
  copy.tables.clear()
  for (const change of tables.contents()) copy.tables.load(change)
  expect(copy.first.all()).toEqual([{ id: 1, name: 'one' }])
  expect(copy.first.nextId()).toBe(3)
})

test('the contents of tables keep the first id as used up, and name none that was never given', () => {
  const { tables, second } = twoTables()
  expect([...tables.contents()].filter(([table]) => table === 'second')).toEqual([])
  second.put({ id: 1, name: 'one' })
  second.delete(1)
  expect([...tables.contents()].filter(([table]) => table === 'second')).toEqual([['second', 1, null]])
})

test('what is replaced or deleted is spent, and what is undone is not', () => {
  const { tables, first } = twoTables()
  expect(tables.spent).toBe(0)
  const lengthOf = (record: Named) => JSON.stringify([['first', record.id, record]]).length
  first.put({ id: 1, name: 'uno' })
  const afterOne = tables.spent
  first.delete(2)
  first.put({ id: 3, name: 'three' })
  // About: what stands around a record is taken to be of the same length for all.
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

describe('a look-up by a value', () => {
  interface Operation {
    id: number
    /** Null deletes the record. */
    name: string | null
    /** True if the change is taken back. */
    fails: boolean
  }

  const operation: fc.Arbitrary<Operation> = fc.record({
    id: fc.integer({ min: 1, max: 7 }),
    name: fc.constantFrom('a', 'b', 'c', null),
    fails: fc.boolean(),
  })

  /** Six records, saved but not read yet. */
  const names = ['a', 'b', 'a', 'c', 'b', 'a']

  function saved() {
    const lines = names.map((name, index) => `${JSON.stringify([['named', index + 1, { id: index + 1, name }]])}\n`)
    const kept = new LazyRecords(Buffer.from(lines.join('')), () => new Error('damaged'))
    const tables = new Tables()
    const table = tables.add('named', plain)
    tables.clear(kept)
    kept.visit({ record: (name, id, line) => tables.place(name, id, line), other: () => {} })
    return { tables, table }
  }

  /** Makes a change, or has it taken back. */
  function changed({ tables, table }: ReturnType<typeof saved>, { id, name, fails }: Operation) {
    try {
      tables.change(() => {
        if (name === null) table.delete(id)
        else table.put({ id, name })
        if (fails) throw new Error('no')
      })
    } catch {}
  }

  test('finds the records that have it, after each change and each change that was taken back', () => {
    const property = fc.property(fc.array(operation, { maxLength: 12 }), fc.boolean(), (operations, isEarly) => {
      const world = saved()
      const expected = new Map<number, string>(names.map((name, index) => [index + 1, name]))
      if (isEarly) world.table.where('name', 'a')
      for (const one of operations) {
        changed(world, one)
        if (!one.fails && one.name !== null) expected.set(one.id, one.name)
        if (!one.fails && one.name === null) expected.delete(one.id)
      }
      for (const wanted of ['a', 'b', 'd']) {
        const held = [...expected].filter(([, name]) => name === wanted).map(([id]) => id)
        const ids = held.sort((a, b) => a - b)
        const isWanted = ({ name }: Named) => name === wanted
        // The first look-up may return others, too; the next uses the index.
        expect(
          world.table
            .holding('name', wanted)
            .filter(isWanted)
            .map(({ id }) => id),
        ).toEqual(ids)
        expect(world.table.holding('name', wanted).map(({ id }) => id)).toEqual(ids)
        expect(world.table.where('name', wanted)).toEqual(world.table.select(isWanted))
      }
    })
    fc.assert(property)
  })
})
