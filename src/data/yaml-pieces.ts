/**
 * Parses long YAML texts entry by entry: the package needs a KiB for each value, but only while its document is in use.
 */
import { LimitExceeded } from './memory-limits'
import { createPacker, type Packer } from './packer'
import type { RepeatedKey } from './repeated-keys'
import { expectBounded, type ParsedYaml, YamlError, yamlParser } from './yaml'

/** Maximum numbers of lines and values. */
interface Limits {
  /** Of a whole text. */
  most: number
  mostOfAnEntry: number
  /** Number of characters from which a text, or an entry of its root, is divided. */
  long?: number
}

/** Loads a parser for long texts. A text of another form than a map of maps is parsed as a single entry. */
export async function yamlParserByEntries({ most, mostOfAnEntry, long = 256 * 1024 }: Limits): Promise<Parse> {
  const parse = await yamlParser(mostOfAnEntry)
  return (text) => {
    const sections = text.length > long ? sectionsOf(text, long) : undefined
    if (!sections) return parse(text)
    expectBounded(text, most)
    try {
      return assembled(sections, parse) ?? parse(text)
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      return parsedWhole(text, parse, error)
    }
  }
}

/** Parses a text with an invalid entry: perhaps a value of several lines was divided. Else the error is that of the entry. */
function parsedWhole(text: string, parse: Parse, error: YamlError): ParsedYaml {
  try {
    return parse(text)
  } catch (whole) {
    throw whole instanceof LimitExceeded ? error : whole
  }
}

type Parse = (text: string) => ParsedYaml

/** The text of one entry of a map. */
interface Entry {
  text: string
  /** Number of lines before it. */
  before: number
}

/** An entry of the root, with those of its map if it is long. */
interface Section extends Entry {
  key: string
  below: readonly Entry[] | undefined
}

const plainKey = /^([A-Za-z_][\w-]*):(?=\s|$)/
const keyAlone = /^[^:]*:[ \t]*(?:#.*)?$/

/** Divides a text; undefined if its root is no map in block form with plain keys. */
function sectionsOf(text: string, long: number): Section[] | undefined {
  const sections = divided(text, 0)?.map((entry) => sectionOf(entry, long))
  return sections?.every((one) => one !== undefined) ? sections : undefined
}

function sectionOf(entry: Entry, long: number): Section | undefined {
  const [, key] = plainKey.exec(entry.text) ?? []
  if (key === undefined) return undefined
  const head = entry.text.slice(0, entry.text.indexOf('\n') + 1)
  const body = entry.text.slice(head.length)
  const [, blanks = ''] = firstContents.exec(body) ?? []
  const isLong = body.length > long && keyAlone.test(head.trimEnd()) && blanks !== ''
  const below = isLong ? divided(body, blanks.length) : undefined
  return { ...entry, key, below: below?.map(({ text, before }) => ({ text, before: entry.before + 1 + before })) }
}

const firstContents = /^( *)(?![ \t\r\n#])./m

/** Divides a text at the lines that are indented by so many blanks; undefined if one is indented by fewer. */
function divided(text: string, indent: number): Entry[] | undefined {
  const lines = (blanks: string) => new RegExp(`^ {${blanks}}(?![ \\t\\r\\n#])(?=.)`, 'gm')
  if (indent > 0 && lines(`0,${indent - 1}`).test(text)) return undefined
  const starts = [...text.matchAll(lines(String(indent)))].map(({ index }) => index)
  let [at, before] = [0, 0]
  return starts.map((start, place) => {
    before += countLines(text, at, start)
    at = start
    return { text: text.slice(start, starts[place + 1]), before }
  })
}

function countLines(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Parses the entries; undefined if one part of the text is not an entry. */
function assembled(sections: readonly Section[], parse: Parse): ParsedYaml | undefined {
  const root = new EntryReader(parse)
  const pack = createPacker()
  const read: (readonly [Section, EntryReader])[] = []
  for (const section of sections) {
    const named = new EntryReader(parse, pack)
    if (!(section.below?.every((entry) => named.add(entry)) ?? root.add(section))) return undefined
    if (section.below) root.put(section.key, named.value, section)
    read.push([section, named])
  }
  const repeated = [root, ...read.map(([, named]) => named)].flatMap((one) => one.repeated)
  const named = new Map(read.flatMap(([{ key, below }, reader]) => (below ? [[key, reader] as const] : [])))
  return { value: root.value, repeated: repeated.sort((a, b) => a.line - b.line), ...lookups(root, named, parse) }
}

/** Reads the entries of one map. */
class EntryReader {
  readonly entries = new Map<string, Entry>()
  readonly repeated: RepeatedKey[] = []
  readonly #fields = new Map<string, unknown>()

  /** `pack` packs the large fields of an entry. */
  constructor(
    readonly parse: Parse,
    readonly pack?: Packer,
  ) {}

  get value(): Record<string, unknown> {
    return Object.fromEntries(this.#fields)
  }

  /** Parses an entry; returns false if its text holds something else. */
  add(entry: Entry): boolean {
    const parsed = parsedEntry(entry, this.parse)
    if (!parsed) return false
    const { before } = entry
    if (typeof parsed.value === 'object' && parsed.value !== null) this.pack?.(parsed.value)
    this.put(parsed.key, parsed.value, entry)
    for (const one of parsed.repeated)
      this.repeated.push({ ...one, line: one.line + before, first: one.first + before })
    return true
  }

  put(key: string, value: unknown, entry: Entry): void {
    const first = this.entries.get(key)
    if (first) this.repeated.push({ key, line: entry.before + 1, first: first.before + 1 })
    else this.entries.set(key, entry)
    this.#fields.set(key, value)
  }
}

function parsedEntry({ text, before }: Entry, parse: Parse) {
  try {
    const { value, repeated } = parse(text)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    const [entry, other] = isMap ? Object.entries(value) : []
    return entry && !other ? { key: entry[0], value: entry[1], repeated } : undefined
  } catch (error) {
    if (!(error instanceof YamlError) || error.line === undefined) throw error
    throw new YamlError(error.message, error.line + before, error.column)
  }
}

/** Returns functions that parse an entry again when a position in it is needed, and keep the last one. */
function lookups(
  root: EntryReader,
  named: ReadonlyMap<string, EntryReader>,
  parse: Parse,
): Pick<ParsedYaml, 'lineOf' | 'writtenAs'> {
  let last: { entry: Entry; parsed: ParsedYaml } | undefined
  const find = ([key = '', ...path]: readonly string[]) => {
    const below = path.length > 0 ? named.get(key) : undefined
    const entry = below ? below.entries.get(path[0] ?? '') : root.entries.get(key)
    if (!entry) return undefined
    if (last?.entry !== entry) last = { entry, parsed: parse(entry.text) }
    return { before: entry.before, parsed: last.parsed, path: below ? path : [key, ...path] }
  }
  return {
    lineOf(path) {
      // A divided map is too long to be parsed for the line of its key.
      const [key = ''] = path
      const section = path.length === 1 && named.has(key) ? root.entries.get(key) : undefined
      if (section) return section.before + 1
      const found = find(path)
      const line = found?.parsed.lineOf(found.path)
      return found && line !== undefined ? line + found.before : undefined
    },
    writtenAs(path) {
      const found = find(path)
      return found?.parsed.writtenAs(found.path)
    },
  }
}
