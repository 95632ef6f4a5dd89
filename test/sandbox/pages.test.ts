/** Filters and pages of lists. */
import { describe, expect, test } from 'vitest'
import { listing, pageRequest } from '../../src/sandbox/pages'

const records = [
  { id: 1, label: 'b', size: 20, tags: ['x'] },
  { id: 2, label: 'a', size: 100, tags: ['y', 'xy'] },
  { id: 3, label: 'b', size: 20, tags: [] },
  { id: 4, label: '20', size: 9, tags: ['z'] },
]
const keys = ['label', 'size', 'tags']
const filtered = (filter: string) =>
  listing(records, (one) => one)(pageRequest(new URLSearchParams(), filter, keys)).data
const idsOf = (filter: object) => filtered(JSON.stringify(filter)).map(({ id }) => id)

describe('a filter', () => {
  test.for<[object, number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ label: 'b' }, [1, 3]],
    [{ label: { '+eq': 'b' }, size: 20 }, [1, 3]],
    [{ label: { '+neq': 'b' } }, [2, 4]],
    [{ size: { '+gt': 20 } }, [2]],
    [{ size: { '+gte': 20 } }, [1, 2, 3]],
    [{ size: { '+lt': 20 } }, [4]],
    [{ size: { '+lte': 20 } }, [1, 3, 4]],
    [{ size: { '+gt': 9, '+lt': 100 } }, [1, 3]],
    // A number and a text are not compared, and a number contains nothing.
    [{ size: { '+lt': '99' } }, []],
    [{ label: { '+gt': 1 } }, []],
    [{ size: '20' }, []],
    [{ label: 20 }, []],
    [{ size: { '+contains': '2' } }, []],
    [{ size: { '+contains': 2 } }, []],
    [{ label: { '+contains': 2 } }, []],
    [{ label: { '+contains': '2' } }, [4]],
    [{ tags: 'x' }, [1]],
    [{ tags: { '+neq': 'x' } }, [2, 3, 4]],
    [{ tags: { '+contains': 'x' } }, [1, 2]],
    [{ '+and': [] }, [1, 2, 3, 4]],
    [{ '+or': [] }, []],
    [{ '+or': [{ label: 'a' }, { size: 9 }] }, [2, 4]],
    [{ '+and': [{ label: 'b' }, { tags: 'x' }] }, [1]],
    // Equal values are sorted by id, ascending in both directions.
    [{ '+order_by': 'size' }, [4, 1, 3, 2]],
    [{ '+order_by': 'size', '+order': 'desc' }, [2, 1, 3, 4]],
    [{ '+order_by': 'label', '+order': 'asc' }, [4, 2, 1, 3]],
    [{ '+order_by': 'label', '+order': 'desc' }, [1, 3, 2, 4]],
  ])('%j selects the records %j', ([filter, ids]) => {
    expect(idsOf(filter)).toEqual(ids)
  })

  test('does not change the order of the records themselves', () => {
    idsOf({ '+order_by': 'size' })
    expect(records.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })

  test.for<[string, string]>([
    ['{', 'Filter not valid JSON'],
    ['[]', 'Filter not valid JSON'],
    ['null', 'Filter not valid JSON'],
    ['{"colour":1}', 'Cannot filter on colour'],
    ['{"__proto__":1}', 'Cannot filter on __proto__'],
    ['{"toString":1}', 'Cannot filter on toString'],
    ['{"label":{"+near":"a"}}', '+near is not a known operator'],
    ['{"+and":{}}', '+and must be an array of objects'],
    ['{"+or":[1]}', '+or must be an array of objects'],
    ['{"+or":[{"colour":1}]}', 'Cannot filter on colour'],
    ['{"+order":"up"}', '+order must be one of: asc, desc'],
    ['{"+order_by":"colour"}', 'Cannot order by colour'],
    ['{"+order_by":1}', 'Cannot order by 1'],
  ])('%s is refused: %s', ([text, reason]) => {
    expect(() => filtered(text)).toThrow(
      expect.objectContaining({ status: 400, errors: [{ field: 'X-Filter', reason }] }),
    )
  })
})

describe('a page', () => {
  const many = Array.from({ length: 51 }, (_, index) => ({ id: index + 1, label: index % 2 ? 'odd' : 'even' }))
  const pageOf = (source: typeof many, query: string, filter?: string) =>
    listing(source, ({ id }) => id)(pageRequest(new URLSearchParams(query), filter, ['label']))

  test('has its records and number, and the numbers of pages and results', () => {
    const ids = many.map(({ id }) => id)
    expect(pageOf(many, 'page_size=25')).toEqual({ data: ids.slice(0, 25), page: 1, pages: 3, results: 51 })
    expect(pageOf(many, 'page_size=25&page=3')).toEqual({ data: [51], page: 3, pages: 3, results: 51 })
    expect(pageOf(many, 'page_size=25&page=4')).toEqual({ data: [], page: 4, pages: 3, results: 51 })
    expect(pageOf(many.slice(0, 50), 'page_size=25')).toMatchObject({ pages: 2, results: 50 })
    expect(pageOf([], '')).toEqual({ data: [], page: 1, pages: 1, results: 0 })
  })

  test('counts only filtered records', () => {
    expect(pageOf(many, 'page_size=25&page=2', '{"label":"even"}')).toEqual({
      data: [51],
      page: 2,
      pages: 2,
      results: 26,
    })
  })
})
