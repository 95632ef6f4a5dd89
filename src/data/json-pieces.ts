/** Parses long JSON texts entry by entry, and packs the large fields of each: all of them parsed take too much memory. */
import { parsedWithin } from './json'
import { LimitExceeded, type MemoryBudget } from './memory-limits'
import { createPacker, type Packer } from './packer'

/**
 * Parses a text whose root is an object of objects; undefined for any other text, and for an invalid one. Throws
 * LimitExceeded if its entries take too much memory packed, and NumberTooLarge.
 */
export function jsonByEntries(text: string, room: MemoryBudget, long = usual): Record<string, unknown> | undefined {
  return new Entries(text, room, long).root()
}

/** Number of characters from which a value is divided. */
const usual = 256 * 1024
const blanks = /[ \t\r\n]*/y
const sign = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g
const key = /[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*")[ \t\r\n]*:/y

class Entries {
  readonly #pack: Packer = createPacker()
  #memory = 0

  constructor(
    readonly text: string,
    readonly room: MemoryBudget,
    readonly long: number,
  ) {}

  root(): Record<string, unknown> | undefined {
    const begin = this.#afterBlanks(0)
    const end = this.#endOf(begin)
    if (this.#afterBlanks(end) !== this.text.length) return undefined
    return this.#object(begin, end, (from, to) => {
      const isDivided = to - from > this.long && this.text.startsWith('{', from)
      return isDivided ? this.#object(from, to, (...place) => this.#entry(...place)) : this.#parsed(from, to).value
    })
  }

  /** Reads an object, and each value by its place; undefined if it is no valid object. */
  #object(begin: number, end: number, read: (from: number, to: number) => unknown) {
    const { text } = this
    if (!text.startsWith('{', begin) || text[end - 1] !== '}') return undefined
    const fields = new Map<string, unknown>()
    for (let at = begin + 1; ; at += 1) {
      key.lastIndex = at
      const [, name] = key.exec(text) ?? []
      if (name === undefined) return undefined
      const from = this.#afterBlanks(key.lastIndex)
      const to = this.#endOf(from)
      const value = this.#isInside(from, to, end) ? read(from, to) : undefined
      if (value === undefined) return undefined
      fields.set(JSON.parse(name), value)
      at = this.#afterBlanks(to)
      if (at === end - 1) return Object.fromEntries(fields)
      if (text[at] !== ',') return undefined
    }
  }

  readonly #isInside = (from: number, to: number, end: number) => from < to && to < end

  /** Parses an entry, and packs it at once. */
  #entry(from: number, to: number): unknown {
    const { value, memory } = this.#parsed(from, to)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    this.#memory += isObject && memory > 0 ? this.#pack(value) : memory
    if (this.#memory <= this.room.memory) return value
    throw new LimitExceeded(`its contents take over ${this.room.memory / 2 ** 20} MiB of memory`)
  }

  readonly #parsed = (from: number, to: number) => parsedWithin(this.text.slice(from, to), this.room)

  #afterBlanks(at: number): number {
    blanks.lastIndex = at
    blanks.exec(this.text)
    return blanks.lastIndex
  }

  /** Returns the end of the value that begins here; of a number or a word, the end without blanks. */
  #endOf(begin: number): number {
    let depth = 0
    sign.lastIndex = begin
    for (let found = sign.exec(this.text); found; found = sign.exec(this.text)) {
      const [one] = found
      if (depth === 0 && (one === ',' || one === '}' || one === ']'))
        return begin + this.text.slice(begin, found.index).trimEnd().length
      if (one === '{' || one === '[') depth += 1
      else if (one === '}' || one === ']') depth -= 1
      if (depth === 0) return sign.lastIndex
    }
    return this.text.length
  }
}
