/** A request's body from flags and from a file: flags are made from the schema, and what they hold is checked by it. */

import { check } from '../catalogue/check'
import { type ObjectSchema, partsOf, type Schema } from '../catalogue/operation'
import { type FieldError, Problem } from '../errors'
import type { Session } from '../session'
import type { GivenBody } from './body-lines'
import type { Flag, Flags, Values } from './command'
import { listFlag, textFlag } from './flag-values'
import type { ServiceKind } from './services'
import { fieldName, type Source, type TypedNames, typedReason } from './typed-names'

type InputKind = 'text' | 'integer' | 'boolean' | 'list' | 'other'

interface Field {
  /** The API's name: `compute_id`. */
  key: string
  kind: InputKind
  description: string
  required: boolean
  /** All that it may be, where that is a choice. */
  choices?: readonly string[]
  /** The same of a number, of which the description tells. */
  numbers?: readonly string[]
}

const valuesOf: Readonly<Record<string, Values>> = { region: 'regions', compute_id: 'computes' }

/** Fields that hold the id of what has a label: on the command line they take that, too. */
const references: Readonly<Record<string, ServiceKind>> = { compute_id: 'computes' }

/** The fields of a body in the schema's order. */
function fieldsOf(body: ObjectSchema): Field[] {
  return Object.entries(body.entries).map(([key, schema]) => {
    const required = schema.type !== 'optional'
    const inner = (required ? undefined : partsOf(schema).wrapped) ?? schema
    const { options, pipe } = partsOf(inner)
    const numbers = pipe?.find(({ type }) => type === 'values')?.requirement
    return {
      key,
      kind: kindOf(inner),
      description: descriptionOf(inner),
      required,
      ...(inner.type === 'picklist' && options && { choices: options }),
      ...(Array.isArray(numbers) && { numbers: numbers.map(String) }),
    }
  })
}

function kindOf(schema: Schema): InputKind {
  // What a list of objects holds is more than a flag can say.
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

function descriptionOf(schema: Schema): string {
  return partsOf(schema).pipe?.find(({ type }) => type === 'description')?.description ?? ''
}

/** The one function that turns an API name into a flag's: `compute_id` is `compute-id`, a list's `tags` is `tag`. */
function flagName({ key, kind }: { key: string; kind: InputKind }): string {
  const name = key.replaceAll('_', '-')
  return kind === 'list' ? name.replace(/s$/, '') : name
}

/** The flags that a body's fields have on the command line. */
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
    const value = references[field.key] ? 'id|label' : field.kind === 'integer' ? 'n' : 'text'
    const said = field.choices ? `${description}: ${field.choices.join(', ')}` : description
    return [{ name, value, description: said, ...required, ...(values && { values }) }]
  })
}

/**
 * The body that was asked for: the file's keys, then the flags over them. Numbers are converted strictly; whatever
 * else is wrong is left to the check.
 */
export async function readBody(body: ObjectSchema, flags: Flags, session: Session): Promise<Record<string, unknown>> {
  const source = textFlag(flags, 'body')
  const file = source === undefined ? {} : await readBodyFile(source, session)
  return { ...file, ...(await typedFields(body, flags, session)) }
}

/**
 * The same of every line, where the file holds an object a line; otherwise of the one object. `kept` stands for a stdin
 * that is empty.
 */
export async function readBodies(
  body: ObjectSchema,
  flags: Flags,
  session: Session,
  kept?: readonly GivenBody[],
): Promise<GivenBody[]> {
  const source = textFlag(flags, 'body')
  if (source === undefined) return [{ body: await typedFields(body, flags, session) }]
  const { nameOfSource, readText } = await import('./body-file')
  const { parseBodies } = await import('./body-lines')
  const text = await readText(source, session)
  const isKept = kept && source === '-' && text.trim() === ''
  const given = isKept ? kept : await parseBodies(text, nameOfSource(source))
  const typed = await typedFields(body, flags, session)
  return given.map((one) => ({ ...one, body: { ...one.body, ...typed } }))
}

/** What flags say of a body's fields. */
async function typedFields(body: ObjectSchema, flags: Flags, session: Session): Promise<Record<string, unknown>> {
  const result: Record<string, unknown> = {}
  for (const field of fieldsOf(body)) {
    const value = (await referenced(field, flags, session)) ?? fieldValue(field, flags)
    if (value !== undefined) result[field.key] = value
  }
  return result
}

/** The id of what a label names; undefined where the flag holds a number, which the check judges. */
async function referenced(field: Field, flags: Flags, session: Session): Promise<number | undefined> {
  const kind = references[field.key]
  const text = textFlag(flags, flagName(field))
  if (!kind || text === undefined || wholeNumber.test(text)) return undefined
  return (await import('./services')).serviceId(text, kind, session)
}

const wholeNumber = /^-?(0|[1-9][0-9]{0,15})$/

function fieldValue(field: Field, flags: Flags): unknown {
  const name = flagName(field)
  if (field.kind === 'boolean') return flags[name]
  if (field.kind === 'list') return flags[field.key.replaceAll('_', '-')] === false ? [] : listFlag(flags, name)
  const text = textFlag(flags, name)
  if (text === undefined || field.kind !== 'integer') return text
  if (wholeNumber.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new Problem('usage', `--${name}: "${text}" is not a whole number`, {
    errors: [{ field: field.key, reason: 'Must be an integer' }],
  })
}

async function readBodyFile(source: string, session: Session): Promise<Record<string, unknown>> {
  const { readObject } = await import('./body-file')
  return readObject(source, session)
}

/**
 * Refuses what api.md rules out before anything is sent; `--no-validate` leaves it to the service. `names` are those of
 * fields that have no flag of their own name.
 */
export function checkBody(body: ObjectSchema, value: unknown, flags: Flags, names: TypedNames = {}): void {
  if (flags.validate === false) return
  const errors = check(body, value)
  if (errors.length === 0) return
  throw wrongBody(errors, { flags, names: { ...namesOf(body), ...names }, files: ['body'] })
}

/** The flags of a body's fields. */
function namesOf(body: ObjectSchema): TypedNames {
  const fields = fieldsOf(body).filter(({ kind }) => kind !== 'other')
  return Object.fromEntries(fields.map((field) => [field.key, `--${flagName(field)}`]))
}

/** What is wrong with a body, in one line. */
export function wrongBody(errors: FieldError[], source?: Source, next?: string): Problem {
  const said = errors.map(({ field, reason }) => {
    if (field === null) return reason
    const name = source ? fieldName(field, source) : field
    if (reason.startsWith(field)) return reason.replace(field, () => name)
    return `${name}: ${lower(source ? typedReason(reason, source) : reason)}`
  })
  const hint = next ?? (source && flagsToGive(errors, source))
  return new Problem('usage', said.join('; '), { errors, ...(hint && { hint }) })
}

/** What gives on the command line what a file lacks; without a file the message says it. */
function flagsToGive(errors: readonly FieldError[], source: Source): string | undefined {
  const missing = errors.flatMap(({ field, reason }) => (reason === `${field} is required` ? [`${field}`] : []))
  const lacking = missing.filter((field) => fieldName(field, source) === field)
  const names = lacking.flatMap((field) => source.names[field] ?? [])
  return names.length === 0 ? undefined : `Give ${names.join(' and ')}`
}

function lower(reason: string): string {
  return reason.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
}
