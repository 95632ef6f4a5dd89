/** Every field of an answer, replaced by what no client should meet. */

/** The raw JSON that takes the place of a value; undefined takes it away. */
export interface Value {
  name: string
  raw: string | undefined
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const json = (value: unknown) => JSON.stringify(value)

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
}).map(([name, raw]) => ({ name, raw }))

export type Path = readonly (string | number)[]

/** The whole, and each field in it; of a list the first item stands for the others. */
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

/** The body with something else at a place; the whole may not be missing, and is empty then. */
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

/** What is wrong with the list itself, or with what it is about, where it is nothing of one value. */
export function ownValues(value: unknown, path: Path): Value[] {
  if (Array.isArray(value)) return [{ name: 'each item twice', raw: json(value.flatMap((item) => [item, item])) }]
  if (typeof value === 'number' && path.at(-1) === 'id') return [{ name: 'another id', raw: String(value + 1) }]
  return []
}
