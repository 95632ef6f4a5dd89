/** What may be compared with each kind of field, and how. */
import type { Field, FieldKind } from '../../catalogue/field-types'
import { compareNumbers, jsonNumber, numberOf, parseInteger, parseNumber, parseSize } from './numbers'
import { type Operator, operators } from './test'
import { readBoolean, readEnumeration, readStructure, readText } from './texts'
import { isSpanOperator, readTime } from './times'
import type { ValueKind } from './wanted'

const ordered = operators.filter((operator) => operator !== '~')
const whether: readonly Operator[] = ['=', '!=']
const textual: readonly Operator[] = ['=', '!=', '~']

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

/** The kind of a field; a list takes only what may be asked of its members one by one. */
export function kindOf({ kind, list, values }: Field): ValueKind {
  const own = kinds[kind]
  const examples = values.length > 0 ? values : own.examples
  if (!list) return { ...own, examples }
  const members = own.operators.filter((operator) => textual.includes(operator))
  return { ...own, examples, what: `a list, each member ${own.what}`, operators: members }
}

/** What may stand behind an operator, as examples: an age is never met exactly. */
export function examplesOf({ examples, read }: ValueKind, operator: Operator): readonly string[] {
  return read === readTime && !isSpanOperator(operator) ? examples.slice(0, 1) : examples
}

/** Whether `none` stands for no value there; in another text it is a text like any. */
export function takesNone({ kind, list, nullable, values }: Field): boolean {
  return list || nullable || (kind !== 'text' && !values.includes('none'))
}
