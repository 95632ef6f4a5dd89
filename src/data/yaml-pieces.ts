/**
 * Parses long YAML texts in pieces: the package needs a KiB for each value, but only while its document is in use. Maps of
 * maps in block form can be divided, as `export` writes them.
 */
import { LimitExceeded } from './memory-limits'
import type { RepeatedKey } from './repeated-keys'
import { type ParsedYaml, YamlError, yamlParser } from './yaml'
import { expectBounded } from './yaml-limits'

/** Maximum numbers of lines and values. */
interface Limits {
  /** Limit for a whole text. */
  most: number
  mostOfAnEntry: number
  /** Number of characters from which a text is divided, and of a piece. */
  long?: number
}

type Parse = (text: string) => ParsedYaml

/** Loads a parser for long texts. A text of another form is parsed at once. */
export async function yamlParserByEntries({
  most,
  mostOfAnEntry,
  long = 256 * 1024,
}: Limits): Promise<(text: string) => ParsedYaml> {
  const parse = await yamlParser(mostOfAnEntry)
  return (text) => {
    if (text.length <= long || severalDocuments.test(text)) return parse(text)
    expectBounded(text, most)
    try {
      const joined = new Joined(parse)
      for (const piece of piecesOf(text, long)) if (!joined.add(piece)) return parse(text)
      return joined.parsed
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      return parsedWhole(() => parse(text), error)
    }
  }
}

/** Signs of a directive, and of the begin or the end of a document. */
const severalDocuments = /^(?:%|---|\.\.\.)/m

/** Parses a text with an invalid piece: perhaps a value of several lines was divided. Else the error is that of the piece. */
function parsedWhole(parse: () => ParsedYaml, error: YamlError): ParsedYaml {
  try {
    return parse()
  } catch (whole) {
    throw whole instanceof LimitExceeded ? error : whole
  }
}

/** Entries of one map of the root, below its key; or the whole map, or what the text has before the first one. */
interface Piece {
  /** Line of the key, and of what follows it. */
  headLine: number
  bodyLine: number
  text: string
}

const beforeKey = /^(?=[A-Za-z_][\w-]*:(?:\s|$))/m

/** Divides a text at the keys of its root, and long maps at their own keys. */
function* piecesOf(text: string, long: number): Generator<Piece, void> {
  let headLine = 1
  for (const section of text.split(beforeKey)) {
    const [head = ''] = /^[^:#]*:[ \t]*(?:#.*)?\r?\n/.exec(section) ?? []
    const isDivided = head !== '' && section.length > long
    const body = section.slice(head.length)
    const entries = isDivided ? entriesIn(body) : [body]
    let bodyLine = headLine + 1
    for (const group of grouped(entries, long)) {
      yield { headLine, bodyLine, text: head + group }
      bodyLine += linesIn(group)
    }
    headLine += linesIn(section)
  }
}

/** Divides the body of a map at keys that are indented like its first line. */
function entriesIn(body: string): string[] {
  const [, blanks, sign = ''] = /^( +)([^ #\r\n])/m.exec(body) ?? []
  return /[\w"']/.test(sign) ? body.split(new RegExp(`^(?=${blanks}[\\w"'])`, 'm')) : [body]
}

/** Joins neighbours up to this number of characters. */
function* grouped(texts: readonly string[], long: number): Generator<string, void> {
  let group = ''
  for (const text of texts) {
    if (group !== '' && group.length + text.length > long) {
      yield group
      group = ''
    }
    group += text
  }
  yield group
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** A key of the root. */
interface Section {
  line: number
  value: unknown
  first: Piece
  entries: Map<string, Entry>
}

/** An entry of a section: reports need its line more often than the lines in it, which a piece is parsed again for. */
interface Entry {
  piece: Piece
  line: number | undefined
}

class Joined {
  readonly #sections = new Map<string, Section>()
  readonly #repeated: RepeatedKey[] = []
  #last: { piece: Piece; parsed: ParsedYaml } | undefined

  constructor(readonly parse: Parse) {}

  get parsed(): ParsedYaml {
    return {
      value: Object.fromEntries([...this.#sections].map(([key, { value }]) => [key, value])),
      repeated: this.#repeated.sort((one, other) => one.line - other.line),
      lineOf: ([key = '', ...path]) => (path.length > 0 ? this.#lineOf([key, ...path]) : this.#sections.get(key)?.line),
      writtenAs: (path) => {
        const piece = this.#pieceOf(path)
        return piece && this.#parsed(piece).writtenAs(path)
      },
    }
  }

  /** Adds a piece; returns false if it has something else than one key. */
  add(piece: Piece): boolean {
    const parsed = parsedPiece(piece, this.parse)
    const { value, repeated } = parsed
    // Only comments.
    if (value === null) return true
    const [field, other] = isMap(value) ? Object.entries(value) : []
    if (!field || other || piece.text.search(beforeKey) !== 0) return false
    this.#repeated.push(...repeated.map((one) => ({ ...one, ...linesOf(piece, one) })))
    const [key, entries] = field
    const section = this.#sections.get(key)
    const lineOf = (name: string) => lineFrom(piece, parsed.lineOf([key, name]))
    const names = new Map(namesIn(entries).map((name): [string, Entry] => [name, { piece, line: lineOf(name) }]))
    if (section?.first.headLine === piece.headLine) return this.#extend(section, entries, names)
    if (section) this.#repeated.push({ key, line: piece.headLine, first: section.line })
    const line = section?.line ?? piece.headLine
    this.#sections.set(key, { line, value: entries, first: piece, entries: names })
    return true
  }

  /** Adds the entries of another piece to a section. */
  #extend(section: Section, value: unknown, entries: Section['entries']): boolean {
    // A piece may have nothing but the comment above the first entry.
    const present = section.value ?? {}
    if (!isMap(present) || !isMap(value)) return false
    for (const [name, entry] of entries) {
      const first = section.entries.get(name)
      if (first) this.#repeat(name, first, entry)
      else section.entries.set(name, entry)
    }
    section.value = { ...present, ...value }
    return true
  }

  #repeat(key: string, first: Entry, second: Entry): void {
    const lineOf = ({ line, piece }: Entry) => line ?? lineIn(piece, 1)
    this.#repeated.push({ key, line: lineOf(second), first: lineOf(first) })
  }

  #lineOf(path: readonly string[]): number | undefined {
    const [key = '', name = ''] = path
    if (path.length === 2) return this.#sections.get(key)?.entries.get(name)?.line
    const piece = this.#pieceOf(path)
    return piece && lineFrom(piece, this.#parsed(piece).lineOf(path))
  }

  #pieceOf([key = '', name = '']: readonly string[]): Piece | undefined {
    const section = this.#sections.get(key)
    return section?.entries.get(name)?.piece ?? section?.first
  }

  /** Parses a piece again, and keeps the last one. */
  #parsed(piece: Piece): ParsedYaml {
    if (this.#last?.piece !== piece) this.#last = { piece, parsed: this.parse(piece.text) }
    return this.#last.parsed
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const namesIn = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])

/** Returns the line of the text for a line of a piece. */
const lineIn = ({ headLine, bodyLine }: Piece, line: number) => (line === 1 ? headLine : line - 2 + bodyLine)

const lineFrom = (piece: Piece, line: number | undefined) => (line === undefined ? undefined : lineIn(piece, line))

const linesOf = (piece: Piece, { line, first }: RepeatedKey) => ({
  line: lineIn(piece, line),
  first: lineIn(piece, first),
})

function parsedPiece(piece: Piece, parse: Parse): ParsedYaml {
  try {
    return parse(piece.text)
  } catch (error) {
    if (!(error instanceof YamlError) || error.line === undefined) throw error
    throw new YamlError(error.message, lineIn(piece, error.line), error.column)
  }
}
