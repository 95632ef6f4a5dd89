/** Queries over integers beyond 2^53: exact in what is printed and ordered, doubles in what is calculated and compared. */
import { describe, expect, test } from 'vitest'
import { runQuery } from '../../src/output/query'

const long = 9007199254740993n
/** The double next to it. */
const double = 9007199254740992

describe('a query', () => {
  const data = {
    n: [3, long, -1],
    t: ['b', 'ä', 'B'],
    o: [
      { k: 2, v: 'x' },
      { k: 1n, v: 'y' },
      { k: 1, v: 'z' },
    ],
    long,
    x: null,
  }

  test.for<[string, unknown]>([
    ['long == `9007199254740993`', true],
    ['long == `9007199254740992`', true],
    ['long != `9007199254740992`', false],
    ['long > `9007199254740992`', false],
    ['long >= `9007199254740994`', false],
    ['long < `9007199254740994`', true],
    ['long <= `9007199254740992`', true],
    ['t[0] > `1`', null],
    ['`1` < t[0]', null],
    ['n[?@ > `0`]', [3, long]],
    ['abs(long)', double],
    ['abs(`-1`)', 1],
    ['ceil(long)', double],
    ['ceil(`1.2`)', 2],
    ['floor(long)', double],
    ['floor(`1.8`)', 1],
    ['`3` × `2`', 6],
    ['`7` // `2`', 3],
    ['-o[0].k', -2],
    ['sum(`[1, 2]`)', 3],
    ['sum(`[]`)', 0],
    ['avg(`[1, 2]`)', 1.5],
    ['avg(`[]`)', null],
    ['max(n)', long],
    ['min(n)', -1],
    ['max(t)', 'ä'],
    ['min(t)', 'B'],
    ['max(`[]`)', null],
    ['sort(n)', [-1, 3, long]],
    ['sort(t)', ['B', 'b', 'ä']],
    ['max_by(o, &k).v', 'x'],
    ['min_by(o, &k).v', 'y'],
    ['max_by(`[]`, &k)', null],
    ['sort_by(o, &k)[].v', ['y', 'z', 'x']],
    ['sort_by(o, &v)[].k', [2, 1n, 1]],
    ['contains(n, `9007199254740993`)', true],
    ['contains(n, `2`)', false],
    ['contains(n, long)', true],
    ['contains(o, `{"k": 2, "v": "x"}`)', true],
    ["contains('abc', 'b')", true],
    ["contains('abc', `1`)", null],
    ["contains(t, 'a')", false],
    ['to_array(long)', [long]],
    ['to_array(n)', [3, long, -1]],
    ["to_number('9007199254740993')", double],
    ["to_number('-12')", -12],
    ["to_number('1.5')", 1.5],
    ["to_number('x')", null],
    ["to_number('')", null],
    ["to_number('0x10')", null],
    ["to_number(' 1')", null],
    ["to_number('01')", null],
    ["to_number('+1')", null],
    ["to_number('1e400')", null],
    ["to_number('-1.5e2')", -150],
    ['to_number(long)', double],
    ['to_number(t)', null],
    ['to_string(long)', '9007199254740993'],
    ['to_string(n)', '[3,9007199254740993,-1]'],
    ["to_string('a')", 'a'],
    ['to_string(x)', 'null'],
    ['type(long)', 'number'],
    ['type(`1`)', 'number'],
    ['type(x)', 'null'],
    ['type(n)', 'array'],
    ['type(o[0])', 'object'],
    ["type('a')", 'string'],
    ['type(`true`)', 'boolean'],
    ['not_null(x, long)', long],
    ['length(n)', 3],
    ["join('-', t)", 'b-ä-B'],
    ['map(&k, o)', [2, 1n, 1]],
    ['`"9007199254740993"`', '9007199254740993'],
    ['[long, {a: long}]', [long, { a: long }]],
    ['long + `2`', 9007199254740994],
    ['-long', -double],
    ['+long', double],
    ['sum(n)', 9007199254740996],
    ['avg([long, long])', double],
    ['`-7` // `2`', -4],
    ['n[?@ == `9007199254740992`] | [0]', long],
  ])('%s is %s', async ([query, result]) => {
    expect(await runQuery(data, query)).toEqual(result)
  })

  test.for([
    ['upper(long)', 'Invalid type: upper() expected argument 1 to be type (string) but received type number instead.'],
    [
      'length(long)',
      'Invalid type: length() expected argument 1 to be type (string | array | object) but received type number instead.',
    ],
    [
      'sum(long)',
      'Invalid type: sum() expected argument 1 to be type (Array<number>) but received type number instead.',
    ],
    [
      'contains(long, `1`)',
      'Invalid type: contains() expected argument 1 to be type (string | array) but received type number instead.',
    ],
    ['sort_by(o, &[k])', 'Invalid type: only numbers, or only texts, can be ordered'],
    ['max_by(`[{"k": 1}, {"k": "a"}]`, &k)', 'Invalid type: only numbers, or only texts, can be ordered'],
    ['`1` / `0`', 'not-a-number: divide by zero'],
    ['long + t[0]', 'not-a-number'],
  ] as const)('%s is rejected: %s', async ([query, message]) => {
    await expect(runQuery(data, query)).rejects.toMatchObject({
      code: 'usage',
      message: `query "${query}": ${message}`,
    })
  })
})
