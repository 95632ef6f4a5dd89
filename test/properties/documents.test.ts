/** Documents: JSON, YAML, the contexts file, X-Filter (RFC 8259; YAML 1.2; gaps.md, Filtering). */
import type { Arbitrary } from 'fast-check'
import { parseConfig, toRecord } from '../../src/config/contexts'
import { formatJson, parsedWithin } from '../../src/data/json'
import { memoryBudget } from '../../src/data/memory-limits'
import { formatYaml, parseYaml } from '../../src/data/yaml'
import { listing, pageRequest } from '../../src/sandbox/pages'
import fc from '../support/fast-check'
import { laterProperty, nearly, property, textOf } from '../support/property'

const orNothing = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const parsed = (text: string) => parsedWithin(text, memoryBudget(2 ** 30)).value
const json = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' })

/** Integers as doubles, which is all that JSON.parse has. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]))
}

function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

property('what is JSON is read as by JSON.parse, and nothing else is', {
  of: nearly(
    json.map((value) => JSON.stringify(value)),
    ...['{', '}', '[', ']', '"', ',', ':', '0', '1', '-', '.', 'e', '\\', '\n', 'null', '//'],
  ),
  ours: (text) => orNothing(() => rounded(parsed(text))),
  expected(text) {
    const value = orNothing(() => JSON.parse(text))
    // A number that no double holds is refused, and JSON has no Infinity.
    return isExact(value) ? value : undefined
  },
})

const long = fc.bigInt(-(10n ** 30n), 10n ** 30n)
const exact = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.oneof(
      long,
      fc.nat(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      textOf('a', '"', '1234567890123456789', '\\', 'e999'),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', '__proto__', '12345678901234567890'), tie('value')),
  ),
})).value

/** Each integer as BigInt reads it, where a double may not hold it. */
function slowJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return `[${value.map(slowJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${slowJson(inner)}`)
    .join(',')}}`
}

/** 1 and 1n are written alike. */
const normal = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normal(inner)]))
}

property('integers of any length are read exactly, and texts that look like them stay texts', {
  of: exact,
  ours: (value) => normal(parsed(slowJson(value))),
  expected: (value) => normal(asNumbers(value)),
  total: true,
})

/** A whole double from 2^53 on is written as an integer, and read as one. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return /e/.test(String(value)) ? value : BigInt(String(value))
  if (Array.isArray(value)) return value.map(asNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asNumbers(inner)]))
}

laterProperty('JSON that is written is read as the same, on one line and on many', {
  of: fc.tuple(exact, fc.constantFrom(0, 2)),
  ours: async ([value, indent]) => normal(parsed(await formatJson(value, indent))),
  expected: ([value]) => normal(asNumbers(value)),
})

const odd = fc.constantFrom(
  'yes',
  'no',
  '~',
  'null',
  '0x10',
  '1e3',
  '2026-01-31',
  ' a ',
  '- a',
  'a: b',
  '# a',
  '"',
  "'",
  'a\nb',
  'a\r',
  '\t',
  '',
  '!x',
  '&a',
  '*a',
  '0o7',
  '1_000',
  '.inf',
  '<<',
)
const plain: Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(odd, fc.string(), fc.integer(), long, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(odd, fc.string()), tie('value'), { maxKeys: 3 }),
  ),
})).value

laterProperty('YAML that is written is read as the same', {
  of: plain,
  ours: async (value) => normal((await parseYaml(await formatYaml(value, String))).value),
  expected: normal,
})

laterProperty('JSON is YAML, and means the same', {
  of: fc.dictionary(fc.string(), fc.oneof(odd, fc.integer(), fc.boolean(), fc.array(fc.integer())), { maxKeys: 3 }),
  ours: async (value) => (await parseYaml(JSON.stringify(value))).value,
  expected: (value) => ({ ...value }),
})

const context = fc.record(
  {
    base_url: fc.constant('https://api.example.net/v4'),
    token: textOf('a', '"', 'ä'),
    user: textOf('ada', ' '),
    defaults: fc.constantFrom({}, { region: 'us-east' }),
    of_a_later_version: fc.constantFrom<unknown>(1, null, [{ a: 'b' }]),
  },
  { requiredKeys: ['base_url'] },
)
const names = fc.constantFrom('prod', 'stag', '__proto__', 'constructor', 'ä b')

property('contexts that are stored are read as the same, whatever their names, with what a later version added', {
  of: fc.tuple(fc.array(fc.tuple(names, context), { maxLength: 3 }), fc.option(names, { nil: undefined })),
  ours([contexts, current]) {
    const record = toRecord({ contexts: new Map(contexts), ...(current !== undefined && { current }) })
    const config = parseConfig(JSON.stringify(record))
    return config && [config.current, [...config.contexts]]
  },
  expected: ([contexts, current]) => [
    current,
    [...new Map(contexts)].map(([name, one]) => [name, JSON.parse(JSON.stringify(one))]),
  ],
  total: true,
})

property('a file whose contexts have an address each, and texts where they have texts, is none that is damaged', {
  of: fc.record(
    {
      current: fc.oneof(fc.constant('prod'), fc.constant(5), fc.constant(null)),
      contexts: fc.oneof(
        {
          weight: 5,
          arbitrary: fc.dictionary(
            names,
            fc.record(
              { base_url: fc.constantFrom('x', 'x', 'x', 5), token: fc.constantFrom('t', 't', 't', null) },
              { requiredKeys: ['base_url'] },
            ),
            { maxKeys: 2 },
          ),
        },
        { weight: 1, arbitrary: fc.constantFrom<unknown>([], null, 'x') },
      ),
    },
    { requiredKeys: [] },
  ),
  ours: (record) => (parseConfig(JSON.stringify(record)) ? true : undefined),
  expected({ current, contexts = {} }) {
    if (current !== undefined && typeof current !== 'string') return undefined
    if (typeof contexts !== 'object' || contexts === null || Array.isArray(contexts)) return undefined
    const all = Object.values(contexts as Record<string, { base_url: unknown; token?: unknown }>)
    const whole = all.every(
      (one) => typeof one.base_url === 'string' && (one.token === undefined || typeof one.token === 'string'),
    )
    return whole || undefined
  },
})

const held = fc.oneof(fc.nat(3), fc.constantFrom('a', 'ab', 'b'), fc.constant(null), fc.boolean())
const record = fc.record({ a: held, b: held, tags: fc.subarray(['a', 'b', 'ab']) })
const condition = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(
        fc.constantFrom('a', 'b', 'tags'),
        fc.oneof(
          held,
          fc
            .tuple(fc.constantFrom('+gt', '+gte', '+lt', '+lte', '+neq', '+contains', '+odd'), held)
            .map(([operator, operand]) => ({ [operator]: operand })),
        ),
      )
      .map(([key, wanted]) => ({ [key]: wanted })),
    fc
      .tuple(fc.constantFrom('+and', '+or'), fc.array(tie('filter'), { maxLength: 3 }))
      .map(([key, all]) => ({ [key]: all })),
    fc.constant({ other: 1 }),
  ),
})).filter

/** Whether a record passes; throws for what a service refuses. */
function passes(one: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  const comparable = (x: unknown, y: unknown) => typeof x === typeof y && ['number', 'string'].includes(typeof x)
  const verdicts = Object.entries(filter).map(([key, wanted]) => {
    if (key === '+and' || key === '+or') {
      const inner = (wanted as Record<string, unknown>[]).map((each) => passes(one, each))
      return key === '+and' ? !inner.includes(false) : inner.includes(true)
    }
    if (!(key in one)) throw new Error(`no key ${key}`)
    const value = one[key]
    const isEqual = (x: unknown) => (Array.isArray(value) ? value.includes(x) : value === x)
    if (typeof wanted !== 'object' || wanted === null) return isEqual(wanted)
    const [[operator, operand] = ['', null]] = Object.entries(wanted)
    const [x, y] = [value, operand] as [string, string]
    switch (operator) {
      case '+neq':
        return !isEqual(operand)
      case '+contains':
        return (
          typeof operand === 'string' &&
          [value].flat().some((text) => typeof text === 'string' && text.includes(operand))
        )
      case '+gt':
        return comparable(x, y) && x > y
      case '+gte':
        return comparable(x, y) && x >= y
      case '+lt':
        return comparable(x, y) && x < y
      case '+lte':
        return comparable(x, y) && x <= y
      default:
        throw new Error(operator)
    }
  })
  return verdicts.every(Boolean)
}

property('X-Filter leaves what each of its conditions leaves, and refuses keys and operators that are unknown', {
  of: fc.tuple(fc.array(record, { minLength: 1, maxLength: 4 }), condition),
  ours: ([records, filter]) =>
    orNothing(
      () =>
        listing(records, (one) => one)(pageRequest(new URLSearchParams(), JSON.stringify(filter), ['a', 'b', 'tags']))
          .data,
    ),
  expected: ([records, filter]) => orNothing(() => records.filter((one) => passes(one, filter))),
})
