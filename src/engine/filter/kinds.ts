/** Defines the operators and values for each kind of field. */
import type { Field, FieldKind } from '../../catalogue/field-types'
import { compareNumbers, jsonNumber, numberOf, parseInteger, parseNumber, parseSize } from './numbers'
import type { ValueKind } from './operand'
import { type FilterOperator, operators } from './test'
import { readBoolean, readEnumeration, readStructure, readText } from './texts'
import { isSpanOperator, readTime } from './times'

const ordered = operators.filter((operator) => operator !== '~')
const whether: readonly FilterOperator[] = ['=', '!=']
const textual: readonly FilterOperator[] = ['=', '!=', '~']

const numeric = (what: string, examples: readonly string[], parse: typeof parseNumber): ValueKind => ({
  what,
  operators: ordered,
  examples,
  read({ wanted }) {
    const number = parse(wanted)
    if (!number) return undefined
    const order = (value: unknown) => {
      const held = numberOf(value)
      return held && compareNumbers(held, number)
    }
    const asked = jsonNumber(number)
    return { order, ...(asked !== undefined && { asked }) }
  },
})

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
