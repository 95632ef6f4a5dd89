/** Builds a request's body from flags and a file. The schema defines the flags and validates the body. */

import type { BodyInput } from '../account/journal-lines'
import type { ServiceKind } from '../account/service-kinds'
import { checkValue } from '../catalogue/check'
import { type ObjectSchema, partsOf, type Schema } from '../catalogue/operation'
import { Problem } from '../errors'
import type { Unit } from '../rules/flag-units'
import type { Flag, Flags, Values } from './command'
import type { FlagNames } from './field-names'
import { listFlag, textFlag } from './flag-values'
import type { Session } from './session'

type InputKind = 'text' | 'integer' | 'boolean' | 'list' | 'other'

interface Field {
  /** Name in the API: `compute_id`. */
  key: string
  kind: InputKind
  description: string
  required: boolean
  /** All valid values of an enumeration. */
  choices?: readonly string[]
  /** All valid values of a number; its description lists them. */
  numbers?: readonly string[]
}

const valuesOf: Readonly<Record<string, Values>> = { region: 'regions', compute_id: 'computes' }

/** Fields of numbers with a unit, which help shows as the value. */
const unitOf: Readonly<Record<string, Unit>> = { size: 'GiB' }

/** Fields with the id of a labelled object; their flags accept a label, too. */
const references: Readonly<Record<string, ServiceKind>> = { compute_id: 'computes' }

/** Returns the fields of a body in the schema's order. */
function fieldsOf(body: ObjectSchema): Field[] {
  return Object.entries(body.entries).map(([key, schema]) => {
    const required = schema.type !== 'optional'
    const inner = (required ? undefined : partsOf(schema).wrapped) ?? schema
    const { options, pipe } = partsOf(inner)
    const numbers = pipe?.find(({ type }) => type === 'values')?.requirement
    return {
      key,
      kind: kindOf(inner),
      description: pipe?.find(({ type }) => type === 'description')?.description ?? '',
      required,
      ...(inner.type === 'picklist' && options && { choices: options }),
      ...(Array.isArray(numbers) && { numbers: numbers.map(String) }),
    }
  })
}

function kindOf(schema: Schema): InputKind {
  // A list of objects does not fit into a flag.
  if (schema.type === 'array' && partsOf(schema).item?.type !== 'string') return 'other'
  const kinds: Record<string, InputKind> = {
    string: 'text',
    picklist: 'text',
    number: 'integer',
    boolean: 'boolean',
    array: 'list',
  }
  return kinds[schema.type] ?? 'other'
}

/** Converts an API name to a flag name: `compute_id` is `compute-id`, the list `tags` is `tag`. */
function flagName({ key, kind }: { key: string; kind: InputKind }): string {
  const name = key.replaceAll('_', '-')
  return kind === 'list' ? name.replace(/s$/, '') : name
}

/** Returns the flags for the fields of a body. */
export function flagsOf(body: ObjectSchema): Flag[] {
  return fieldsOf(body).flatMap((field): Flag[] => {
    const name = flagName(field)
    const { description } = field
    const required = field.required && { required: true as const }
    if (field.kind === 'boolean') return [{ name, description, ...required, negative: 'also' }]
    if (field.kind === 'list') {
      const all = field.key.replaceAll('_', '-')
      return [
        {
          name,
          aliases: [all],
          value: 'text',
          list: 'commas',
          description,
          ...required,
        },
        { name: all, negative: 'only', description: `Empty the list of ${all}` },
      ]
    }
    if (field.kind === 'other') return []
    const values = field.choices ?? field.numbers ?? valuesOf[field.key]
    const usual = field.kind === 'integer' ? 'n' : 'text'
    const value = references[field.key] ? 'id|label' : (unitOf[field.key] ?? usual)
    const fullDescription = field.choices ? `${description}: ${field.choices.join(', ')}` : description
    return [{ name, value, description: fullDescription, ...required, ...(values && { values }) }]
  })
}

/**
 * Reads the body from the file and the flags, which win. Integers must be well-formed; everything else is validated
 * later.
 */
export async function readBody(body: ObjectSchema, flags: Flags, session: Session): Promise<Record<string, unknown>> {
  const source = textFlag(flags, 'body')
  const file = source === undefined ? {} : await (await import('./body-file')).readObject(source, session)
  if (source !== undefined && flags.validate !== false) await expectBody(body, file, source)
  return { ...file, ...(await typedFields(body, flags, session)) }
}

/** Reads one body per line of the file, or a single one; flags win. `fallback` replaces an empty stdin. */
export async function readBodies(
  body: ObjectSchema,
  flags: Flags,
  session: Session,
  fallback?: readonly BodyInput[],
): Promise<BodyInput[]> {
  const source = textFlag(flags, 'body')
  if (source === undefined) return [{ body: await typedFields(body, flags, session) }]
  const { nameOfSource, readText } = await import('./body-file')
  const { parseBodies } = await import('./ndjson-input')
  const text = await readText(source, session)
  const usesFallback = fallback && source === '-' && text.trim() === ''
  const inputs = usesFallback ? fallback : await parseBodies(text, nameOfSource(source))
  if (flags.validate !== false) for (const one of inputs) await expectBody(body, one.body, source)
  const flagFields = await typedFields(body, flags, session)
  return inputs.map((one) => ({ ...one, body: { ...one.body, ...flagFields } }))
}

/** Reads the fields of a body from flags. */
async function typedFields(body: ObjectSchema, flags: Flags, session: Session): Promise<Record<string, unknown>> {
  const result: Record<string, unknown> = {}
  for (const field of fieldsOf(body)) {
    const value = (await referenced(field, flags, session)) ?? (await fieldValue(field, flags))
    if (value !== undefined) result[field.key] = value
  }
  return result
}

/** Looks up the id of a label; undefined if the flag has a number, which is validated later. */
async function referenced(field: Field, flags: Flags, session: Session): Promise<number | undefined> {
  const kind = references[field.key]
  const text = textFlag(flags, flagName(field))
  if (!kind || text === undefined || wholeNumber.test(text)) return undefined
  return (await import('../account/service-lookup')).serviceId(text, kind, session.account)
}

const wholeNumber = /^-?(0|[1-9][0-9]{0,15})$/

async function fieldValue(field: Field, flags: Flags): Promise<unknown> {
  const name = flagName(field)
  if (field.kind === 'boolean') return flags[name]
  if (field.kind === 'list') return flags[field.key.replaceAll('_', '-')] === false ? [] : listFlag(flags, name)
  const text = textFlag(flags, name)
  if (text === undefined || field.kind !== 'integer') return text
  if (wholeNumber.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  const hint = await integerHint(field.key, `--${name}`, text)
  throw new Problem('usage', `--${name}: "${text}" is not a whole number`, {
    ...(hint && { hint }),
    errors: [{ field: field.key, reason: 'Must be an integer' }],
  })
}

/** `--size 40GiB`, `--size +20`, `--prefix-length /64`. */
async function integerHint(key: string, flag: string, text: string): Promise<string | undefined> {
  const unit = unitOf[key]
  if (unit && /^\+\d/.test(text)) return `Name the new size in ${unit}, not the difference: ${flag} 60`
  if (unit) return (await import('../rules/flag-units')).unitHint(flag, text, unit)
  const [, length] = /^\/(\d+)$/.exec(text) ?? []
  return length && `Write ${flag} ${length}`
}

/** Throws `usage` for an account file in place of a body. */
async function expectBody({ entries }: ObjectSchema, value: unknown, source: string): Promise<void> {
  const { nameOfSource } = await import('./body-file')
  const { expectNoAccountFile } = await import('./expect-no-account-file')
  expectNoAccountFile(value, nameOfSource(source), Object.keys(entries))
}

/**
 * Throws `usage` for a body that is invalid according to api.md; `--no-validate` leaves that to the service. `names`
 * are the names of fields without a flag of their own name.
 */
export async function checkBody(
  body: ObjectSchema,
  value: unknown,
  flags: Flags,
  names: FlagNames = {},
): Promise<void> {
  if (flags.validate === false) return
  const isTyped = textFlag(flags, 'body') === undefined
  const errors = isTyped
    ? checkValue(body, value)
    : (await import('../catalogue/check-file-value')).checkFileValue(body, value)
  if (errors.length === 0) return
  const { wrongInput } = await import('./field-names')
  throw wrongInput(errors, { flags, names: { ...namesOf(body), ...names }, files: ['body'] })
}

/** Adds the lines of the `--body` file to a problem with its fields. */
export async function withBodyLines<T>(flags: Flags, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const file = textFlag(flags, 'body')
    throw file === undefined ? error : await (await import('./body-file')).withLines(error, file)
  }
}

/** Names the fields of a refusal by the flags that set them; `errors` and the API's reasons stay. */
export async function namedByFlags(
  error: unknown,
  body: ObjectSchema | undefined,
  { flags, names }: { flags: Flags; names: FlagNames | undefined },
): Promise<unknown> {
  if (!body || !(error instanceof Problem) || error.details.status === undefined) return error
  const { errors = [] } = error.details
  const { fieldName } = await import('./field-names')
  const source = { flags, names: { ...namesOf(body), ...names }, files: ['body'] }
  const messageWith = (nameOf: (field: string) => string) =>
    errors.map(({ field, reason }) => (field === null ? reason : `${nameOf(field)}: ${reason}`)).join('; ')
  if (errors.length === 0 || error.message !== messageWith((field) => field)) return error
  const message = messageWith((field) => fieldName(field, source))
  const unit = errors.length === 1 && /\d$/.test(message) ? unitOf[errors[0]?.field ?? ''] : undefined
  return error.with({ message: unit ? `${message} ${unit}` : message, cause: error.cause })
}

/** Returns the flag names of a body's fields. */
function namesOf(body: ObjectSchema): FlagNames {
  const fields = fieldsOf(body).filter(({ kind }) => kind !== 'other')
  return Object.fromEntries(fields.map((field) => [field.key, `--${flagName(field)}`]))
}
