/**
 * Parses long YAML texts in pieces: the package needs a KiB for each value, but only while its document is in use. Maps of
 * maps in block form can be divided, as `export` writes them. Of small pieces, V8 copies little before it can be freed.
 */
import { LimitExceeded } from './memory-limits'
import type { RepeatedKey } from './repeated-keys'
import type { TextPlace } from './source-nodes'
import { type ParsedYaml, YamlError, type YamlParser, yamlParser } from './yaml'
import { expectBounded } from './yaml-limits'

/** Maximum numbers of lines and values. */
interface Limits {
  /** Limit for a whole text. */
  most: number
  mostOfAnEntry: number
  /** Number of characters from which a text is divided, and of a piece. */
  long?: number
}

/** Loads a parser for long texts. A text of another form is parsed at once. */
export async function yamlParserByEntries({
  most,
  mostOfAnEntry,
  long = 32 * 1024,
}: Limits): Promise<(text: string) => ParsedYaml> {
  const parse = await yamlParser(mostOfAnEntry)
  return (text) => {
    if (text.length <= long || severalDocuments.test(text)) return parse(text)
    expectBounded(text, most)
    try {
      const joined = new Joined(parse)
      for (const piece of piecesOf(text, long)) if (!joined.add(piece)) return parse(text)
      return joined.finish()
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
  head: string
  body: string
}

/** Parses a piece; all lines are those of the whole text. */
const parsed = ({ headLine, bodyLine, head, body }: Piece, parse: YamlParser): ParsedYaml =>
  parse(head + body, (line) => (line === 1 ? headLine : line - 2 + bodyLine))

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
    for (const group of grouped(body, entries, long)) {
      yield { headLine, bodyLine, head, body: group }
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

/** Joins neighbours up to this number of characters; as parts of the whole text they take no memory of their own. */
function* grouped(whole: string, texts: readonly string[], long: number): Generator<string, void> {
  let [begin, end] = [0, 0]
  for (const { length } of texts) {
    if (end > begin && end - begin + length > long) {
      yield whole.slice(begin, end)
      begin = end
    }
    end += length
  }
  yield whole.slice(begin)
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

interface Section {
  line: number
  /** The value of each piece; they are joined at the end. */
  values: unknown[]
  first: Piece
  entries: Map<string, Entry>
}

/** An entry of a section: reports need its line more often than the lines in it, which a piece is parsed again for. */
interface Entry extends TextPlace {
  piece: Piece
}

class Joined {
  readonly #sections = new Map<string, Section>()
  readonly #repeated: RepeatedKey[] = []
  #last: { piece: Piece; parsed: ParsedYaml } | undefined

  constructor(readonly parse: YamlParser) {}

  /** Returns the result, and keeps only the places of its values. */
  finish(): ParsedYaml {
    const fields = [...this.#sections].map(([key, { values }]) => [key, joinedValue(values.splice(0))])
    return {
      value: Object.fromEntries(fields),
      repeated: this.#repeated.sort((one, other) => one.line - other.line),
      placeOf: (path) => this.#placeOf(path),
    }
  }

  /** Adds a piece; returns false if it has something else than one key. */
  add(piece: Piece): boolean {
    const { value: parts, repeated, placeOf } = parsed(piece, this.parse)
    // The texts of the package are parts of the piece, which they would keep in memory.
    const value = structuredClone(parts)
    // Only comments.
    if (value === null) return true
    const [field, other] = isMap(value) ? Object.entries(value) : []
    if (!field || other || (piece.head + piece.body).search(beforeKey) !== 0) return false
    this.#repeated.push(...repeated)
    const [key, entries] = field
    const section = this.#sections.get(key)
    const names = typeof entries === 'object' && entries !== null ? Object.keys(entries) : []
    const located = names.map((name): [string, Entry] => {
      const { line, column } = placeOf([key, name]) ?? { line: piece.headLine }
      return [name, { piece, line, column }]
    })
    if (section?.first.headLine === piece.headLine) return this.#extend(section, entries, located)
    if (section) this.#repeated.push({ key, line: piece.headLine, first: section.line })
    const line = section?.line ?? piece.headLine
    this.#sections.set(key, { line, values: [entries], first: piece, entries: new Map(located) })
    return true
  }

  /** Adds the entries of another piece to a section. */
  #extend(section: Section, value: unknown, entries: readonly [string, Entry][]): boolean {
    // A piece may have nothing but the comment above the first entry.
    const [present] = section.values
    if (!isMap(present ?? {}) || !isMap(value)) return false
    for (const [key, entry] of entries) {
      const first = section.entries.get(key)
      if (first) this.#repeated.push({ key, line: entry.line, first: first.line })
      else section.entries.set(key, entry)
    }
    section.values.push(value)
    return true
  }

  #placeOf(path: readonly string[]): TextPlace | undefined {
    const [key = '', name = ''] = path
    const section = this.#sections.get(key)
    // Keys of the root are not indented: there the text is divided.
    if (path.length < 2) return section && { line: section.line, column: 1 }
    if (path.length === 2) return section?.entries.get(name)
    return this.#pieceWith(path)?.placeOf(path)
  }

  /** Parses the piece with a path again, and keeps the last one. */
  #pieceWith([key = '', name = '']: readonly string[]): ParsedYaml | undefined {
    const section = this.#sections.get(key)
    const piece = section?.entries.get(name)?.piece ?? section?.first
    if (piece && this.#last?.piece !== piece) this.#last = { piece, parsed: parsed(piece, this.parse) }
    return piece && this.#last?.parsed
  }
}

/** Joins the maps of pieces; null is one without entries. */
const joinedValue = ([first, ...others]: readonly unknown[]): unknown =>
  others.length === 0 ? first : Object.fromEntries([first, ...others].flatMap((map) => Object.entries(map ?? {})))

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
