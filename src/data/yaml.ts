/** YAML in both directions; the package is loaded when it is first needed. */
import type { LineCounter as Lines, Scalar, YAMLParseError } from 'yaml'
import { nestedTooDeep, TooLarge } from './bounds'
import { deepest } from './depth'

export interface ParsedYaml {
  /** Integers that a double does not hold exactly come as bigint. */
  value: unknown
  /** The line, from 1, on which the value at a path stands; undefined where there is none. */
  lineOf(path: readonly string[]): number | undefined
  /** What was typed for a number or another plain value: `080` for 80. */
  writtenAs(path: readonly string[]): string | undefined
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

/** Parses one document (YAML 1.2, so JSON too). Throws YamlError, and TooLarge. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  return (await yamlParser())(text)
}

/** The same for whoever must not wait when it comes to that; a text may come to so many lines and values. */
export async function yamlParser(mostValues = usualValues): Promise<(text: string) => ParsedYaml> {
  const yaml = await import('yaml')
  return (text) => {
    expectBounded(text, mostValues)
    return parsed(text, yaml)
  }
}

function parsed(
  text: string,
  { isNode, isScalar, LineCounter, parseDocument, visit }: typeof import('yaml'),
): ParsedYaml {
  const lines = new LineCounter()
  const options = {
    intAsBigInt: true,
    uniqueKeys: false,
    // A set or a date of YAML 1.1 is no value of JSON: what has such a tag is read as it stands.
    resolveKnownTags: false,
    lineCounter: lines,
    logLevel: 'error',
  } as const
  const document = bounded(() => parseDocument(text, options))
  const [error] = document.errors
  if (error) throw wrong(error, lines)
  const expectUnique = (keys: readonly unknown[]) => {
    const twice = secondOf(keys.filter(isScalar))
    if (!twice?.range) return
    const { line, col } = lines.linePos(twice.range[0])
    throw new YamlError('Map keys must be unique', line, col)
  }
  bounded(() =>
    visit(document, {
      Map(_, { items }) {
        const keys = items.map(({ key }) => key)
        for (const key of keys.filter(isScalar)) key.value = asTyped(key)
        expectUnique(keys)
      },
    }),
  )
  return {
    value: bounded(() => plain(document.toJS())),
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

/** A key is a name, also where a value would be a number: 010 and 1.10 are labels, and not those called 10 and 1.1. */
const asTyped = ({ value, source }: Scalar): unknown => (typeof value === 'string' ? value : (source ?? String(value)))

/** The first scalar that another one before it equals. The package's own check takes time in the square of them. */
function secondOf<S extends { value: unknown }>(scalars: readonly S[]): S | undefined {
  const seen = new Set<unknown>()
  return scalars.find(({ value }) => seen.size === seen.add(value).size)
}

// For each value the package takes a KiB; for anchors, tags and aliases time in the square of them (measured).
const usualValues = 30_000
const perMark = 30

/** What begins a value, or says something of the one that follows, or ends a line. */
const signs = /[[\]{},&*!%\n]|[-:?](?=\s)/g

/** Brackets that stay open are levels, also where a text holds them. */
function expectBounded(text: string, mostValues: number): void {
  let values = 0
  let level = 0
  for (const [sign] of text.matchAll(signs)) {
    if (sign === '[' || sign === '{') level += 1
    else if (sign === ']' || sign === '}') level = Math.max(0, level - 1)
    values += sign === '&' || sign === '!' || sign === '*' ? perMark : 1
    if (level > deepest) throw nestedTooDeep()
    if (values > mostValues) throw new TooLarge(`it holds over ${mostValues} lines and values`)
  }
  expectFlat(text)
}

/** What a line begins with: spaces, signs that each open a level, and the key or value that they lead to. */
const beginnings = /^ *(?:[-?:][ \t]+)*\S/gm

/** Where the stack ends while the package compiles a regular expression, V8 ends the process; nothing catches that. */
function expectFlat(text: string): void {
  const columns: number[] = []
  for (const [beginning] of text.matchAll(beginnings)) {
    for (const { 0: sign, index } of beginning.matchAll(/\S/g)) {
      // A sequence may stand in the column of the key that holds it.
      const column = sign === '-' ? index + 0.5 : index
      while (columns.length > 0 && (columns.at(-1) ?? 0) >= column) columns.pop()
      columns.push(column)
    }
    // The last of them is the value itself.
    if (columns.length > deepest + 1) throw nestedTooDeep()
  }
}

/** An alias within its own anchor never ends, and the stack does. */
function bounded<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge('it is nested too deep')
    if (!(error instanceof ReferenceError)) throw error
    // Of an alias: it comes to over a hundred times what it stands for, or it stands for nothing.
    if (error.message.startsWith('Excessive')) throw new TooLarge('its aliases come to too much')
    throw new YamlError(error.message, undefined, undefined)
  }
}

function wrong(error: YAMLParseError, lines: Lines): YamlError {
  // The package's own text ends with the place, and an excerpt below it.
  const [own = error.message] = error.message.split(/ at line \d|\n/)
  const reason = error.code === 'MULTIPLE_DOCS' ? 'one document is read, and another begins here' : own
  const { line, col } = lines.linePos(error.pos[0])
  return new YamlError(reason, line, col)
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/** The comment, of one line, that stands above what a path of keys leads to. */
export type CommentOf = (path: readonly string[]) => string | undefined

/**
 * Formats a value as a YAML document that readers of YAML 1.1 and 1.2 read back as the same, each text on one line. Quotes
 * texts that such a reader would take for another type, and those that `escapeText` changes: only double quotes have escapes.
 * `escapeText` is called with each text, and then with the document.
 */
export async function formatYaml(
  value: unknown,
  escapeText: (text: string) => string,
  commentOf?: CommentOf,
): Promise<string> {
  const { Document, isPair, isScalar, Scalar, visit } = await import('yaml')
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
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
  return escapeText(document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }))
}

/** Blanks at the ends of lines are read in more than one way, and `=` is a type of YAML 1.1 that some readers refuse. */
const isDisputed = (text: string) => text.includes('\n') || text === '='
