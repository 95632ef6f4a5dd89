/** Defines the operators, the values and the order of `--sort` for each kind of field. */
import { type Field, type FieldKind, fieldsOf } from '../../catalogue/field-types'
import type { Operation } from '../../catalogue/operation'
import { valueText } from '../../output/cells'
import type { SortBy, SortKey } from '../../output/sort'
import {
  type FilterOperand,
  type FilterOperator,
  isSpanOperator,
  operators,
  type Reading,
  type ValueKind,
} from './test-syntax'

const ordered = operators.filter((operator) => operator !== '~')
const whether: readonly FilterOperator[] = ['=', '!=']
const textual: readonly FilterOperator[] = ['=', '!=', '~']

const numeric = (what: string, examples: readonly string[], parse: typeof parseNumber): ValueKind => ({
  what,
  operators: ordered,
  examples,
  read({ operand }) {
    const number = parse(operand)
    if (number === undefined) return undefined
    const order = (value: unknown) => {
      const actual = numberOf(value)
      return actual === undefined ? undefined : actual - number
    }
    return { order, ...(Number.isSafeInteger(number) && { serviceValue: number }) }
  },
})

const readTime: ValueKind['read'] = async (reading) => (await import('./times')).readTime(reading)

const time: ValueKind = { what: 'a time', operators: ordered, examples: ['2026-01-31', '7d'], read: readTime }

const kinds: Readonly<Record<FieldKind, ValueKind>> = {
  integer: numeric('a whole number', ['40'], parseInteger),
  number: numeric('a number', ['40', '1.5'], parseNumber),
  size: numeric('a number of GiB', ['40', '40GiB'], parseSize),
  boolean: { what: 'true or false', operators: whether, examples: ['true', 'false'], read: readBoolean },
  time,
  deadline: time,
  address: {
    what: 'an address',
    operators: textual,
    examples: ['192.0.2.7', '192.0.2.0/24', '2001:db8::/32'],
    async read(reading) {
      return reading.operator === '~' ? readText(reading) : (await import('./addresses')).readAddress(reading)
    },
  },
  enumeration: { what: 'a text', operators: textual, examples: [], read: readEnumeration },
  text: { what: 'a text', operators: textual, examples: ['web'], read: readText },
  structure: { what: 'a structure', operators: ['~'], examples: ['web'], read: readStructure },
}

/** Returns the kind of a field; a list only has the operators that apply to its items. */
export function kindOf({ kind, list, values }: Field): ValueKind {
  const own = kinds[kind]
  const examples = values.length > 0 ? values : own.examples
  if (!list) return { ...own, examples }
  const members = own.operators.filter((operator) => textual.includes(operator))
  return { ...own, examples, what: `a list, each member ${own.what}`, operators: members }
}

/** Returns example values for an operator: durations do not work with `=`, as an age is never exact. */
export function examplesOf({ examples, read }: ValueKind, operator: FilterOperator): readonly string[] {
  return read === readTime && !isSpanOperator(operator) ? examples.slice(0, 1) : examples
}

/** Reports whether `none` means "no value" for this field; in other text fields it is plain text. */
export function takesNone({ kind, list, nullable, values }: Field): boolean {
  return list || nullable || (kind !== 'text' && !values.includes('none'))
}

const truths = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

function readBoolean({ operand }: Reading): FilterOperand | undefined {
  const expected = truths.get(operand.toLowerCase())
  if (expected === undefined) return undefined
  const order = (value: unknown) => {
    const actual = plainText(value)
    return actual === 'true' || actual === 'false' ? Number(actual !== String(expected)) : undefined
  }
  return { order, serviceValue: expected }
}

function readText(reading: Reading): FilterOperand {
  const expected = unquoted(reading.operand)
  if (reading.operator === '~') return { order: contains(expected, plainText) }
  return {
    order: differs(plainText, (actual) => actual === expected),
    serviceValue: expected,
    ...starHint(reading, expected),
  }
}

/** `label=data*` of other tools: a star stands for itself here. */
function starHint({ field, operator, operand }: Reading, expected: string): Pick<FilterOperand, 'warning'> {
  const { path, nullable } = field
  const part = expected.replaceAll('*', '')
  // A scope is a star.
  if (operator !== '=' || part === expected || (part === '' && !nullable)) return {}
  const other = part === '' ? `any value: ${path}!=none` : `a part of it: ${path}~${part}`
  return { warning: `--filter: ${path}=${operand} compares the whole text, with the star. For ${other}` }
}

/** Compares with an unknown value, too, as the service may have added it, but warns. */
async function readEnumeration(reading: Reading): Promise<FilterOperand> {
  const operand = readText(reading)
  const { path, values } = reading.field
  const text = unquoted(reading.operand)
  if (reading.operator === '~' || values.includes(text)) return operand
  const { didYouMean } = await import('../../rules/nearest')
  const hint = didYouMean(text, values) ?? `Known are: ${values.join(', ')}`
  return { ...operand, warning: `--filter: "${text}" is not a known value of ${path}. ${hint}` }
}

/** Searches a structure as JSON. */
function readStructure({ operand }: Reading): FilterOperand {
  return { order: contains(unquoted(operand), valueText) }
}

function contains(part: string, textOf: TextOf): FilterOperand['order'] {
  const lower = part.toLowerCase()
  return differs(textOf, (actual) => actual.toLowerCase().includes(lower))
}

/** Removes quotes, which protect blanks and the text `none`. */
function unquoted(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1] ?? text
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'object' || value === undefined ? undefined : String(value)
}

type TextOf = (value: unknown) => string | undefined

function differs(textOf: TextOf, agrees: (actual: string) => boolean): FilterOperand['order'] {
  return (value) => {
    const actual = textOf(value)
    return actual === undefined ? undefined : Number(!agrees(actual))
  }
}

type KeyOf = (value: unknown) => SortKey | undefined

/** Adds sort keys for the kinds of the fields. */
export const withSortKeys = (fields: readonly SortBy[], operation: Operation): Promise<SortBy[]> =>
  Promise.all(fields.map(async (field) => ({ ...field, keyOf: await sortKeyOf(field.path, operation) })))

/** Returns a function that computes sort keys; undefined, or no function, if values are sorted unchanged. */
export async function sortKeyOf(path: string, operation: Operation): Promise<KeyOf | undefined> {
  const field = fieldsOf(operation).find((one) => one.path === path)
  return field && !field.list ? keysOf(field.kind) : undefined
}

async function keysOf(kind: FieldKind): Promise<KeyOf | undefined> {
  if (kind === 'address') return (await import('./addresses')).placeOf
  if (kind === 'time' || kind === 'deadline') return (await import('./times')).timeOf
  return kind === 'integer' || kind === 'size' ? wholeNumber : undefined
}

/** Sorts digits in a string by their value. */
function wholeNumber(value: unknown): SortKey | undefined {
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? BigInt(value) : undefined
}

const powers = ['K', 'M', 'G', 'T', 'P']
/** Units in bytes. */
const units = new Map([
  ['B', 1],
  ...powers.map((power, index) => [`${power}B`, 1000 ** (index + 1)] as const),
  ...powers.map((power, index) => [`${power}IB`, 1024 ** (index + 1)] as const),
])
const gibibyte = 1024 ** 3

/** Parses `40` or `-1.5`; undefined for other text. */
export function parseNumber(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Parses a number without decimals; undefined for other text. */
export function parseInteger(text: string): number | undefined {
  return text.includes('.') ? undefined : parseNumber(text)
}

/** Parses `40`, `40GiB`, `1.5TiB` or `100GB` (10^11 bytes) in GiB; undefined for other text. */
export function parseSize(text: string): number | undefined {
  const match = /^([\d.]+)\s*([a-z]+)?$/i.exec(text)
  if (!match) return undefined
  const [, count = '', unit = 'GiB'] = match
  const number = parseNumber(count)
  const bytes = units.get(unit.toUpperCase())
  return number === undefined || bytes === undefined ? undefined : (number * bytes) / gibibyte
}

/** Returns a record's number, also from digits in a string. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseNumber(value)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
