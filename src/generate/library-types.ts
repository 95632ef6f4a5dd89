/** Writes the types of the library form: one interface for each record, and the methods of an account. */
import type { AccountMethod } from '../account/method'
import { isMethod, methods } from '../account/methods'
import { type Json, jsonSchemaOf, recordNames } from '../catalogue/json-schema'
import { fieldPaths, type Operation, partsOf, type Schema } from '../catalogue/operation'
import { exitCodes } from '../errors'
import { isRecord } from '../rules/records'
import { capitalized } from '../rules/texts'
import { base } from './library-base'

type Mode = 'input' | 'output'

/** Returns the JSON Schema of a schema. Records are references to their names, but for the one named `within`. */
type JsonOf = (schema: Schema, mode: Mode, within?: string) => Json

interface Sources {
  jsonOf: JsonOf
  names: ReadonlyMap<Schema, string>
}

/** Returns the text of a declaration file, which imports nothing. */
export function libraryTypes(): string {
  const names = recordNames()
  const jsonOf: JsonOf = (schema, mode, within) =>
    jsonSchemaOf(schema, { mode, names, within, reference: (name) => name })
  const records = [...names].map(
    ([schema, name]) => `export type ${name} = ${textOf(jsonOf(schema, 'output', name), 'output')}`,
  )
  const codes = Object.keys(exitCodes).map((code) => `'${code}'`)
  return [
    // Written without `export`, as they are no names that src/ offers.
    base.replace(/^(?=interface|function|class|type)/gm, 'export '),
    `/** Cause of a failure, as \`error.code\` of the command line (docs/scripting.md). */\nexport type ErrorCode = ${codes.join(' | ')}`,
    ...records,
    `export interface Account extends AccountBase ${groupText(methods, { jsonOf, names })}`,
    '',
  ].join('\n\n')
}

type Group = { readonly [name: string]: AccountMethod | Group }

function groupText(group: Group, sources: Sources): string {
  const members = Object.entries(group).map(([name, one]) =>
    isMethod(one)
      ? `/** ${one.operation.summary} */\n${name}${signature(one, sources)}`
      : `readonly ${name}: ${groupText(one, sources)}`,
  )
  return `{\n${indented(members.join('\n'))}\n}`
}

const nameTypes = { id: 'number', text: 'string', either: 'number | string' } as const

function signature(method: AccountMethod, { jsonOf, names }: Sources): string {
  const { kind, operation, named, hasBody, options: optionNames } = method
  const parameters = named.map(({ name, by }) => `${name}: ${nameTypes[by]}`)
  const { returns, body } = operation
  const answer = textOf(jsonOf(returns, 'output'), 'output')
  // Editors show the comments of fields that are written here. A mapped type such as Partial or Pick has none.
  const whole = jsonOf(returns, 'output', names.get(returns))
  const taken =
    hasBody === 'answered'
      ? textOf({ ...whole, required: [] }, 'output')
      : body && textOf(jsonOf(body, 'input'), 'input')
  const [options, result] = {
    list: [`options?: ${filterText(fieldPaths(operation), whole)}`, `AsyncGenerator<${answer}, void>`],
    view: [undefined, `Promise<${answer}>`],
    change: [changeOptions(optionNames), `Promise<Change<${changedTo(operation, answer)}>>`],
  }[kind]
  const all = [...parameters, ...(hasBody ? [`body: ${taken}`] : []), ...(options ? [options] : [])]
  return `(${all.join(', ')}): ${result}`
}

/** Returns the options of a list: a value for each field of its records. */
function filterText(paths: readonly string[], record: Json): string {
  const fields = paths.map((path) => {
    const key = path.includes('.') ? `'${path}'` : path
    return `${commentOf(path.split('.').reduce(memberOf, record))}${key}?: FieldValue`
  })
  const comment = '/** Values that fields must have. A list must contain the value. */'
  return `{\n${indented(`${comment}\nfilter?: {\n${indented(fields.join('\n'))}\n} | undefined`)}\n}`
}

function memberOf(schema: Json, key: string): Json {
  const { properties } = partWith('properties', schema)
  const member = isRecord(properties) ? properties[key] : undefined
  return isRecord(member) ? member : {}
}

/** Returns the schema, or the one of its alternatives, that has a keyword: a nullable one keeps it in an alternative. */
function partWith(keyword: string, schema: Json): Json {
  const { anyOf } = schema
  if (keyword in schema || !Array.isArray(anyOf)) return schema
  return anyOf.find((one) => isRecord(one) && keyword in one) ?? schema
}

function commentOf(schema: Json): string {
  const { description } = partWith('description', schema)
  return typeof description === 'string' ? `/** ${description} */\n` : ''
}

const changeOptions = (names: readonly string[]) =>
  names.length > 0 ? `options?: ${names.map((name) => `${capitalized(name)}Option`).join(' & ')}` : undefined

/** An answer without fields is an empty object. */
const changedTo = ({ returns }: Operation, answer: string) =>
  Object.keys(partsOf(returns).entries ?? {}).length === 0 ? 'Record<string, unknown>' : answer

function textOf(schema: Json, mode: Mode): string {
  const { $ref, anyOf, oneOf, allOf, enum: values, type, items, 'x-known-values': knownValues } = schema
  if (typeof $ref === 'string') return $ref
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  // The service may add values.
  if (Array.isArray(knownValues))
    return `${knownValues.map((value) => JSON.stringify(value)).join(' | ')} | (string & {})`
  if ('const' in schema) return JSON.stringify(schema.const)
  const several = [anyOf, oneOf].find(Array.isArray)
  if (several) return several.map((one: Json) => textOf(one, mode)).join(' | ')
  if (Array.isArray(allOf)) return allOf.map((one: Json) => textOf(one, mode)).join(' & ')
  if (type === 'array')
    return `${mode === 'input' ? 'readonly ' : ''}(${isRecord(items) ? textOf(items, mode) : 'unknown'})[]`
  if (type === 'object') return objectText(schema, mode)
  return primitives.get(type) ?? 'unknown'
}

const primitives = new Map<unknown, string>([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
])

function objectText({ properties = {}, required = [], additionalProperties }: Json, mode: Mode): string {
  if (!isRecord(properties) || Object.keys(properties).length === 0) return 'Record<string, unknown>'
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const members = Object.entries(properties).map(([key, value]) => {
    const schema = isRecord(value) ? value : {}
    return `${commentOf(schema)}${key}${needed.includes(key) ? '' : '?'}: ${textOf(schema, mode)}`
  })
  // The service may add fields.
  const others = mode === 'output' && additionalProperties !== false ? ['[field: string]: unknown'] : []
  return `{\n${indented([...members, ...others].join('\n'))}\n}`
}

const indented = (text: string) => text.replace(/^(?=.)/gm, '  ')
