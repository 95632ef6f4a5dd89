/** Records: their values, their order and their columns. */
import { describe, expect, test } from 'vitest'
import { unknownFields } from '../../src/engine/unknown-fields'
import { cut, keysOf, leaves, recordsIn, valueAt, valueText, withOthers } from '../../src/output/cells'
import { chooseColumns, columnOf, columnsOf, headingOf } from '../../src/output/column'
import { sortBy, sorted } from '../../src/output/sort'

describe('a value', () => {
  test.for([
    [{ a: 1 }, 'a', 1],
    [{ a: { b: { c: 2 } } }, 'a.b.c', 2],
    [{ 'a.b': 3 }, 'a.b', 3],
    [{ 'a.b': { c: 4 } }, 'a.b.c', 4],
    [{ a: { 'b.c': 5 } }, 'a.b.c', 5],
    [{ a: { x: 1 }, 'a.b': { c: 6 } }, 'a.b.c', 6],
    [{ 'a.': { b: 8 } }, 'a..b', 8],
    [{ '.a': { b: 9 } }, '.a.b', 9],
    [{ a: { '.b': 10 } }, 'a..b', 10],
    [{ a: null }, 'a.b', undefined],
    [{ a: 1 }, 'b', undefined],
    [{}, 'toString', undefined],
    [{ a: {} }, 'a.constructor', undefined],
    [7, 'a', undefined],
    [[1], '0', undefined],
  ] as const)('of %j at %s is %j', ([record, path, value]) => {
    expect(valueAt(record, path)).toBe(value)
  })

  test.for([
    [null, ''],
    [undefined, ''],
    ['a"b', 'a"b'],
    [true, 'true'],
    [12_345_678_901_234_567_890n, '12345678901234567890'],
    [['a', 1n, [null]], '["a",1,[null]]'],
    [{ 'a"': { b: true }, c: [] }, '{"a\\"":{"b":true},"c":[]}'],
  ] as const)('is text on one line: %#', ([value, text]) => {
    expect(valueText(value)).toBe(text)
  })
})

describe('a record', () => {
  test('has leaves with dotted paths, and empty objects and lists are leaves', () => {
    expect(leaves({ a: 1, b: { c: { d: 2 }, e: {} }, f: [{ g: 3 }] })).toEqual([
      ['a', 1],
      ['b.c.d', 2],
      ['b.e', {}],
      ['f', [{ g: 3 }]],
    ])
  })

  test('cut to paths is flat, with null for missing values', () => {
    expect(cut({ a: { b: 1 }, c: 2 }, ['a.b', 'd'])).toEqual({ 'a.b': 1, d: null })
    expect(cut({ a: { b: 1 } }, undefined)).toEqual({ a: { b: 1 } })
  })

  test('is an item of a list with objects only', () => {
    expect(recordsIn([{ a: 1 }, {}])).toEqual([{ a: 1 }, {}])
    expect(recordsIn([])).toEqual([])
    for (const none of [[{ a: 1 }, 2], { a: 1 }, null, [[]]]) expect(recordsIn(none)).toBeUndefined()
    expect(keysOf([{ b: 1 }, { a: 1, b: 2 }])).toEqual(['b', 'a'])
  })
})

describe('the order', () => {
  const order = (values: unknown[], text: string) =>
    sorted(
      values.map((value) => ({ value })),
      [sortBy(text)],
    ).map((record) => valueAt(record, 'value'))

  test('is numbers by value, then texts by code units, then missing values', () => {
    expect(order(['b', 10, null, 'B', 9n, 'a', undefined, -1, '10'], 'value')).toEqual([
      ...[-1, 9n, 10, '10', 'B', 'a', 'b', null, undefined],
    ])
  })

  test('leaves missing values at the end when it is reversed', () => {
    expect(order(['a', 1, null, 2, 'b'], '-value')).toEqual(['b', 'a', 2, 1, null])
  })

  test('of equal values is that of the next field, and then the original one', () => {
    const records = [
      { id: 1, size: 2, label: 'b' },
      { id: 2, size: 1, label: 'c' },
      { id: 3, size: 2, label: 'a' },
      { id: 4, size: 2, label: 'a' },
    ]
    const ids = (...fields: string[]) => sorted(records, fields.map(sortBy)).map((record) => valueAt(record, 'id'))
    expect(ids('size', 'label')).toEqual([2, 3, 4, 1])
    expect(ids('-size', 'label')).toEqual([3, 4, 1, 2])
    expect(ids('size', '-label')).toEqual([2, 1, 3, 4])
    expect(ids()).toEqual([1, 2, 3, 4])
  })

  test('uses the sort keys of values that have one', () => {
    const keyOf = (value: unknown) => (value === 'ten' ? 10 : undefined)
    const result = sorted([{ a: 'x' }, { a: 'ten' }, { a: 11 }, { a: 9 }], [{ path: 'a', descending: false, keyOf }])
    expect(result).toEqual([{ a: 9 }, { a: 'ten' }, { a: 11 }, { a: 'x' }])
  })
})

describe('columns', () => {
  test('have their path in capitals, with their unit, as heading', () => {
    expect(headingOf({ path: 'size', unit: 'GiB' })).toBe('SIZE (GiB)')
    expect(headingOf({ path: 'resolvers.ipv4', heading: 'resolvers' })).toBe('RESOLVERS')
  })

  test('have the colours of states only if they are of a status', () => {
    expect(columnOf('status').tone?.get('active')).toBe('green')
    expect(columnOf('label')).toEqual({ path: 'label' })
    expect(columnOf({ path: 'status' })).toEqual({ path: 'status' })
  })

  test('that are chosen are default columns with their path, or plain ones', () => {
    const columns = [{ path: 'size', unit: 'GiB' }]
    expect(columnsOf({ columns, chosen: ['id', 'size'] })).toEqual([{ path: 'id' }, { path: 'size', unit: 'GiB' }])
    expect(columnsOf({ columns })).toBe(columns)
  })

  const choose = (texts: readonly string[], fields: readonly string[]) =>
    chooseColumns(texts, fields, (name) => {
      throw unknownFields([{ flag: '--columns', name }], fields)
    })

  test('are chosen one by one or with commas, and all means every field and further ones', () => {
    const fields = ['id', 'label', 'size']
    expect(choose(['size, id', 'size'], fields)).toEqual({ chosen: ['size', 'id', 'size'] })
    expect(choose(['all'], fields)).toEqual({ chosen: fields, others: 3 })
    expect(choose(['size,all,id'], fields)).toEqual({ chosen: ['size', ...fields, 'id'], others: 4 })
  })

  test('that are unknown are rejected with a suggestion or the list of fields', () => {
    const fields = ['id', 'label']
    expect(() => choose(['id,labl'], fields)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: '--columns: unknown field "labl"',
        details: { hint: 'Did you mean "label"?' },
      }),
    )
    expect(() => choose(['colour'], fields)).toThrow(
      expect.objectContaining({ details: { hint: 'The fields are: id, label' } }),
    )
    expect(() => choose(['age'], ['id', 'created'])).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ hint: 'Did you mean "created"?' }) }),
    )
    for (const none of [[''], [], ['id,,label']])
      expect(() => choose(none, fields)).toThrow('--columns: unknown field ""')
    for (const odd of ['ID', 'id\x1b', '__proto__', 'toString'])
      expect(() => choose([odd], fields)).toThrow('--columns: unknown field')
    const unknown: string[] = []
    chooseColumns(['x,id,y'], ['id'], (name) => unknown.push(name))
    expect(unknown).toEqual(['x', 'y'])
  })
})

describe('further fields of records', () => {
  const choose = (names: readonly string[], others: number | undefined, ...records: unknown[]) =>
    withOthers({ columns: [], chosen: names, others }, records)

  test('take the place of all, each once and in the order of their appearance', () => {
    const records = [{ id: 1, b: { c: 1, d: [] }, a: 2 }, 'no record', { e: {}, a: 3 }]
    expect(choose(['id', 'last'], 1, ...records)).toEqual({
      columns: [],
      chosen: ['id', 'b.c', 'b.d', 'a', 'e', 'last'],
      others: 5,
    })
  })

  test('are not added if only some fields are requested', () => {
    const choice = { columns: [], chosen: ['id'], others: undefined }
    expect(withOthers(choice, [{ a: 1 }])).toBe(choice)
    expect(withOthers({ columns: [], others: 0 }, [{ a: 1 }])).toEqual({ columns: [], chosen: ['a'], others: 1 })
  })

  test('are not added below fields that are shown as a whole', () => {
    expect(choose(['a'], 1, { a: { b: { c: 1 } }, ab: 1 }).chosen).toEqual(['a', 'ab'])
    expect(choose(['a.b'], 1, { a: { b: { c: 1 } } }).chosen).toEqual(['a.b'])
  })

  test.for([
    [null, []],
    [{}, []],
    [7, ['a']],
    [[], ['a']],
  ] as const)('include the parent of a chosen field only if it is not an object: %j adds %j', ([value, parent]) => {
    expect(choose(['a.b'], 1, { a: value }).chosen).toEqual(['a.b', ...parent])
  })
})
