/** Reads and writes YAML. The package is loaded on demand. */
import type { Document, LineCounter as Lines, YAMLParseError } from 'yaml'
import { LimitExceeded } from './memory-limits'
import type { RepeatedKey } from './repeated-keys'
import { corrected, reasonFor, YamlError } from './yaml-fixes'
import { expectBounded, usualValues } from './yaml-limits'
import { plainValue } from './yaml-reader'
import { type CommentOf, plainYaml } from './yaml-writer'

export { YamlError } from './yaml-fixes'

export interface ParsedYaml {
  /** Parsed value; integers that a double would round are bigints. */
  value: unknown
  /** Duplicate keys; the last value of each counts. */
  repeated: readonly RepeatedKey[]
  /** Returns the line, counted from 1, of the key or item at a path; undefined if missing. */
  lineOf(path: readonly string[]): number | undefined
  /** Returns a number or another plain value as it was typed: `080` for 80. */
  writtenAs(path: readonly string[]): string | undefined
}

/** Parses one document (YAML 1.2, which includes JSON). Throws YamlError and LimitExceeded. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  return (await yamlParser())(text)
}

/** Loads a synchronous parser. Texts may have up to `mostValues` lines and values. */
export async function yamlParser(mostValues = usualValues): Promise<(text: string) => ParsedYaml> {
  const yaml = await import('yaml')
  return (text) => {
    expectBounded(text, mostValues)
    const plain = plainValue(text)
    return plain ? positionedLater(plain.value, () => parsed(text, yaml)) : parsed(text, yaml)
  }
}

/** Returns a value that was read without positions; the text is parsed for those when the first is needed. */
function positionedLater(value: unknown, parse: () => ParsedYaml): ParsedYaml {
  let parsed: ParsedYaml | undefined
  const whole = () => {
    parsed ??= parse()
    return parsed
  }
  return {
    value,
    repeated: [],
    lineOf: (path) => whole().lineOf(path),
    writtenAs: (path) => whole().writtenAs(path),
  }
}

/** Parses a text with the package. A test compares it with the faster ./yaml-reader. */
export async function packageValue(text: string): Promise<Pick<ParsedYaml, 'value' | 'repeated'>> {
  return parsed(text, await import('yaml'))
}

function parsed(text: string, yaml: typeof import('yaml')): ParsedYaml {
  const lines = new yaml.LineCounter()
  const options = {
    intAsBigInt: true,
    uniqueKeys: false,
    // Values with a tag of YAML 1.1, such as sets or dates, are not JSON: they are read without the tag.
    resolveKnownTags: false,
    lineCounter: lines,
    logLevel: 'error',
  } as const
  const document = bounded(() => yaml.parseDocument(text, options))
  const [error] = document.errors
  if (error) throw wrong(error, lines, text)
  const repeated = bounded(() => corrected(document, { text, lines, yaml }))
  return {
    value: bounded(() => plain(document.toJS())),
    repeated,
    lineOf(path) {
      const node = keyOrItem(path, document, yaml)
      return yaml.isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined
    },
    writtenAs(path) {
      const node = document.getIn(path, true)
      return yaml.isScalar(node) ? node.source : undefined
    },
  }
}

/** Returns the key of a value in an object, or the item of a list. */
function keyOrItem(path: readonly string[], document: Document, { isMap, isScalar }: typeof import('yaml')): unknown {
  const above = document.getIn(path.slice(0, -1), true)
  if (path.length === 0 || !isMap(above)) return document.getIn(path, true)
  return above.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))?.key
}

/** Converts stack overflows to LimitExceeded: an alias within its own anchor is endless. */
function bounded<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new LimitExceeded('it is nested too deep')
    if (!(error instanceof ReferenceError)) throw error
    // Error of an alias: it expands to over a hundred times its target, or its anchor is missing.
    if (error.message.startsWith('Excessive')) throw new LimitExceeded('its aliases expand to too much data')
    throw new YamlError(error.message, undefined, undefined)
  }
}

function wrong(error: YAMLParseError, lines: Lines, text: string): YamlError {
  // The package appends the position and an excerpt to its message.
  const [message = error.message] = error.message.split(/ at line \d|\n/)
  const { line, col } = lines.linePos(error.pos[0])
  const [begin = 0, end] = lines.lineStarts.slice(line - 1)
  return new YamlError(reasonFor(message, text.slice(begin, end).trimEnd()), line, col)
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/**
 * Formats a value as YAML that readers of YAML 1.1 and 1.2 parse alike, with each text on one line. Texts that a reader
 * could take for another type are quoted, and those that `escapeText` changes, because only double quotes allow
 * escapes. `escapeText` is called with each text, then with the document.
 */
export async function formatYaml(
  value: unknown,
  escapeText: (text: string) => string,
  commentOf?: CommentOf,
): Promise<string> {
  const yaml = await import('yaml')
  const plain = plainYaml(value, { escapeText, isTyped: typeTest(yaml), commentOf })
  return escapeText(plain ?? packageYaml(value, { escapeText, commentOf, yaml }))
}

const compat = 'yaml-1.1'

/** Creates a test for texts that are of a type of YAML 1.1 or 1.2, by the package's rules. */
export function typeTest({ Document }: typeof import('yaml')): (text: string) => boolean {
  const { tags, compat: older } = new Document(null, { compat }).schema
  const tests = [...tags, ...(older ?? [])].flatMap((tag) =>
    tag.default && tag.tag !== 'tag:yaml.org,2002:str' && 'test' in tag && tag.test ? [tag.test.source] : [],
  )
  const typePattern = new RegExp(tests.join('|'))
  return (text) => typePattern.test(text)
}

interface PackageOptions {
  escapeText(text: string): string
  commentOf: CommentOf | undefined
  yaml: typeof import('yaml')
}

/** Formats any value. A test compares it with the faster ./yaml-writer. */
export function packageYaml(
  value: unknown,
  { escapeText, commentOf, yaml: { Document, isPair, isScalar, Scalar, visit } }: PackageOptions,
): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat })
  visit(document, {
    Pair(_key, { key }, above) {
      if (!commentOf || !isScalar(key)) return
      const comment = commentOf([...above.filter(isPair).map((pair) => String(pair.key)), String(key.value)])
      if (comment !== undefined) key.commentBefore = ` ${comment}`
    },
    Scalar(_key, node) {
      const { value: text } = node
      if (typeof text === 'string' && (escapeText(text) !== text || isDisputed(text))) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true })
}

/** Reports whether readers disagree on a text: blanks at line ends, and `=`, a type of YAML 1.1. */
const isDisputed = (text: string) => text.includes('\n') || text === '='

/** Positions of fields in a text written by a person. */
interface Places {
  /** Returns the line, counted from 1, of a field such as `inbound[3].ports`, or of the parent of a missing field. */
  lineOf(field: string | null): number | undefined
  /** Returns ` (line 12)`; an empty string if the line is unknown. */
  placeOf(field: string | null): string
  /** Returns a number as it was typed: `080` for 80. */
  writtenAs(field: string): string | undefined
}

/** Finds positions in a JSON or YAML text. For an invalid text, only the line of its error is known. */
export async function sourcePositions(text: string): Promise<Places> {
  try {
    const written = await parseYaml(text)
    return placesWith(
      (field) => (field === null ? undefined : nearestLine(stepsOf(field), written)),
      (field) => written.writtenAs(stepsOf(field)),
    )
  } catch (error) {
    // Valid JSON may be invalid YAML: no lines are known.
    const line = error instanceof YamlError ? error.line : undefined
    return placesWith(
      (field) => (field === null ? line : undefined),
      () => undefined,
    )
  }
}

function placesWith(lineOf: Places['lineOf'], writtenAs: Places['writtenAs']): Places {
  const placeOf = (field: string | null) => {
    const line = lineOf(field)
    return line === undefined ? '' : ` (line ${line})`
  }
  return { lineOf, placeOf, writtenAs }
}

/** Splits a field path: `inbound[3].ports` becomes `inbound`, `3`, `ports`. */
export const stepsOf = (field: string): readonly string[] => field.match(/[^.[\]]+/g) ?? []

/** Returns a field's line, or for a missing field the line of its nearest parent. */
function nearestLine(steps: readonly string[], written: ParsedYaml): number | undefined {
  if (steps.length === 0) return undefined
  return written.lineOf(steps) ?? nearestLine(steps.slice(0, -1), written)
}
