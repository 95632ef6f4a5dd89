/** Location of a command's output schema. */
export const schemaFolder = 'docs/schemas'

export interface SchemaPlace {
  /** File of the command group: `volumes.json`. */
  file: string
  /** Name below `$defs`: `rules-list`. */
  name: string
}

export function placeOfSchema([group = '', ...rest]: readonly string[]): SchemaPlace {
  return { file: `${group}.json`, name: rest.join('-') || group }
}

/** Returns `docs/schemas/firewalls.json#/$defs/rules-list`; the folder is part of the package. */
export function schemaReference(words: readonly string[]): string {
  const { file, name } = placeOfSchema(words)
  return `${schemaFolder}/${file}#/$defs/${name}`
}

const requests = `${schemaFolder}/records.json#/$defs/PlannedRequests`

/** Returns the reference for a dry run: planned requests, or the plan for `apply`. */
export function dryReference([group]: readonly string[]): string {
  return group === 'apply' ? schemaReference(['plan']) : requests
}
