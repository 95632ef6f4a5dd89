/**
 * Lines of a state file, parsed on demand. Nearly all lines hold one record, and a request needs few of them. So a line is
 * only scanned for its table and id, and read again on access. The file is read in parts that fit into the processor's
 * cache: 25 MB in fresh memory take 15 ms instead of 3. A line is identified by its number, the first is 0.
 */
import { closeSync, readSync } from 'node:fs'
import type { KeptRecord } from './database'
import { positionOf } from './indexes'
import type { Identified, RecordSource } from './table'

/** Callbacks for lines: one record with its id, or anything else, such as several changes or a deletion. */
interface Visitor {
  /** Returns the callback for records of a table. */
  record(table: string): (id: number, line: number) => void
  other(line: number): void
}

/** Whole lines, and where they start in the file. */
interface Part {
  bytes: Buffer
  start: number
}

const lineEnd = 10
const partSize = 128 * 1024
/** Bytes that are read with a line: the next record is often the next line. */
const nearby = 16 * 1024

export class LazyRecords implements RecordSource {
  #file: number
  readonly #damaged: (line: number, cause: unknown) => Error
  /** Start of each line, and the end of the last one. */
  readonly #starts: number[]
  /** The bytes that were read last. */
  #part: Part = { bytes: Buffer.alloc(0), start: 0 }

  /** Takes an open file and the start of its lines. `damaged` creates the error for a line that is not valid JSON. */
  constructor(file: number, start: number, damaged: (line: number, cause: unknown) => Error) {
    this.#file = file
    this.#damaged = damaged
    this.#starts = [start]
  }

  /** End of the last line that was visited. */
  get end(): number {
    return this.#startOf(this.#starts.length - 1)
  }

  changes(line: number): KeptRecord[] {
    return this.#parsed(line)
  }

  read(line: number): Identified {
    // `visit` found exactly one record in this line.
    const [[, , record]]: [[string, number, Identified]] = this.#parsed(line)
    return record
  }

  #parsed<T>(line: number): T {
    try {
      return JSON.parse(this.textOf(line))
    } catch (error) {
      throw this.#damaged(line, error)
    }
  }

  textOf(line: number): string {
    const start = this.#startOf(line)
    const end = this.#startOf(line + 1)
    const { bytes, start: first } = this.#part
    if (start < first || end > first + bytes.length) {
      this.#part = { bytes: this.#filled(Buffer.allocUnsafe(Math.max(nearby, end - start)), start), start }
    }
    return this.#part.bytes.toString('utf8', start - this.#part.start, end - this.#part.start)
  }

  lengthOf(line: number): number {
    return this.#startOf(line + 1) - this.#startOf(line)
  }

  holding(text: string): ReadonlySet<number> {
    const lines = new Set<number>()
    for (const { bytes, start } of this.#parts(this.#startOf(0), this.end)) {
      for (let at = bytes.indexOf(text); at >= 0; ) {
        const line = positionOf(this.#starts, start + at + 1) - 1
        lines.add(line)
        at = bytes.indexOf(text, this.#startOf(line + 1) - start)
      }
    }
    return lines
  }

  /** Scans all whole lines up to a place of the file, in order; returns their number. */
  visit(to: number, { record, other }: Visitor): number {
    let head = noHead
    let place = (_id: number, line: number) => other(line)
    const starts = this.#starts
    const before = starts.length
    for (const { bytes, start } of this.#parts(this.end, to)) {
      let several = severalFrom(bytes, 0)
      for (let line = 0; line < bytes.length; ) {
        const end = bytes.indexOf(lineEnd, line) + 1
        if (several < line) several = severalFrom(bytes, line)
        // Most lines belong to the same table as the line before.
        if (!standsAt(line, head, bytes)) {
          head = headAt(bytes, line)
          if (head !== noHead) place = record(head.slice(3, -2))
        }
        let at = line + head.length
        let id = 0
        for (let digit = bytes[at] ?? 0; isDigit(digit); digit = bytes[at] ?? 0) {
          id = 10 * id + (digit - zero)
          at += 1
        }
        const isRecord = id > 0 && standsAt(at, ',{', bytes) && standsAt(end - 4, '}]]', bytes)
        const number = starts.push(start + end) - 2
        if (isRecord && several >= end) place(id, number)
        else other(number)
        line = end
      }
    }
    return starts.length - before
  }

  isOf(file: number): boolean {
    return file === this.#file
  }

  close(): void {
    closeSync(this.#file)
    // Another file may get the same number.
    this.#file = -1
  }

  /** Reads whole lines, one part of the file after the other, into the same memory. */
  *#parts(from: number, to: number): Iterable<Part> {
    let buffer = Buffer.allocUnsafeSlow(Math.min(partSize, to - from))
    for (let start = from; start < to; ) {
      const room = buffer.subarray(0, to - start)
      const bytes = this.#filled(room, start)
      const whole = bytes.subarray(0, bytes.lastIndexOf(lineEnd) + 1)
      this.#part = { bytes: whole, start }
      if (whole.length > 0) yield this.#part
      // The rest is an incomplete line.
      if (bytes.length < room.length || start + bytes.length === to) return
      if (whole.length === 0) buffer = Buffer.allocUnsafeSlow(Math.min(2 * buffer.length, to - start))
      start += whole.length
    }
  }

  /** Returns the part of a buffer that the file fills from a place on. */
  #filled(buffer: Buffer, start: number): Buffer {
    return buffer.subarray(0, readSync(this.#file, buffer, 0, buffer.length, start))
  }

  #startOf(line: number): number {
    return this.#starts[line] ?? 0
  }
}

/** Returns the next separator between two changes of one request. If it occurs inside a text, the line is only parsed early. */
function severalFrom(bytes: Buffer, from: number): number {
  const at = bytes.indexOf('],["', from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

/** Matches no line. */
const noHead = '\n'

/** Returns the start of a line with one record, `[["volumes",`; for other lines, a text that matches no line. */
function headAt(bytes: Buffer, line: number): string {
  return /^\[\["\w+",/.exec(bytes.toString('latin1', line, line + 64))?.[0] ?? noHead
}

function standsAt(start: number, text: string, bytes: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false
  }
  return true
}

const zero = 48
const isDigit = (byte: number) => byte >= zero && byte < zero + 10
