/** Reads YAML. The package is loaded on demand. */
import type { YAMLParseError } from 'yaml'
import type { RepeatedKey } from './repeated-keys'
import { nodeAt, plainValue, stepsOf, type TextPlace } from './source-nodes'
import { otherVersion, reasonFor, YamlError } from './yaml-fixes'
import { expectBounded, usualValues } from './yaml-limits'
import { documentNodes } from './yaml-nodes'

export { YamlError } from './yaml-fixes'

export interface ParsedYaml {
  /** Parsed value; integers that a double would round are bigints. */
  value: unknown
  /** Duplicate keys; the last value of each counts. */
  repeated: readonly RepeatedKey[]
  placeOf: PlaceOf
}

/** Returns the place of the key or item at a path; undefined if missing. */
export type PlaceOf = (path: readonly string[]) => TextPlace | undefined

/** Parses one document (YAML 1.2, which includes JSON). Throws YamlError and LimitExceeded. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  return (await yamlParser())(text)
}

/** Parses a text; `lineOf` returns the line of a file for a line of a text that is a part of it. */
export type YamlParser = (text: string, lineOf?: (line: number) => number) => ParsedYaml

/** Loads a synchronous parser. Texts may have up to `mostValues` lines and values. */
export async function yamlParser(mostValues = usualValues): Promise<YamlParser> {
  const yaml = await import('yaml')
  return (text, lineOf = (line) => line) => {
    expectBounded(text, mostValues)
    const lines = new yaml.LineCounter()
    const document = yaml.parseDocument(text, { ...parsing, lineCounter: lines })
    const place = (offset: number): TextPlace => {
      const { line, col } = lines.linePos(offset)
      return { line: lineOf(line), column: col }
    }
    const [error] = document.errors
    if (error) throw wrong(error, place(error.pos[0]), lineAround(error.pos[0], text))
    const { version = '1.2' } = document.directives?.yaml ?? {}
    if (version !== '1.2') throw new YamlError(otherVersion(version), lineOfVersion(text), 1)
    const { root, repeated } = documentNodes(document, { text, place, yaml, mostValues })
    const placeOf: PlaceOf = (path) => (path.length === 0 ? undefined : nodeAt(root, path))
    return { value: plainValue(root), repeated, placeOf }
  }
}

const parsing = {
  intAsBigInt: true,
  // The package's own check takes quadratic time.
  uniqueKeys: false,
  // Values with a tag of YAML 1.1, such as sets or dates, are not JSON: they are read without the tag.
  resolveKnownTags: false,
  logLevel: 'error',
} as const

/** Returns the line of `%YAML 1.1`. */
const lineOfVersion = (text: string) => text.slice(0, text.search(/^%YAML\b/m)).split('\n').length

const lineAround = (offset: number, text: string) =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? ''

function wrong(error: YAMLParseError, { line, column }: TextPlace, lineText: string): YamlError {
  // The package appends the position and an excerpt to its message.
  const [message = error.message] = error.message.split(/ at line \d|\n/)
  return new YamlError(reasonFor(message, lineText.trimEnd()), line, column)
}

/** Positions of fields in a text written by a person. */
interface Places {
  /** Returns the line, counted from 1, of a field such as `inbound[3].ports`, or of the parent of a missing field. */
  lineOf(field: string | null): number | undefined
  /** Returns ` (line 12)`; an empty string if the line is unknown. */
  placeOf(field: string | null): string
}

/** Finds positions in a JSON or YAML text. For an invalid text, only the line of its error is known. */
export async function sourcePositions(text: string): Promise<Places> {
  const lineOf = await lineFinder(text)
  const placeOf = (field: string | null) => {
    const line = lineOf(field)
    return line === undefined ? '' : ` (line ${line})`
  }
  return { lineOf, placeOf }
}

async function lineFinder(text: string): Promise<Places['lineOf']> {
  try {
    const { placeOf } = await parseYaml(text)
    return (field) => (field === null ? undefined : nearestLine(stepsOf(field), placeOf))
  } catch (error) {
    // Valid JSON may be invalid YAML: no lines are known.
    const line = error instanceof YamlError ? error.line : undefined
    return (field) => (field === null ? line : undefined)
  }
}

/** Returns a field's line, or for a missing field the line of its nearest parent. */
function nearestLine(steps: readonly string[], placeOf: PlaceOf): number | undefined {
  return steps.length === 0 ? undefined : (placeOf(steps)?.line ?? nearestLine(steps.slice(0, -1), placeOf))
}
