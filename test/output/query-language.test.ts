/** Rules of the specification of JMESPath Community, held against what `--query` calls. */
import { describe, expect, test } from 'vitest'
import { runQuery } from '../../src/output/query'

const document = {
  name: 'web',
  'a-b': 1,
  empty: {},
  none: null,
  ok: true,
  text: 'abcde',
  sizes: [20, 10, 40, 30],
  nested: [[1, [2]], 3, [4]],
  volumes: [
    { id: 1, label: 'a', size: 20, tags: ['x', 'y'], place: { region: 'r1' } },
    { id: 2, label: 'b', size: null, tags: [], place: { region: 'r2' } },
    { id: 3, size: 40, tags: ['y'] },
  ],
}

describe('--query follows the specification of JMESPath:', () => {
  test.for<[rule: string, query: string, result: unknown]>([
    ['a missing key is null', 'missing', null],
    ['a key below null is null', 'none.key', null],
    ['a key of a list is null', 'sizes.key', null],
    ['a quoted identifier is a key', '"a-b"', 1],
    ['a quoted identifier decodes JSON escapes', '"\\u006eame"', 'web'],
    ['@ is the current node', '@.name', 'web'],
    ['$ is the root, also below a projection', 'volumes[?id==`1`].[$.name] | [0][0]', 'web'],
    ['an index counts from zero', 'sizes[0]', 20],
    ['a negative index counts from the end', 'sizes[-1]', 30],
    ['an index beyond the end is null', 'sizes[9]', null],
    ['an index of an object is null', 'empty[0]', null],
    ['a slice leaves out its end', 'sizes[1:3]', [10, 40]],
    ['a slice has a step', 'sizes[::2]', [20, 40]],
    ['a negative step reverses', 'sizes[::-1]', [30, 40, 10, 20]],
    ['a slice beyond the ends is cut', 'sizes[-9:2]', [20, 10]],
    ['a slice of a text is a text', 'text[1:3]', 'bc'],
    ['a text is reversed by a slice', 'text[::-1]', 'edcba'],
    ['a list projection leaves out null', 'volumes[*].label', ['a', 'b']],
    ['a projection keeps values that are false', "[`false`, `0`, ''][*]", [false, 0, '']],
    ['a list projection of an object is null', 'empty[*]', null],
    ['an object projection takes the values', '{a: `1`, b: `2`}.*', [1, 2]],
    ['an object projection of a list is null', 'sizes.*', null],
    ['flattening opens one level', 'nested[]', [1, [2], 3, 4]],
    ['flattening twice opens two levels', 'nested[][]', [1, 2, 3, 4]],
    ['flattening an object is null', 'empty[]', null],
    ['a pipe ends a projection', 'volumes[*].tags | [0]', ['x', 'y']],
    ['without a pipe an index works on each', 'volumes[*].tags[0]', ['x', 'y']],
    ['a filter keeps what is true', 'volumes[?size > `10`].id', [1, 3]],
    ['a comparison with null is false in a filter', 'volumes[?size < `100`].id', [1, 3]],
    ['== compares deeply', "volumes[?tags == ['x', 'y']].id", [1]],
    ['== of other types is false', "volumes[?id == '1'].id", []],
    ['!= of other types is true', "volumes[?id != '1'].id", [1, 2, 3]],
    ['an order of texts is null', "'a' < 'b'", null],
    ['an empty list is false', 'volumes[?tags].id', [1, 3]],
    ['an empty object and an empty text are false', "[empty || 'e', '' || 't']", ['e', 't']],
    ['zero is true', '`0` && name', 'web'],
    ['|| returns the first true value', 'none || missing || name', 'web'],
    ['&& returns the first false value', 'ok && none', null],
    ['! negates the truth of a value', '[!none, !name, !`0`]', [true, false, false]],
    ['&& binds before ||', "ok || none && 'x'", true],
    ['parentheses bind first', "(ok || none) && 'x'", 'x'],
    ['a multiselect list keeps null', 'volumes[2].[id, label]', [3, null]],
    ['a multiselect hash names its values', 'volumes[0].{i: id, r: place.region}', { i: 1, r: 'r1' }],
    ['a multiselect of null is null', 'none.[a, b]', null],
    ['a literal is JSON', '`{"a": [1, "b"]}`', { a: [1, 'b'] }],
    ['a literal escapes its backquote', '`"\\`"`', '`'],
    ['a raw string keeps what JSON would decode', "'\\u0061'", '\\u0061'],
    ['a raw string escapes its quote', "'it\\'s'", "it's"],
    ['a raw string of two backslashes is one', "'\\\\'", '\\'],
    ['an expression may be broken over lines', 'volumes[\n0\n]\n.id', 1],
    ['length counts code points', "length('añ😀')", 3],
    ['length counts keys', 'length(volumes[0].place)', 1],
    ['not_null returns the first value that is not null', 'not_null(none, missing, name)', 'web'],
    ['merge prefers the last', 'merge({a: `1`, b: `1`}, {b: `2`})', { a: 1, b: 2 }],
    ['map keeps null', 'map(&label, volumes)', ['a', 'b', null]],
    ['join takes the separator first', "join('-', volumes[0].tags)", 'x-y'],
    [
      'type names the types of JSON',
      '[type(none), type(sizes), type(empty), type(ok)]',
      ['null', 'array', 'object', 'boolean'],
    ],
    ['to_array wraps what is no list', '[to_array(name), to_array(sizes[:1])]', [['web'], [20]]],
    ['keys and values have one order', '[keys({b: `1`}), values({b: `1`})]', [['b'], [1]]],
    ['sort_by is stable', 'sort_by(volumes, &length(tags))[].id', [2, 3, 1]],
    ['reverse takes texts and lists', '[reverse(text), reverse(sizes[:2])]', ['edcba', [10, 20]]],
    ['group_by leaves out keys that are null', 'keys(group_by(volumes[:2], &label))', ['a', 'b']],
    ['let binds names', 'let $most = `20` in volumes[?size > $most].id', [3]],
    ['arithmetic works on numbers', 'sizes[0] * `2` + `1`', 41],
  ])('%s: %s', async ([, query, result]) => {
    expect(await runQuery(document, query)).toEqual(result)
  })

  test.for([
    "abs('1')",
    'length(`1`)',
    'sum(name)',
    "join('-', sizes)",
    'max(volumes)',
    'sort_by(volumes, &label)',
    'keys(sizes)',
    'starts_with(text, `1`)',
  ])('an argument of another type is an error: %s', async (query) => {
    await expect(runQuery(document, query)).rejects.toMatchObject({ code: 'usage' })
  })

  test.for([
    'sizes[::0]',
    'volumes[',
    "'open",
    '`{`',
    'a b',
    'foo.',
    '[*',
    '&name &',
    'unknown(@)',
    'length()',
    'length(a, b)',
  ])('an expression that is none is refused: %s', async (query) => {
    await expect(runQuery(document, query)).rejects.toMatchObject({ code: 'usage' })
  })
})
