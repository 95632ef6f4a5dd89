/** Schemas of the catalogue as JSON Schema 2020-12. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { catalogue } from '../catalogue'
import type { Schema } from '../catalogue/operation'

export type Json = Record<string, unknown>

interface Writing {
  /** Of what is sent, or of what comes back. */
  mode: 'input' | 'output'
  /** What is written elsewhere, by its name there. */
  names: ReadonlyMap<Schema, string>
  /** The name of what is being written: it may refer to others, not to itself. */
  within?: string | undefined
  /** How one refers to a name. */
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
    // Rules that JSON Schema cannot say are told by the service.
    errorMode: 'ignore',
    definitions: Object.fromEntries(others.map(([one, name]) => [name, one])),
    overrideRef: ({ referenceId }) => reference(referenceId),
  }) as Json
  return result
}

/** What `view` and `list` answer with gets a name of its own: a Volume, a FirewallDevice. */
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
