/**
 * The lines of a journal as they were read. Nearly all of them keep one record each, and a request asks for few: so a
 * line is only looked at for where its record belongs, and is parsed when that is asked for. Of 100,000 volumes, 25 MB,
 * that takes 15 ms, where to parse them all takes 250.
 */

import type { KeptRecord } from './all-tables'
import type { Identified, Kept } from './table'

/** What a line keeps: one record, which stands under its id; or something else, such as several, or a deletion. */
interface Visitor {
  record(table: string, id: number, line: number): void
  other(line: number): void
}

const lineEnd = 10

export class Lines implements Kept {
  readonly #bytes: Buffer
  readonly #damaged: (line: number, cause: unknown) => Error
  /** Where each begins, and where the last one ends. */
  readonly #starts = [0]

  /** Of whole lines: the last byte ends one. `damaged` is what is thrown for a line that is no JSON. */
  constructor(bytes: Buffer, damaged: (line: number, cause: unknown) => Error) {
    this.#bytes = bytes
    this.#damaged = damaged
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, end + 1)) this.#starts.push(end + 1)
  }

  get count(): number {
    return this.#starts.length - 1
  }

  changes(line: number): KeptRecord[] {
    try {
      return JSON.parse(this.textOf(line))
    } catch (error) {
      throw this.#damaged(line, error)
    }
  }

  read(line: number): Identified {
    // `visit` told that it keeps one.
    return this.changes(line)[0]?.[2] as Identified
  }

  textOf(line: number): string {
    return this.#bytes.toString('utf8', this.#start(line), this.#start(line + 1))
  }

  lengthOf(line: number): number {
    return this.#start(line + 1) - this.#start(line)
  }

  holding(text: string): ReadonlySet<number> {
    const found = new Set<number>()
    let next = 0
    for (let at = this.#bytes.indexOf(text); at >= 0; at = this.#bytes.indexOf(text, this.#start(next))) {
      while (this.#start(next) <= at) next += 1
      found.add(next - 1)
    }
    return found
  }

  /** Tells of each, in their order. */
  visit({ record, other }: Visitor): void {
    const bytes = this.#bytes
    // Between two changes of one request. A text may hold it too: then the line is parsed for nothing.
    let several = bytes.indexOf('],["')
    let { head, table } = headAt(bytes, 0)
    for (let line = 0; line < this.count; line += 1) {
      const start = this.#start(line)
      const end = this.#start(line + 1)
      if (several >= 0 && several < start) several = bytes.indexOf('],["', start)
      // Most lines are of the same table as the one before.
      if (!standsAt(start, head, bytes)) ({ head, table } = headAt(bytes, start))
      let at = start + head.length
      let id = 0
      for (; isDigit(bytes[at]); at += 1) id = 10 * id + ((bytes[at] as number) - zero)
      const isRecord = id > 0 && standsAt(at, ',{', bytes) && standsAt(end - 4, '}]]', bytes)
      if (isRecord && (several < 0 || several >= end)) record(table, id, line)
      else other(line)
    }
  }

  #start(line: number): number {
    return this.#starts[line] as number
  }
}

/** `[["volumes",`, with which a line begins that keeps one; for any other what no line begins with. */
function headAt(bytes: Buffer, start: number): { head: string; table: string } {
  const [head = '\n', table = ''] = /^\[\["(\w+)",/.exec(bytes.toString('latin1', start, start + 64)) ?? []
  return { head, table }
}

function standsAt(start: number, text: string, bytes: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false
  }
  return true
}

const zero = 48
const isDigit = (byte = 0) => byte >= zero && byte < zero + 10
