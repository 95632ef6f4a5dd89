/** A second reader of YAML, which passes the test suite of YAML itself and shares no code with the one that writes. */
import { createRequire } from 'node:module'

/** Its types are named here, so that the tests are checked where it is not installed. */
interface Reader {
  load(text: string, options: { schema: unknown }): unknown
  CORE_SCHEMA: unknown
  YAML11_SCHEMA: unknown
}

const reader: Reader = createRequire(__filename)('js-yaml')

/** What a document means by the rules of YAML 1.2, and by those of YAML 1.1, which many programs still follow. */
export const readings = (document: string): unknown[] =>
  [reader.CORE_SCHEMA, reader.YAML11_SCHEMA].map((schema) => reader.load(document, { schema }))
