/**
 * Reads the YAML that skyctl itself writes, and files like it, in a tenth of the package's time: maps and lists in
 * block form, with values whose type is plain at first sight. Anything else is left to the package.
 */

/** Only these characters: no tabs, no other line breaks, no byte order mark. */
const plainText = /^[\x20-\x7e\n]*$/
const ignored = /^ *(?:#.*)?$/
const lineOfText = /^( *)((?:- )?)(?:([A-Za-z_][\w.-]*):(?: |$))?(.*)$/

/** Texts of no type of YAML: words, paths, networks, ports. Words that a version of YAML takes for another type are none. */
const word = /^(?!(?:y|n|yes|no|on|off|null|true|false)$)[A-Za-z/][\w./-]*$/i
const network = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{1,4}:[\da-f:]*:[\da-f]{0,4}(?=\/))(?:\/\d{1,3})?$/
const quoted = /^"([^"\\]*)"$/
const integer = /^(?:0|-?[1-9]\d{0,14})$/
const constants = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
])

/** A line: its indent, `- ` of an item, its key, and the rest. */
interface Line {
  indent: number
  isItem: boolean
  key: string | undefined
  rest: string
}

/** Error for a text that only the package can read. */
class Unsupported extends Error {}

/** Returns the value of a text, wrapped; undefined for anything that only the package can read. */
export function plainValue(text: string): { value: unknown } | undefined {
  if (!plainText.test(text)) return undefined
  try {
    return { value: new PlainReader(text).value() }
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

class PlainReader {
  readonly #lines: Line[]
  #next = 0

  constructor(text: string) {
    this.#lines = text.split('\n').flatMap((line) => (ignored.test(line) ? [] : lineIn(line)))
  }

  value(): unknown {
    const [first] = this.#lines
    if (!first) throw new Unsupported()
    const value = this.#block(first.indent)
    if (this.#next < this.#lines.length) throw new Unsupported()
    return value
  }

  /** Reads the map or list whose first line is the next, with this indent. */
  #block(indent: number): unknown {
    return this.#lines[this.#next]?.isItem ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = []
    for (let line = this.#at(indent, true); line; line = this.#at(indent, true)) {
      if (line.key === undefined) {
        this.#next += 1
        items.push(scalar(line.rest))
      } else {
        // The map of an item begins in its line, after the `- `.
        this.#lines[this.#next] = { ...line, indent: indent + 2, isItem: false }
        items.push(this.#map(indent + 2))
      }
    }
    return items
  }

  #map(indent: number): Record<string, unknown> {
    const fields = new Map<string, unknown>()
    for (let line = this.#at(indent, false); line; line = this.#at(indent, false)) {
      const { key, rest } = line
      // The package reports repeated keys with their lines.
      if (key === undefined || !isName(key) || fields.has(key)) throw new Unsupported()
      this.#next += 1
      fields.set(key, rest === '' ? this.#below(indent) : scalar(rest))
    }
    return Object.fromEntries(fields)
  }

  /** Reads the value below a key: indented, or a list in its column; null if there is none. */
  #below(indent: number): unknown {
    const line = this.#lines[this.#next]
    if (!line || line.indent < indent || (line.indent === indent && !line.isItem)) return null
    return this.#block(line.indent)
  }

  /** Returns the next line if it belongs to the map or list with this indent; undefined at its end. */
  #at(indent: number, isItem: boolean): Line | undefined {
    const line = this.#lines[this.#next]
    if (!line || line.indent < indent) return undefined
    if (line.indent > indent) throw new Unsupported()
    return line.isItem === isItem ? line : this.#ended(isItem)
  }

  /** A list in the column of its key ends at the next key; a map does not end at an item. */
  #ended(isList: boolean): undefined {
    if (!isList) throw new Unsupported()
  }
}

function lineIn(text: string): Line {
  const [, blanks = '', item, key, rest = ''] = lineOfText.exec(text) ?? []
  return { indent: blanks.length, isItem: item !== '', key, rest }
}

/** Reports whether a key is a text in every version of YAML, and a name like any other in JavaScript. */
const isName = (key: string) => word.test(key.replace(/^_/, 'x')) && key !== '__proto__'

function scalar(text: string): unknown {
  if (word.test(text) || network.test(text)) return text
  const [, inner] = quoted.exec(text) ?? []
  if (inner !== undefined) return inner
  if (integer.test(text)) return Number(text)
  if (text === '[]') return []
  if (text === '{}') return {}
  const constant = constants.get(text)
  if (constant === undefined) throw new Unsupported()
  return constant
}
