/** Parses long JSON texts entry by entry, and packs the large fields of each: all of them parsed take too much memory. */
import { parsedWithin } from './json'
import { LimitExceeded, type MemoryBudget } from './memory-limits'
import { type LongText, partAt, partsOf, type TextPart } from './packed-text'
import { packFileEntry } from './packer'
import { type RepeatedKey, repeatedKeys } from './repeated-keys'

interface Parsed {
  value: Record<string, unknown>
  /** Duplicate keys, in order. */
  repeated: readonly RepeatedKey[]
}

/**
 * Parses a text whose root is an object of objects; undefined for any other text. Throws SyntaxError for an invalid one,
 * if it is found to be; LimitExceeded if its entries take too much memory packed; and NumberTooLarge.
 */
export function jsonByEntries(text: LongText, room: MemoryBudget, long = usual): Parsed | undefined {
  return new Entries(text, room, long).root()
}

/** Number of characters from which a value is divided. */
const usual = 256 * 1024

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Reads the value between two places; undefined if it cannot be read. */
type Read = (from: number, to: number) => unknown

class Entries {
  readonly #repeated: RepeatedKey[] = []
  readonly #places: PlacedText
  #memory = 0

  constructor(
    readonly text: LongText,
    readonly room: MemoryBudget,
    readonly long: number,
  ) {
    this.#places = new PlacedText(text)
  }

  root(): Parsed | undefined {
    const begin = this.#places.afterBlanks(0)
    const end = this.#places.endOf(begin)
    if (this.#places.afterBlanks(end) !== this.text.length) return undefined
    const value = this.#object(begin, end, (from, to) => {
      const isDivided = to - from > this.long && this.#places.code(from) === openObject
      return isDivided ? this.#object(from, to, (...place) => this.#entry(...place)) : this.#parsed(from, to).value
    })
    return value && { value, repeated: this.#repeated }
  }

  /** Reads an object, and each value by its place; undefined if it is no valid object. */
  #object(begin: number, end: number, read: Read): Record<string, unknown> | undefined {
    const places = this.#places
    if (places.code(begin) !== openObject || places.code(end - 1) !== closeObject) return undefined
    const fields = new Map<string, unknown>()
    const keys = new Map<string, number>()
    for (let at = begin + 1; ; at += 1) {
      const start = places.afterBlanks(at)
      const close = places.code(start) === quote ? places.endOf(start) : start
      const mark = places.afterBlanks(close)
      if (close === start || places.code(mark) !== colon) return undefined
      const name: string = JSON.parse(this.text.slice(start, close))
      this.#expectOnce(name, start, keys)
      const from = places.afterBlanks(mark + 1)
      const to = places.endOf(from)
      const value = from < to && to < end ? read(from, to) : undefined
      if (value === undefined) return undefined
      fields.set(name, value)
      at = places.afterBlanks(to)
      if (at === end - 1) return Object.fromEntries(fields)
      if (places.code(at) !== comma) return undefined
    }
  }

  #expectOnce(key: string, at: number, keys: Map<string, number>): void {
    const first = keys.get(key)
    if (first === undefined) keys.set(key, at)
    else this.#repeated.push({ key, line: this.#places.lineAt(at), first: this.#places.lineAt(first) })
  }

  /** Parses an entry, and packs it at once. */
  #entry(from: number, to: number): unknown {
    const { value, memory } = this.#parsed(from, to)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    this.#memory += isObject && memory > 0 ? packFileEntry(value) : memory
    if (this.#memory <= this.room.memory) return value
    throw new LimitExceeded(`its contents take over ${this.room.memory / 2 ** 20} MiB of memory`)
  }

  #parsed(from: number, to: number): ReturnType<typeof parsedWithin> {
    const text = this.text.slice(from, to)
    const parsed = parsedWithin(text, this.room)
    const repeated = repeatedKeys(text)
    const before = repeated.length > 0 ? this.#places.lineAt(from) - 1 : 0
    for (const { key, line, first } of repeated)
      this.#repeated.push({ key, line: line + before, first: first + before })
    return parsed
  }
}

/** Finds values in a text. */
class PlacedText {
  #part: TextPart = { at: 0, text: '' }

  constructor(readonly text: LongText) {}

  /** Returns the character at a place; NaN at the end. */
  code(at: number): number {
    const { at: start, text } = this.#part
    const code = text.charCodeAt(at - start)
    if (!Number.isNaN(code) || at >= this.text.length) return code
    this.#part = partAt(this.text, at)
    return this.#part.text.charCodeAt(at - this.#part.at)
  }

  afterBlanks(at: number): number {
    let end = at
    while (isBlank(this.code(end))) end += 1
    return end
  }

  /** Returns the end of the value that begins here; of a number or a word, the end without blanks. */
  endOf(begin: number): number {
    let depth = 0
    let end = begin
    for (let at = begin; at < this.text.length; at += 1) {
      const code = this.code(at)
      if (depth === 0 && isEnd(code)) return end
      if (code === quote) at = this.#endOfText(at) - 1
      else if (code === openObject || code === openList) depth += 1
      else if (code === closeObject || code === closeList) depth -= 1
      else if (depth > 0 || isBlank(code)) continue
      else {
        end = at + 1
        continue
      }
      if (depth === 0) return at + 1
    }
    return this.text.length
  }

  /** Returns the end of the text whose quote is here. */
  #endOfText(begin: number): number {
    for (let at = begin + 1; at < this.text.length; at += 1) {
      const code = this.code(at)
      if (code === quote) return at + 1
      if (code === backslash) at += 1
    }
    return this.text.length
  }

  /** Returns the line of a place, counted from 1. */
  lineAt(place: number): number {
    let line = 1
    for (const { text } of partsOf(this.text, 0, place)) line += text.split('\n').length - 1
    return line
  }
}

const isEnd = (code: number) => code === comma || code === closeObject || code === closeList
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
