/** Where the schema stands of what a command prints. */
export const schemaFolder = 'docs/schemas'

export interface Place {
  /** Of the group of the root: `volumes.json`. */
  file: string
  /** Below `$defs`: `rules-list`. */
  name: string
}

export function placeOfSchema([group = '', ...rest]: readonly string[]): Place {
  return { file: `${group}.json`, name: rest.join('-') || group }
}

/** `docs/schemas/firewalls.json#/$defs/rules-list`; the folder is in the package. */
export function schemaReference(words: readonly string[]): string {
  const { file, name } = placeOfSchema(words)
  return `${schemaFolder}/${file}#/$defs/${name}`
}

const requests = `${schemaFolder}/records.json#/$defs/PlannedRequests`

/** Of what a dry run prints: the requests; where those are steps of a plan, the plan. */
export function dryReference([group]: readonly string[]): string {
  return group === 'apply' ? schemaReference(['plan']) : requests
}
