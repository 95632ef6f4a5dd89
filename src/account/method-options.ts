/** Options of methods. Programs without types may pass anything, so names and values are checked before anything is sent. */
import { type Field, type FieldKind, fieldsOf } from '../catalogue/field-types'
import { type Operation, partsOf, type Schema } from '../catalogue/operation'
import { Problem } from '../errors'
import { hashPattern } from '../firewall/hash'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { joinNames } from '../rules/texts'
import { expectKeepOpen } from './lockout/read-keep-open'

/** Returns the reason if a value is wrong: `must be true or false`. */
export type ValueCheck = (value: unknown) => string | undefined

/** Returns a check that a test passes. */
export const must =
  (be: string, test: (value: unknown) => boolean): ValueCheck =>
  (value) =>
    test(value) ? undefined : `must be ${be}`

const isBoolean = must('true or false', (value) => typeof value === 'boolean')
const isListOfTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string')
const isPositive = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0

const changeOptions = {
  wait: must(
    'true, false or a whole number of milliseconds',
    (value) => typeof value === 'boolean' || isPositive(value),
  ),
  ifAbsent: isBoolean,
  ifPresent: isBoolean,
  ifMatch: must('a hash of rules', (value) => typeof value === 'string' && hashPattern.test(value)),
  force: isBoolean,
  allowDuplicate: isBoolean,
  keepOpen: must('a list of traffic, such as tcp/22@198.51.100.7', isListOfTexts),
  allowLockout: isBoolean,
} satisfies Record<string, ValueCheck>

export type ChangeOptionName = keyof typeof changeOptions

/** Throws `usage` for an option that a method does not have, with the nearest one, or for a wrong value. */
export function expectOptions(
  options: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, ValueCheck>>,
  { by, hintOf = () => undefined }: { by: string; hintOf?(name: string): string | undefined },
): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check) throw unknownOption(name, Object.keys(checks), { by, hint: hintOf(name) })
    const reason = value === undefined ? undefined : check(value)
    if (reason) throw new Problem('usage', `${name} ${reason}`)
  }
}

function unknownOption(name: string, names: readonly string[], { by, hint }: { by: string; hint: string | undefined }) {
  const all = names.length > 0 ? `Options: ${names.join(', ')}` : 'It has no options'
  return new Problem('usage', `${by} has no option "${name}"`, { hint: didYouMean(name, names) ?? hint ?? all })
}

/** A method, and its name in messages: `volumes.create`. */
interface Optional {
  by: string
  operation: Operation
  names: readonly ChangeOptionName[]
}

export function expectChangeOptions(options: Readonly<Record<string, unknown>>, method: Optional): void {
  const { by, names, operation } = method
  const checks = Object.fromEntries(names.map((name) => [name, changeOptions[name]]))
  const hintOf = (name: string) => (hasField(operation.body, name) ? 'Pass it in the body' : undefined)
  expectOptions(options, checks, { by, hintOf })
  const { keepOpen } = options
  for (const text of Array.isArray(keepOpen) ? keepOpen : []) expectKeepOpen(String(text))
}

/** Throws `usage` for an option in a body, and for an update of nothing. */
export function expectBody(body: Readonly<Record<string, unknown>>, by: string, operation: Operation): void {
  const { body: schema, method } = operation
  const stray = Object.keys(body).find((key) => Object.hasOwn(changeOptions, key) && !hasField(schema, key))
  if (stray !== undefined) {
    throw new Problem('usage', `${stray} is an option, not a field of the body`, {
      hint: `Pass it after the body: { ${stray}: ... }`,
    })
  }
  const fields = Object.keys(schema?.entries ?? {})
  if (method === 'PUT' && fields.length > 0 && Object.values(body).every((value) => value === undefined))
    throw new Problem('usage', `${by}: nothing to change`, { hint: `Pass one of ${joinNames(fields, 'or')}` })
}

const hasField = (schema: Schema | undefined, name: string) =>
  schema !== undefined && Object.hasOwn(partsOf(schema).entries ?? {}, name)

/** Checks the options of a list: the filter has fields of the records, with values of their types. */
export function expectListOptions(
  options: Readonly<Record<string, unknown>>,
  { by, operation }: Pick<Optional, 'by' | 'operation'>,
): void {
  const fields = new Map(fieldsOf(operation).map((field) => [field.path, field]))
  const hintOf = (name: string) => (fields.has(name) ? `Pass it in a filter: { filter: { ${name}: ... } }` : undefined)
  expectOptions(options, { filter: must('an object of fields and values', isRecord) }, { by, hintOf })
  const { filter } = options
  for (const [name, value] of Object.entries(isRecord(filter) ? filter : {})) {
    const field = fields.get(name)
    if (!field) throw unknownField(name, [...fields.keys()])
    const type = typeOf(field)
    const fits = value === null || value === undefined || type === undefined || typeof value === type
    if (!fits || !isScalar(value)) throw new Problem('usage', `filter.${name} must be ${nounOf(type)} or null`)
  }
}

function unknownField(name: string, fields: readonly string[]): Problem {
  const hint = didYouMean(name, fields) ?? `Fields: ${fields.join(', ')}`
  return new Problem('usage', `filter: there is no field "${name}"`, { hint })
}

const isScalar = (value: unknown) =>
  value === null || value === undefined || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)

const nouns: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true, false' }
const nounOf = (type = '') => nouns[type] ?? 'a text, a number, true, false'

/** Returns the type of the values that a field, or an item of its list, has; undefined if it may be any. */
function typeOf({ kind }: Field): 'string' | 'number' | 'boolean' | undefined {
  if (kind === 'boolean') return kind
  if (kind === 'structure') return undefined
  return numbers.includes(kind) ? 'number' : 'string'
}

const numbers: readonly FieldKind[] = ['integer', 'number', 'size']
