/** Converts schemas of the catalogue to JSON Schema 2020-12. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { isRecord } from '../rules/records'
import { catalogue } from '.'
import type { Schema } from './operation'

export type Json = Record<string, unknown>

export const dialect = 'https://json-schema.org/draft/2020-12/schema'

interface Writing {
  /** Direction: `input` for requests, `output` for answers. */
  mode: 'input' | 'output'
  /** Names of schemas that are defined elsewhere. */
  names: ReadonlyMap<Schema, string>
  /** Name of the schema that is being written: it may refer to other schemas, not to itself. */
  within?: string | undefined
  reference(name: string): string
}

export function jsonSchemaOf(schema: Schema, { mode, names, within, reference }: Writing): Json {
  const others = [...names].filter(([, name]) => name !== within)
  const {
    $schema: _,
    $defs: __,
    ...result
  } = toJsonSchema(schema, {
    typeMode: mode,
    // Rules beyond JSON Schema are omitted; the service checks them.
    errorMode: 'ignore',
    definitions: Object.fromEntries(others.map(([one, name]) => [name, one])),
    overrideRef: ({ referenceId }) => reference(referenceId),
  })
  return result
}

/** Names the record schemas in the answers of `view` and `list`: Volume, FirewallDevice. */
export function recordNames(): Map<Schema, string> {
  const names = new Map<Schema, string>()
  for (const [group, operations] of Object.entries(catalogue)) {
    for (const schema of [operations.view?.returns, operations.list?.returns]) {
      if (schema && !names.has(schema)) names.set(schema, unused(singular(group), names))
    }
  }
  return names
}

function singular(group: string): string {
  return (group.charAt(0).toUpperCase() + group.slice(1)).replace(/(ie)?s$/, (_, ie) => (ie ? 'y' : ''))
}

function unused(name: string, names: Map<Schema, string>): string {
  return [...names.values()].includes(name) ? `${name}Item` : name
}

/** Reduces a schema to JSON Schema keywords. Known values become examples, because the service may add some. */
export function plain(schema: Json): Json {
  const entries = Object.entries(schema).filter(([key]) => !key.startsWith('x-') || key === 'x-known-values')
  return Object.fromEntries(
    entries.map(([key, inner]) => (key === 'x-known-values' ? ['examples', inner] : [key, plainPart(inner)])),
  )
}

function plainPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainPart)
  return isRecord(value) ? plain(value) : value
}
