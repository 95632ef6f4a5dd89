/** The schemas of plans and applies, in which a field that they do not name is a fault. */
import Ajv2020 from 'ajv/dist/2020'
import { schemaFiles } from '../../src/generate/schemas'
import { loadTree } from '../../src/generate/tree'
import { program } from '../../src/program'
import { isRecord } from '../../src/rules/records'

/** An object with named fields, which has no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isRecord(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const hasFields = isRecord(schema.properties) && Object.keys(schema.properties).length > 0
  return hasFields ? { ...inner, additionalProperties: false } : inner
}

/** The schemas as the program is now; what they do not name is a fault. Records of others may have more. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
for (const [name, schema] of schemaFiles(await loadTree(program)))
  ajv.addSchema(/^(plan|apply)\.json$/.test(name) ? (closed(schema) as object) : schema, name)

/** Returns what is wrong with the JSON of a command; undefined if nothing is. */
export function schemaFaults(name: 'plan' | 'apply', value: unknown): unknown {
  const validate = ajv.getSchema(`${name}.json#/$defs/${name}`)
  return validate?.(value) ? undefined : (validate?.errors ?? 'no schema')
}
