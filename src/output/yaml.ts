import { Document, Scalar, visit } from 'yaml'
import { safeLines, safeYaml } from './safe'

/** A value as a YAML document; texts that a parser of YAML 1.1 or 1.2 would take for another type are quoted. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_key, node) {
      // Only double quotes have escapes.
      if (typeof node.value === 'string' && safeLines(node.value) !== node.value) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return safeYaml(document.toString({ lineWidth: 0 }))
}
