/** Finds the lines of values in a file. */
import { jsonByEntries } from '../data/json-pieces'
import { type MemoryBudget, memoryBudget } from '../data/memory-limits'
import { type LongText, partsOf } from '../data/packed-text'
import { type RepeatedKey, repeatedKeyText } from '../data/repeated-keys'
import { type ParsedYaml, YamlError } from '../data/yaml'
import { yamlParserByEntries } from '../data/yaml-pieces'
import { dataProblem, parseData } from '../engine/body-file'

/** Keys and indexes of a value's path. */
type Steps = readonly string[]

/** A line of a file; null if the file has none, or only its name is known. */
export interface SourceLine {
  file: string
  line: number | null
}

/** Position of a value in a file. */
export interface Position {
  /** Line of the key or item, or of the parent that lacks it. */
  readonly source: SourceLine
  /** Returns `web.yaml:12`. */
  toString(): string
  /** Original text of a number: `080` for 80. */
  readonly writtenAs: string | undefined
  /** Returns the position of a child. */
  at(steps: Steps): Position
}

// All firewalls that an account can have, with all their rules and addresses, are 1.4 million lines and twice as many values (api.md, Limits).
const limits = { most: 4_000_000, mostOfAnEntry: 200_000 }
const mostMemory = 192 * 2 ** 20
/** Number of characters from which JSON is parsed entry by entry. */
const long = 256 * 1024

/** A file with its positions. */
export interface PlacedFile {
  /** Undefined if the text is neither JSON nor YAML. */
  value: unknown
  place: Position
  /** Invalid text or duplicate keys, each with its line. */
  faults: readonly { place: string; reason: string }[]
}

/**
 * Reads a file with its positions. In JSON, they are found only if needed and if it is valid YAML, too. Throws
 * `too_large`.
 */
export async function readPlaced({ name, text }: { name: string; text: LongText }): Promise<PlacedFile> {
  const parse = await yamlParserByEntries(limits)
  const faults: { place: string; reason: string }[] = []
  let parsed: Places | undefined
  const readYaml = () => {
    try {
      const { value, repeated, ...places } = parse(text)
      // Without the value, which is checked and copied.
      parsed = places
      return { value, repeated }
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      faults.push({ place: `${name}:${error.line ?? 1}`, reason: `neither JSON nor YAML: ${error.message}` })
      return nothing
    }
  }
  const onRepeated = (repeated: readonly RepeatedKey[]) =>
    faults.push(...repeated.map((one) => ({ place: `${name}:${one.line}`, reason: repeatedKeyText(one) })))
  const value = await parsedValue(text, name, { readYaml, onRepeated, room: memoryBudget(mostMemory) })
  let isKnown = parsed !== undefined
  const written = () => {
    if (!isKnown) parsed = parsedOrNone(parse, text)
    isKnown = true
    return parsed
  }
  return { value, place: placeAt(name, written, []), faults }
}

type Contents = Pick<ParsedYaml, 'value' | 'repeated'>
type Places = Omit<ParsedYaml, keyof Contents>

interface Parsing {
  readYaml(): Contents
  onRepeated(repeated: readonly RepeatedKey[]): void
  room: MemoryBudget
}

/** Parses a text; a long one entry by entry, if it is an object of objects. Throws `usage`, and `too_large`. */
async function parsedValue(text: LongText, name: string, parsing: Parsing): Promise<unknown> {
  if (text.length <= long) return parseData(String(text), name, parsing)
  try {
    const entries = entriesOf(text, parsing)
    if (!entries) return await parseData(String(text), name, parsing)
    parsing.onRepeated(entries.repeated)
    return entries.value
  } catch (error) {
    throw dataProblem(error, name)
  }
}

/** Parses a long text entry by entry; undefined for JSON of another form. */
function entriesOf(text: LongText, { readYaml, room }: Parsing): Contents | undefined {
  const [first] = partsOf(text)
  try {
    return first && beginsJson.test(first.text) ? jsonByEntries(text, room) : readYaml()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return readYaml()
  }
}

/** The begin of a text that may be JSON of an object, a list, a text or a number. */
const beginsJson = /^\s*(?:$|[[{"\d]|-\d)/

const nothing: Contents = { value: undefined, repeated: [] }

/** Reads a file that is a single text. */
export const placedText = ({ name, text }: { name: string; text: LongText }) => ({
  value: String(text).trim(),
  place: placeAt(name, () => undefined, []),
})

/** Returns undefined for JSON that is no valid YAML or too large for its parser: then only the file is known. */
function parsedOrNone(parse: (text: LongText) => Places, text: LongText): Places | undefined {
  try {
    const { lineOf, writtenAs } = parse(text)
    return { lineOf, writtenAs }
  } catch {
    return undefined
  }
}

function placeAt(name: string, written: () => Places | undefined, path: Steps): Position {
  return new Place(name, written, path)
}

/** A class, since an object with getters of its own takes half a KiB, and large accounts have 40,000 of them. */
class Place implements Position {
  constructor(
    readonly name: string,
    readonly written: () => Places | undefined,
    readonly path: Steps,
  ) {}

  get source(): SourceLine {
    for (let left = this.path; left.length > 0; left = left.slice(0, -1)) {
      const line = this.written()?.lineOf(left)
      if (line !== undefined) return { file: this.name, line }
    }
    return { file: this.name, line: null }
  }

  toString(): string {
    const { file, line } = this.source
    return line === null ? file : `${file}:${line}`
  }

  get writtenAs(): string | undefined {
    return this.written()?.writtenAs(this.path)
  }

  at(steps: Steps): Position {
    // A copy by spreading reserves 140 bytes for more keys.
    return placeAt(this.name, this.written, this.path.concat(steps))
  }
}
