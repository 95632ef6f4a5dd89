import { Document, isScalar, Scalar, visit } from 'yaml'
import { safe } from './safe'

/** A value as a YAML document; texts that a YAML 1.1 or 1.2 parser would take for another type are quoted. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && typeof node.value === 'string' && safe(node.value) !== node.value)
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0 })
}
