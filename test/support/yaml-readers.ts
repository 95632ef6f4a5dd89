/** Other YAML readers than skyctl's: those that run here, and the rules of those that need another language. */
import { createRequire } from 'node:module'
import * as yaml from 'yaml'

/** Types of js-yaml, so that the tests can be checked where it is not installed. */
interface Reader {
  load(text: string, options: { schema: unknown }): unknown
  CORE_SCHEMA: unknown
  YAML11_SCHEMA: unknown
}

/** Passes the YAML test suite and shares no code with the writer. */
const reader: Reader = createRequire(__filename)('js-yaml')

/** Reads a document by the rules of YAML 1.2, and by those of YAML 1.1, which many programs still follow. */
export const readings = (document: string): unknown[] =>
  [reader.CORE_SCHEMA, reader.YAML11_SCHEMA].map((schema) => reader.load(document, { schema }))

/** Reads a document by the rules of both versions with the package `yaml`. */
export const packageReadings = (document: string): unknown[] =>
  (['1.2', '1.1'] as const).map((version) => yaml.parse(document, { version, logLevel: 'error' }))

/** Plain scalars of other types than texts in PyYAML 6 (resolver.py). */
const pyYaml: Record<string, RegExp> = {
  boolean: /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  float:
    /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  integer:
    /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  merge: /^<<$/,
  null: /^(?:~|null|Null|NULL|)$/,
  timestamp:
    /^(?:\d{4}-\d{2}-\d{2}|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d{2}:\d{2}(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d{2})?))?)$/,
  value: /^=$/,
}

/** Plain scalars of other types than texts in psych 4, the reader of Ruby (scalar_scanner.rb). */
const psych: Record<string, RegExp> = {
  time: /^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(\d\d)?))?$/,
  date: /^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$/,
  null: /^(?:~|null|)$/i,
  boolean: /^(?:yes|true|on|no|false|off)$/i,
  infinity: /^[-+]?\.inf$/i,
  'not a number': /^\.nan$/i,
  symbol: /^:./,
  'base 60': /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}(?:\.[0-9_]*)?$/,
  float: /^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][+-][0-9]+)?$/,
  integer:
    /^(?:[-+]?0b[_,]*[01][01_,]*|[-+]?0[_,]*[0-7][0-7_,]*|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[_,]*[0-9a-fA-F][0-9a-fA-F_,]*)$/,
}

/** Names the types that PyYAML and psych take a plain text for. */
export const otherTypes = (text: string): string[] =>
  Object.entries({ PyYAML: pyYaml, psych }).flatMap(([name, types]) =>
    Object.entries(types).flatMap(([type, pattern]) => (pattern.test(text) ? [`${name}: ${type}`] : [])),
  )
