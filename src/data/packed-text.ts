/** Long texts, which are held packed and read in parts: the file of a large account has 80 MiB. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** A text of which parts are read. */
export type LongText = string | PackedText

/** Number of bytes that are packed together. */
const atOnce = 2 ** 20
/** Number of bytes from which a text is packed. A folder may have hundreds of files. */
const worthPacking = 64 * 1024

/** Smallest size that zlib takes for its output. */
const least = 64

interface Block {
  start: number
  end: number
  packed: Buffer
}

/** A part of a text, and its place in it. */
export interface TextPart {
  at: number
  text: string
}

export class PackedText {
  /** Blocks of all texts that were unpacked last: an entry begins in one, and ends in the next. */
  static #unpacked: { block: Block; text: string }[] = []
  readonly #blocks: Block[] = []
  length = 0

  /** Adds the bytes of whole characters; `length` is that of their text. */
  add(bytes: Buffer, length: number): void {
    const start = this.length
    this.length += length
    this.#blocks.push({ start, end: this.length, packed: deflateRawSync(bytes, { level: 1 }) })
  }

  /** Copies a part. A slice would keep its block in memory. */
  slice(start: number, end = this.length): string {
    const texts = [...this.parts(start, end)].map(({ text }) => text)
    return Buffer.from(texts.join('')).toString()
  }

  toString(): string {
    return this.slice(0)
  }

  /** Yields what the blocks have between two places. */
  *parts(start = 0, end = this.length): Generator<TextPart, void> {
    for (const block of this.#blocks) {
      if (block.end <= start) continue
      if (block.start >= end) return
      const at = Math.max(start, block.start)
      yield { at, text: this.#textOf(block).slice(at - block.start, end - block.start) }
    }
  }

  /** Returns the whole block around a place. */
  partAt(place: number): TextPart {
    const block = this.#blocks.find(({ end }) => place < end)
    return block ? { at: block.start, text: this.#textOf(block) } : { at: this.length, text: '' }
  }

  #textOf(block: Block): string {
    const last = PackedText.#unpacked.find((one) => one.block === block)
    if (last) return last.text
    const text = inflateRawSync(block.packed, { chunkSize: Math.max(least, block.end - block.start) }).toString()
    PackedText.#unpacked = [...PackedText.#unpacked.slice(-1), { block, text }]
    return text
  }
}

/** Yields the parts of a text between two places; a string has one. */
export function partsOf(text: LongText, start = 0, end = text.length): Iterable<TextPart> {
  return typeof text === 'string' ? [{ at: start, text: text.slice(start, end) }] : text.parts(start, end)
}

/** Returns the part of a text around a place. */
export const partAt = (text: LongText, place: number): TextPart =>
  typeof text === 'string' ? { at: 0, text } : text.partAt(place)

/** Yields a text in parts that are whole lines. */
export function* linesOf(text: LongText, start = 0, end = text.length): Generator<TextPart, void> {
  let at = start
  let begun: string[] = []
  for (const part of partsOf(text, start, end)) {
    const whole = part.text.lastIndexOf('\n') + 1
    if (whole > 0) {
      const lines = [...begun, part.text.slice(0, whole)].join('')
      yield { at, text: lines }
      at += lines.length
      begun = []
    }
    begun.push(part.text.slice(whole))
  }
  const rest = begun.join('')
  if (rest !== '') yield { at, text: rest }
}

/** Reports whether a text includes a word. */
export function includes(text: LongText, word: string): boolean {
  let end = ''
  for (const part of partsOf(text)) {
    const some = end + part.text
    if (some.includes(word)) return true
    end = some.slice(1 - word.length)
  }
  return false
}

/** Collects the bytes of a text, and packs them if they are many. Throws TypeError for bytes that are not UTF-8. */
export class TextCollector {
  size = 0
  #pending: Buffer[] = []
  #pendingSize = 0
  #packed: PackedText | undefined

  add(bytes: Buffer): void {
    this.#pending.push(bytes)
    this.#pendingSize += bytes.length
    this.size += bytes.length
    if (this.#pendingSize >= atOnce) this.#pack(endOfLines)
  }

  /** Returns the text, without a byte order mark. */
  text(): LongText {
    if (this.size < worthPacking) return decoded(Buffer.concat(this.#pending), true)
    return this.#pack((bytes) => bytes.length)
  }

  #pack(endOf: (bytes: Buffer) => number): PackedText {
    const bytes = Buffer.concat(this.#pending)
    const end = endOf(bytes)
    const text = decoded(bytes.subarray(0, end), !this.#packed)
    this.#packed ??= new PackedText()
    this.#packed.add(Buffer.from(text), text.length)
    this.#pending = [bytes.subarray(end)]
    this.#pendingSize = bytes.length - end
    return this.#packed
  }
}

function decoded(bytes: Buffer, isFirst: boolean): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isFirst }).decode(bytes)
}

/** Returns the end of the last whole line; of a longer line, the end of its last whole character. */
function endOfLines(bytes: Buffer): number {
  const lines = bytes.lastIndexOf('\n') + 1
  if (lines > 0) return lines
  let start = bytes.length - 1
  while (start > 0 && isContinued(bytes[start])) start -= 1
  return start > 0 ? start : bytes.length
}

/** Reports whether a byte is not the first of a character. */
const isContinued = (byte = 0) => (byte & 0xc0) === 0x80
