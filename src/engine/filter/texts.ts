/** Compares text, booleans, enumerations and structures. */
import { valueText } from '../../output/cells'
import { didYouMean } from '../../rules/nearest'
import type { FilterOperand, Reading } from './operand'

const truths = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

export function readBoolean({ wanted }: Reading): FilterOperand | undefined {
  const asked = truths.get(wanted.toLowerCase())
  if (asked === undefined) return undefined
  const order = (value: unknown) => {
    const held = plainText(value)
    return held === 'true' || held === 'false' ? Number(held !== String(asked)) : undefined
  }
  return { order, asked }
}

export function readText(reading: Reading): FilterOperand {
  const asked = unquoted(reading.wanted)
  if (reading.operator === '~') return { order: contains(asked, plainText) }
  return { order: differs(plainText, (held) => held === asked), asked }
}

/** Compares with an unknown value, too, as the service may have added it, but warns. */
export function readEnumeration(reading: Reading): FilterOperand {
  const wanted = readText(reading)
  const { path, values } = reading.field
  const typed = unquoted(reading.wanted)
  if (reading.operator === '~' || values.includes(typed)) return wanted
  const hint = didYouMean(typed, values) ?? `Known are: ${values.join(', ')}`
  return { ...wanted, warning: `--filter: "${typed}" is no known value of ${path}. ${hint}` }
}

/** Searches a structure as JSON. */
export function readStructure({ wanted }: Reading): FilterOperand {
  return { order: contains(unquoted(wanted), valueText) }
}

function contains(part: string, textOf: TextOf): FilterOperand['order'] {
  const lower = part.toLowerCase()
  return differs(textOf, (held) => held.toLowerCase().includes(lower))
}

/** Removes quotes, which protect blanks and the text `none`. */
function unquoted(wanted: string): string {
  return /^"(.*)"$/s.exec(wanted)?.[1] ?? wanted
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'object' || value === undefined ? undefined : String(value)
}

type TextOf = (value: unknown) => string | undefined

function differs(textOf: TextOf, agrees: (held: string) => boolean): FilterOperand['order'] {
  return (value) => {
    const held = textOf(value)
    return held === undefined ? undefined : Number(!agrees(held))
  }
}
