/** Schemas of plans and applies that allow no unknown fields. */
import Ajv2020 from 'ajv/dist/2020'
import { program } from '../../src/commands/index'
import { loadTree } from '../../src/engine/command-nodes'
import { schemaFiles } from '../../src/generate/schemas'
import { isRecord } from '../../src/rules/records'

/** Forbids unknown fields in objects with named fields. */
function forbidUnknown(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forbidUnknown)
  if (!isRecord(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, forbidUnknown(value)]))
  const hasFields = isRecord(schema.properties) && Object.keys(schema.properties).length > 0
  return hasFields ? { ...inner, additionalProperties: false } : inner
}

/** Validates against the current schemas. Records of the API may have more fields. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
for (const [name, schema] of schemaFiles(await loadTree(program)))
  ajv.addSchema(/^(plan|apply)\.json$/.test(name) ? (forbidUnknown(schema) as object) : schema, name)

/** Returns what is wrong with the JSON of a command; undefined if nothing is. */
export function schemaFaults(name: 'plan' | 'apply', value: unknown): unknown {
  const validate = ajv.getSchema(`${name}.json#/$defs/${name}`)
  return validate?.(value) ? undefined : (validate?.errors ?? 'no schema')
}
