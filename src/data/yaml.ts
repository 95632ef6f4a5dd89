/** YAML in both directions; the package is loaded when it is first needed. */
import type { YAMLParseError } from 'yaml'

export interface ParsedYaml {
  /** Integers that a double does not hold exactly come as bigint. */
  value: unknown
  /** The line, from 1, on which the value at a path stands; undefined where there is none. */
  lineOf(path: readonly (string | number)[]): number | undefined
  /** What was typed for a number or another plain value: `080` for 80. */
  writtenAs(path: readonly (string | number)[]): string | undefined
}

/** The text is no YAML: what is wrong, and where (from 1). */
export class YamlError extends Error {
  constructor(
    reason: string,
    readonly line: number | undefined,
    readonly column: number | undefined,
  ) {
    super(reason)
    this.name = 'YamlError'
  }
}

/** Parses one document (YAML 1.2, so JSON too). Throws YamlError. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const { isNode, isScalar, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { intAsBigInt: true, uniqueKeys: true, lineCounter: lines })
  const [error] = document.errors
  if (error) throw wrong(error)
  return {
    value: plain(document.toJS({ maxAliasCount: 100 })),
    lineOf(path) {
      const node = document.getIn(path, true)
      return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined
    },
    writtenAs(path) {
      const node = document.getIn(path, true)
      return isScalar(node) ? node.source : undefined
    },
  }
}

function wrong(error: YAMLParseError): YamlError {
  // The package's own text ends with the place, and an excerpt below it.
  const [reason = error.message] = error.message.split(/ at line \d+|\n/)
  const place = error.linePos?.[0]
  return new YamlError(reason, place?.line, place?.col)
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/**
 * A value as a YAML document. Texts that a parser of YAML 1.1 or 1.2 would take for another type are quoted, and so
 * are those that `needsEscapes` picks: only double quotes have escapes.
 */
export async function formatYaml(value: unknown, needsEscapes: (text: string) => boolean): Promise<string> {
  const { Document, Scalar, visit } = await import('yaml')
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && needsEscapes(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0 })
}
