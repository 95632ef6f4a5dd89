/** Replaces each field of an answer by values that no client should receive. */
import { once } from '../../src/rules/once'

/** Raw JSON that replaces a value; undefined removes it. */
export interface Value {
  name: string
  raw: string | undefined
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const json = (value: unknown) => JSON.stringify(value)
const texts = (entries: Record<string, string>) =>
  Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, json(text)]))

export const hostileValues: readonly Value[] = Object.entries({
  missing: undefined,
  null: 'null',
  true: 'true',
  false: 'false',
  zero: '0',
  'minus one': '-1',
  half: '1.5',
  huge: '1e308',
  'more than a number holds': '1e999',
  'beyond 2^53': '9007199254740993',
  'an empty text': '""',
  'a text': '"hostile"',
  'the text of a number': '"40"',
  'NaN as a text': '"NaN"',
  'a time with a zone': '"2026-01-31T12:00:00.5+01:00"',
  'a long text': json('x'.repeat(20_000)),
  'control characters': json('\u001b[2J\u009b\u202e\u200b\r\n\t\u0007'),
  'a lone surrogate': '"\\ud800"',
  'a formula': '"=1+1"',
  __proto__: '"__proto__"',
  constructor: '"constructor"',
  'an empty list': '[]',
  'an empty object': '{}',
  'a list of null': '[null]',
  'a list of lists': '[[]]',
  'a list of numbers': '[1,-1,1.5]',
  'an object of prototypes': '{"__proto__":{"x":1},"constructor":null,"toString":"x"}',
  'levels that are many': nested(300),
  'levels that are too many': nested(600),
  'a number too small to tell from zero': '1e-320',
  'an integer with an exponent': '4E1',
  'an integer of 400 digits': '9'.repeat(400),
  'below -2^53': '-9007199254740993',
  'a list of texts': '["hostile","","hostile"]',
  'a list of an empty object': '[{}]',
  'a list of lists of objects': '[[{"id":1}]]',
  'a long list': json(Array.from({ length: 2000 }, (_, index) => index)),
  'an object that looks like a list': '{"0":{"id":1},"length":4294967295}',
  'an object of methods': '{"then":{},"toJSON":1,"valueOf":null,"length":-1}',
  'an object of odd keys': '{"":1," ":2,"\\u001b[2J":3,"a.b":4,"[0]":5}',
  'an object with a key twice': '{"id":1,"id":2}',
  ...texts({
    blanks: '   ',
    'the end of a C text': 'hostile\0',
    lines: 'one\ntwo\r\nthree\u2028four',
    'the marks of tables': 'a,"b";c|d\te',
    'a link of a terminal': '\u001b]8;;https://example.org\u0007hostile\u001b]8;;\u0007',
    'what cannot be seen': '\u2066\ufeff\u00ad\u{e0041}\ufe0f',
    'marks that pile up': `e${'\u0301'.repeat(300)}`,
    'wide characters': '\u6f22'.repeat(300),
    'a family': '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
    'a path upwards': '../../profile',
    'an address with a user': 'https://user:pass@example.org/',
    markup: '<script>alert(1)</script>',
    'what YAML reads otherwise': '- a: &b [0o17, 1_000, ~]',
    'a flag': '--help',
    'a dash': '-',
    'a time that is none': '2026-13-45T99:99:99',
    'a day': '2026-01-31',
    'a range of IPv6': '2001:db8::/64',
  }),
}).map(([name, raw]) => ({ name, raw }))

export type Path = readonly (string | number)[]

/** Returns the path of the whole value and of each field in it. Only the first item of a list is included. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Array.isArray(value)
    ? value.slice(0, 1).map((item, index) => [index, item] as const)
    : Object.entries(value)
  return [path, ...entries.flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

export function valueAtPath(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value)
}

/** Returns the body with another value at a path. If the whole body is removed, it is empty. */
export function spoiledBody(body: unknown, path: Path, { raw }: Value): string {
  if (path.length === 0) return raw ?? ''
  const mark = 'skyctl-hostile-value'
  const copy = structuredClone(body)
  const holder = valueAtPath(copy, path.slice(0, -1)) as Record<string | number, unknown>
  const key = path.at(-1) ?? ''
  if (raw === undefined) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else holder[key] = mark
  return JSON.stringify(copy).replace(json(mark), () => raw ?? '')
}

/** Adds such a body, created on first use: of thousands, a test sends few. */
export function lazyBody<T extends object>(fields: T, make: () => string): T & { readonly body: string } {
  const body = once(make)
  return {
    ...fields,
    get body() {
      return body()
    },
  }
}

/** Returns variants of a value that depend on it, such as a list with each item twice. */
export function ownValues(value: unknown, path: Path): Value[] {
  const wrapped = { name: 'itself in a list', raw: json([value]) }
  if (Array.isArray(value)) {
    return [
      { name: 'each item twice', raw: json(value.flatMap((item) => [item, item])) },
      { name: 'the list and null', raw: json([...value, null]) },
      { name: 'the list the other way round', raw: json([...value].reverse()) },
      wrapped,
    ]
  }
  if (typeof value === 'object' && value !== null) {
    const fields = json(value).slice(1, -1)
    return [
      { name: 'itself with a key that nobody knows', raw: `{${fields}${fields && ','}"x_later":${nested(3)}}` },
      { name: 'itself with a key of prototypes', raw: `{"__proto__":{"id":1}${fields && ','}${fields}}` },
      wrapped,
    ]
  }
  if (typeof value === 'number') {
    const other = path.at(-1) === 'id' ? [{ name: 'another id', raw: String(value + 1) }] : []
    return [...other, { name: 'itself as a text', raw: json(String(value)) }, wrapped]
  }
  if (typeof value !== 'string') return [wrapped]
  return [
    { name: 'itself in capitals', raw: json(value.toUpperCase()) },
    { name: 'itself and a blank', raw: json(`${value} `) },
    { name: 'itself as a key', raw: json({ [value]: true }) },
    wrapped,
  ]
}
