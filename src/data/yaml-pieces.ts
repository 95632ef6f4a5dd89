/**
 * Parses long YAML texts entry by entry: the package needs a KiB for each value, but only while its document is in use.
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
  /** Number of characters from which a text, or an entry of its root, is divided. */
  long?: number
}

/** Loads a parser for long texts. A text of another form than a map of maps is parsed as a single entry. */
export async function yamlParserByEntries({
  most,
  mostOfAnEntry,
  long = 256 * 1024,
}: Limits): Promise<(text: string) => ParsedYaml> {
  const parse = await yamlParser(mostOfAnEntry)
  return (text) => {
    const sections = text.length > long ? sectionsOf(text, long) : undefined
    const whole = () => parse(text)
    if (!sections) return whole()
    expectBounded(text, most)
    try {
      const parseEntry = ({ start, end }: Entry) => parse(text.slice(start, end))
      return assembled(sections, parseEntry) ?? whole()
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      return parsedWhole(whole, error)
    }
  }
}

/** Parses a text with an invalid entry: perhaps a value of several lines was divided. Else the error is that of the entry. */
function parsedWhole(parse: () => ParsedYaml, error: YamlError): ParsedYaml {
  try {
    return parse()
  } catch (whole) {
    throw whole instanceof LimitExceeded ? error : whole
  }
}

type Parse = (entry: Entry) => ParsedYaml

/** The place of an entry of a map. */
interface Entry {
  start: number
  end: number
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
  const whole = { start: 0, end: text.length, before: 0 }
  const sections: Section[] = []
  for (const entry of divided(text, whole, 0) ?? []) {
    const section = sectionOf(text, entry, long)
    if (!section) return undefined
    sections.push(section)
  }
  return sections
}

function sectionOf(text: string, entry: Entry, long: number): Section | undefined {
  const { start, end, before } = entry
  const head = firstLine(text, entry)
  const [, key] = plainKey.exec(head) ?? []
  if (key === undefined) return undefined
  const body = { start: start + head.length, end, before: before + 1 }
  const isLong = end - body.start > long && keyAlone.test(head.trimEnd())
  const blanks = isLong ? firstIndent(text, body) : 0
  return { ...entry, key, below: blanks > 0 ? divided(text, body, blanks) : undefined }
}

/** Returns the first line of an entry, with its line feed if there is one. */
function firstLine(text: string, { start, end }: Entry): string {
  const feed = text.indexOf('\n', start)
  return text.slice(start, feed < 0 ? end : Math.min(feed + 1, end))
}

const firstContents = /^( *)(?![ \t\r\n#])./m

/** Returns the number of blanks before the first contents. */
function firstIndent(text: string, { start, end }: Entry): number {
  const [, blanks = ''] = firstContents.exec(text.slice(start, end)) ?? []
  return blanks.length
}

/** Divides a part at the lines that are indented by so many blanks; undefined if one is indented by fewer. */
function divided(text: string, { start, end, before }: Entry, indent: number): Entry[] | undefined {
  const lines = (blanks: string) => new RegExp(`^ {${blanks}}(?![ \\t\\r\\n#])(?=.)`, 'gm')
  const outside = indent > 0 ? lines(`0,${indent - 1}`) : undefined
  const starts = lines(String(indent))
  const entries: Entry[] = []
  const part = text.slice(start, end)
  if (outside && part.search(outside) !== -1) return undefined
  let count = before
  let counted = 0
  for (const { index } of part.matchAll(starts)) {
    count += countLines(part, counted, index)
    counted = index
    entries.push({ start: start + index, end, before: count })
  }
  return entries.map((entry, place) => ({ ...entry, end: entries[place + 1]?.start ?? end }))
}

function countLines(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Parses the entries; undefined if one part of the text is not an entry. */
function assembled(sections: readonly Section[], parse: Parse): ParsedYaml | undefined {
  const root = new EntryReader(parse)
  const read: (readonly [Section, EntryReader])[] = []
  for (const section of sections) {
    const named = new EntryReader(parse)
    if (!(section.below?.every((entry) => named.add(entry)) ?? root.add(section))) return undefined
    if (section.below) root.put(section.key, named.value, section)
    read.push([section, named])
  }
  const repeated = [root, ...read.map(([, named]) => named)].flatMap((one) => one.repeated)
  const named = new Map(read.flatMap(([{ key, below }, { entries }]) => (below ? [[key, entries] as const] : [])))
  return {
    value: root.value,
    repeated: repeated.sort((a, b) => a.line - b.line),
    ...lookups(root.entries, named, parse),
  }
}

type Entries = ReadonlyMap<string, Entry>

/** Reads the entries of one map. */
class EntryReader {
  readonly entries = new Map<string, Entry>()
  readonly repeated: RepeatedKey[] = []
  readonly #fields = new Map<string, unknown>()

  constructor(readonly parse: Parse) {}

  get value(): Record<string, unknown> {
    return Object.fromEntries(this.#fields)
  }

  /** Parses an entry; returns false if its text holds something else. */
  add(entry: Entry): boolean {
    const parsed = parsedEntry(entry, this.parse)
    if (!parsed) return false
    const { before } = entry
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

function parsedEntry(place: Entry, parse: Parse) {
  const { before } = place
  try {
    const { value, repeated } = parse(place)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    const [entry, other] = isMap ? Object.entries(value) : []
    return entry && !other ? { key: entry[0], value: entry[1], repeated } : undefined
  } catch (error) {
    if (!(error instanceof YamlError) || error.line === undefined) throw error
    throw new YamlError(error.message, error.line + before, error.column)
  }
}

/**
 * Returns functions that parse an entry again when a position in it is needed, and keep the last one. They outlive the
 * values, so they must not hold them.
 */
function lookups(
  root: Entries,
  named: ReadonlyMap<string, Entries>,
  parse: Parse,
): Pick<ParsedYaml, 'lineOf' | 'writtenAs'> {
  let last: { entry: Entry; parsed: ParsedYaml } | undefined
  const find = ([key = '', ...path]: readonly string[]) => {
    const below = path.length > 0 ? named.get(key) : undefined
    const entry = below ? below.get(path[0] ?? '') : root.get(key)
    if (!entry) return undefined
    if (last?.entry !== entry) last = { entry, parsed: parse(entry) }
    return { before: entry.before, parsed: last.parsed, path: below ? path : [key, ...path] }
  }
  return {
    lineOf(path) {
      // A divided map is too long to be parsed for the line of its key.
      const [key = ''] = path
      const section = path.length === 1 && named.has(key) ? root.get(key) : undefined
      if (section) return section.before + 1
      const match = find(path)
      const line = match?.parsed.lineOf(match.path)
      return match && line !== undefined ? line + match.before : undefined
    },
    writtenAs(path) {
      const match = find(path)
      return match?.parsed.writtenAs(match.path)
    },
  }
}
