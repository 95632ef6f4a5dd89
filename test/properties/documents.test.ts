/** Documents: JSON, YAML, the contexts file, X-Filter (RFC 8259; YAML 1.2; gaps.md, Filtering). */
import type { Arbitrary } from 'fast-check'
import { contextsIn, toRecord } from '../../src/config/contexts-file'
import { formatJson, parseJson } from '../../src/data/json'
import { parseYaml } from '../../src/data/yaml'
import { formatYaml } from '../../src/data/yaml-writer'
import { listing, pageRequest } from '../../src/sandbox/pages'
import fc from '../support/fast-check'
import { laterProperty, nearly, property, textOf } from '../support/property'
import { orUndefined } from './or-undefined'

const json = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' })

/** Converts integers to doubles, as JSON.parse returns them. */
function toDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toDoubles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toDoubles(inner)]))
}

function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

laterProperty('JSON is parsed as by JSON.parse, and other text is refused', {
  of: nearly(
    json.map((value) => JSON.stringify(value)),
    ...['{', '}', '[', ']', '"', ',', ':', '0', '1', '-', '.', 'e', '\\', '\n', 'null', '//'],
  ),
  ours: (text) => parseJson(text).then(toDoubles, () => undefined),
  expected(text) {
    const value = orUndefined(() => JSON.parse(text))
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

/** Formats JSON with exact integers, also those that no double holds. */
function slowJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return `[${value.map(slowJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${slowJson(inner)}`)
    .join(',')}}`
}

/** Converts safe integers to numbers, since 1 and 1n have the same notation. */
const normalized = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(normalized)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalized(inner)]))
}

laterProperty('integers of any length are parsed exactly, and strings that look like them stay strings', {
  of: exact,
  ours: async (value) => normalized(await parseJson(slowJson(value))),
  expected: (value) => normalized(withIntegers(value)),
})

/** Converts whole doubles from 2^53 to integers, as formatting and parsing does. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return /e/.test(String(value)) ? value : BigInt(String(value))
  if (Array.isArray(value)) return value.map(withIntegers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIntegers(inner)]))
}

laterProperty('formatted JSON is parsed to the same value, on one line or many', {
  of: fc.tuple(exact, fc.constantFrom(0, 2)),
  ours: async ([value, indent]) => normalized(await parseJson(await formatJson(value, indent))),
  expected: ([value]) => normalized(withIntegers(value)),
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

laterProperty('formatted YAML is parsed to the same value', {
  of: plain,
  ours: async (value) => normalized((await parseYaml(await formatYaml(value, String))).value),
  expected: normalized,
})

laterProperty('JSON is parsed as YAML to the same value', {
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

property('stored contexts are parsed to the same, with any names and with fields of later versions', {
  of: fc.tuple(fc.array(fc.tuple(names, context), { maxLength: 3 }), fc.option(names, { nil: undefined })),
  ours([contexts, current]) {
    const record = toRecord({ contexts: new Map(contexts), ...(current !== undefined && { current }) })
    const config = contextsIn('contexts.json', JSON.stringify(record))
    return config && [config.current, [...config.contexts]]
  },
  expected: ([contexts, current]) => [
    current,
    [...new Map(contexts)].map(([name, one]) => [name, JSON.parse(JSON.stringify(one))]),
  ],
  total: true,
})

property('a contexts file is valid if each context has a base URL, and its fields are strings', {
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
  ours: (record) => (contextsIn('contexts.json', JSON.stringify(record)) ? true : undefined),
  expected({ current, contexts = {} }) {
    if (current !== undefined && typeof current !== 'string') return undefined
    if (typeof contexts !== 'object' || contexts === null || Array.isArray(contexts)) return undefined
    const all = Object.values(contexts as Record<string, { base_url: unknown; token?: unknown }>)
    const areValid = all.every(
      (one) => typeof one.base_url === 'string' && (one.token === undefined || typeof one.token === 'string'),
    )
    return areValid || undefined
  },
})

const fieldValue = fc.oneof(fc.nat(3), fc.constantFrom('a', 'ab', 'b'), fc.constant(null), fc.boolean())
const record = fc.record({ a: fieldValue, b: fieldValue, tags: fc.subarray(['a', 'b', 'ab']) })
const condition = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(
        fc.constantFrom('a', 'b', 'tags'),
        fc.oneof(
          fieldValue,
          fc
            .tuple(fc.constantFrom('+gt', '+gte', '+lt', '+lte', '+neq', '+contains', '+odd'), fieldValue)
            .map(([operator, operand]) => ({ [operator]: operand })),
        ),
      )
      .map(([key, constraint]) => ({ [key]: constraint })),
    fc
      .tuple(fc.constantFrom('+and', '+or'), fc.array(tie('filter'), { maxLength: 3 }))
      .map(([key, all]) => ({ [key]: all })),
    fc.constant({ other: 1 }),
  ),
})).filter

/** Whether a record passes a filter; throws if the service refuses the filter. */
function passes(one: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  const comparable = (x: unknown, y: unknown) => typeof x === typeof y && ['number', 'string'].includes(typeof x)
  const verdicts = Object.entries(filter).map(([key, constraint]) => {
    if (key === '+and' || key === '+or') {
      const inner = (constraint as Record<string, unknown>[]).map((each) => passes(one, each))
      return key === '+and' ? !inner.includes(false) : inner.includes(true)
    }
    if (!(key in one)) throw new Error(`no key ${key}`)
    const value = one[key]
    const isEqual = (x: unknown) => (Array.isArray(value) ? value.includes(x) : value === x)
    if (typeof constraint !== 'object' || constraint === null) return isEqual(constraint)
    const [[operator, operand] = ['', null]] = Object.entries(constraint)
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

property('X-Filter selects records that meet all conditions, and refuses unknown keys and operators', {
  of: fc.tuple(fc.array(record, { minLength: 1, maxLength: 4 }), condition),
  ours: ([records, filter]) =>
    orUndefined(
      () =>
        listing(records, (one) => one)(pageRequest(new URLSearchParams(), JSON.stringify(filter), ['a', 'b', 'tags']))
          .data,
    ),
  expected: ([records, filter]) => orUndefined(() => records.filter((one) => passes(one, filter))),
})
