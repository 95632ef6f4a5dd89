/** A second YAML reader, which passes the YAML test suite and shares no code with the writer. */
import { createRequire } from 'node:module'

/** Types of js-yaml, so that the tests can be checked where it is not installed. */
interface Reader {
  load(text: string, options: { schema: unknown }): unknown
  CORE_SCHEMA: unknown
  YAML11_SCHEMA: unknown
}

const reader: Reader = createRequire(__filename)('js-yaml')

/** Reads a document by the rules of YAML 1.2, and by those of YAML 1.1, which many programs still follow. */
export const readings = (document: string): unknown[] =>
  [reader.CORE_SCHEMA, reader.YAML11_SCHEMA].map((schema) => reader.load(document, { schema }))
