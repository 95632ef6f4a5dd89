/** Checks what a person wrote in a file. Reasons name the likely mistake and its fix, but no value: it may be a secret. */
import type { FieldError } from '../errors'
import { didYouMean } from '../rules/nearest'
import { protocolAdvice } from '../rules/protocols'
import { isRecord, valueAt } from '../rules/records'
import { checkValue, type UnknownKey } from './check'
import { partsOf, type Schema, unwrapped } from './operation'

type Entries = Readonly<Record<string, unknown>>

/** Lists all problems of a value; `more` are further keys of the value that the schema does not have. */
export function checkFileValue(schema: Schema, value: unknown, more: readonly string[] = []): FieldError[] {
  const own = entriesOf(schema)
  const others = Object.fromEntries(more.map((one) => [one, undefined]))
  const reasonOf = ({ key, entries, object }: UnknownKey) =>
    unknownKey(key, object, entries === own ? { ...others, ...entries } : entries)
  const errors = checkValue(schema, value, reasonOf).map(({ field, reason }) => {
    const actual = valueAt(value, field ?? '')
    return { field, reason: `${mistypes[reason]?.(actual) ?? reason}${adviceOn(field, actual)}` }
  })
  return namingKeysOnce(errors)
}

/** Leaves out a list of keys that an earlier reason has. */
function namingKeysOnce(errors: readonly FieldError[]): FieldError[] {
  const named = new Set<string>()
  return errors.map(({ field, reason }) => {
    const [list = ''] = /\. The keys are: .*$/.exec(reason) ?? []
    const isRepeated = list !== '' && named.has(list)
    named.add(list)
    return { field, reason: isRepeated ? reason.slice(0, -list.length) : reason }
  })
}

const entriesOf = (schema: Schema): Readonly<Record<string, Schema>> => partsOf(unwrapped(schema)).entries ?? {}

/** Returns the reason for an unknown key of an object, with the known one that is probably meant. */
export function unknownKey(key: string, object: Entries, entries: Entries): string {
  const keys = Object.keys(entries)
  const above = emptyAbove(key, object, (one) => keys.includes(one))
  const schema = above === undefined ? undefined : entries[above]
  if (isSchema(schema) && Object.hasOwn(entriesOf(schema), key)) return `unknown key. ${indentBelow(above)}`
  if (/^ipv[46]$/.test(key) && keys.includes('addresses')) return 'unknown key. Write it below "addresses"'
  const [, before] = /^([\w-]+):/.exec(key) ?? []
  if (before !== undefined && keys.includes(before)) return `unknown key. Write a blank after "${before}:"`
  // For `{ ports: 22,80 }`, YAML reads a key `80` without a value.
  if (object[key] === null && !/^[a-z]\w*$/i.test(key)) return `unknown key. ${commaAdvice}`
  return `unknown key. ${didYouMean(key, keys) ?? `The keys are: ${keys.join(', ')}`}`
}

const commaAdvice = 'Between braces, a comma ends a value: put one with commas in quotes, such as "22,80"'
const isSchema = (value: unknown): value is Schema => isRecord(value)

/** Returns the sentence about a key that belongs to the empty one above it. */
export const indentBelow = (above: string | undefined) => `"${above}" above it is empty. Indent this key below it`

/** Returns the nearest possible parent above a key, if it is empty: the key is probably indented too little. */
export function emptyAbove(key: string, object: Entries, isParent: (key: string) => boolean): string | undefined {
  const keys = Object.keys(object)
  const above = keys.slice(0, keys.indexOf(key)).findLast(isParent)
  return above !== undefined && object[above] === null ? above : undefined
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'an object'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'boolean' ? String(value) : 'a number'
}

/** Returns the reason for a value of the wrong type; `fixOf` returns how to fix it, if that is clear. */
const mistype = (reason: string, fixOf: (value: unknown) => string | undefined) => (value: unknown) => {
  if (value === undefined) return reason
  if (value === null) return `${reason}, but has no value`
  const fix = fixOf(value)
  return `${reason}, not ${kindOf(value)}${fix === undefined ? '' : `. ${fix}`}`
}

/** Fix for a list in the place of the rules of a firewall. */
export const listOfRulesAdvice = 'Put the rules below "inbound" or "outbound"'

/** Returns the fix for the rules file of hcloud, which is a list; undefined for other lists. */
export function hcloudAdvice(list: readonly unknown[]): string | undefined {
  const isHcloud = list.some((one) => isRecord(one) && 'direction' in one && 'source_ips' in one)
  const fields = '"direction" is a list inbound or outbound, "port" is ports, "source_ips" is addresses'
  return isHcloud ? `In rules of hcloud, ${fields}. docs/coming-from.md translates them with jq` : undefined
}

const isRule = (value: unknown) => isRecord(value) && 'action' in value && 'protocol' in value

/** Returns the reason why a value is no object. */
export const notAnObject = mistype('Must be an object', (value) => {
  if (Array.isArray(value) && value.some(isRule)) return listOfRulesAdvice
  if (Array.isArray(value))
    return hcloudAdvice(value) ?? (value.some(isRecord) ? 'Leave out the dashes before its keys' : undefined)
  const [, key] = /^([\w-]+):[^\s/]/.exec(String(value)) ?? []
  return key === undefined ? undefined : `Write a blank after "${key}:"`
})

const yesOrNo: Readonly<Record<string, boolean>> = { yes: true, on: true, y: true, no: false, off: false, n: false }

const mistypes: Readonly<Record<string, (value: unknown) => string>> = {
  'Must be an object': notAnObject,
  'Must be an array': mistype('Must be an array', (value) => {
    if (isRecord(value)) return 'Begin each item with "- "'
    return /^-\S/.test(String(value)) ? 'Write a blank after each dash' : undefined
  }),
  'Must be a string': mistype('Must be a string', (value) =>
    Array.isArray(value) ? undefined : `Put it in quotes${isRecord(value) ? ' if it is a text with a colon' : ''}`,
  ),
  'Must be an integer': mistype('Must be an integer', (value) => {
    if (typeof value === 'number') return 'Leave out the fraction'
    if (/^[-+]?0\d+$/.test(String(value))) return 'Leave out the zero at its beginning'
    return /^\d+$/.test(String(value)) ? 'Leave out the quotes' : undefined
  }),
  'Must be a boolean': mistype('Must be a boolean', (value) => {
    const suggestion = typeof value === 'string' ? (yesOrNo[value.toLowerCase()] ?? trueOrFalse(value)) : undefined
    return suggestion === undefined ? undefined : `Write ${suggestion}`
  }),
}

/** Returns how to write a value of a rule that another tool, or another place, writes like this. */
function adviceOn(field: string | null, value: unknown): string {
  const [key] = /\w+$/.exec(field ?? '') ?? []
  if (key === 'ports' && Array.isArray(value)) return '. Write them as one text, such as "22, 80-90"'
  const advice = key === 'protocol' ? protocolAdvice(value) : undefined
  return advice ? `. ${advice}` : adviceOnName(field, value)
}

/** Returns where the name of a network belongs, for one among addresses. */
function adviceOnName(field: string | null, value: unknown): string {
  const isNamed = /(^|\.)addresses(\.|$)/.test(field ?? '') && [value].flat().some(isName)
  return isNamed ? '. For the name of a network, write "from" or "to" instead of "addresses"' : ''
}

const isName = (value: unknown) => typeof value === 'string' && /^[a-z][\w.-]*$/i.test(value)

const trueOrFalse = (text: string) =>
  /^(true|false)$/i.test(text) ? `${text.toLowerCase()} without quotes` : undefined
