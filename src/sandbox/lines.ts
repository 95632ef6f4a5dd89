/**
 * The lines of a journal as they were read. Nearly all of them keep one record each, and a request asks for few: so a
 * line is only looked at for where its record belongs, and is parsed when that is asked for. Of 100,000 volumes, 25 MB,
 * that takes 20 ms, where to parse them all takes 250. A line is named by the place at which it begins.
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
  readonly #damaged: (number: number, cause: unknown) => Error

  /** Of whole lines: the last byte ends one. `damaged` is what is thrown for the first, or the second, that is no JSON. */
  constructor(bytes: Buffer, damaged: (number: number, cause: unknown) => Error) {
    this.#bytes = bytes
    this.#damaged = damaged
  }

  changes(line: number): KeptRecord[] {
    try {
      return JSON.parse(this.textOf(line))
    } catch (error) {
      let number = 1
      for (let end = this.#endOf(0); end <= line; end = this.#endOf(end)) number += 1
      throw this.#damaged(number, error)
    }
  }

  read(line: number): Identified {
    // `visit` told that it keeps one.
    return this.changes(line)[0]?.[2] as Identified
  }

  textOf(line: number): string {
    return this.#bytes.toString('utf8', line, this.#endOf(line))
  }

  lengthOf(line: number): number {
    return this.#endOf(line) - line
  }

  holding(text: string): ReadonlySet<number> {
    const found = new Set<number>()
    for (let at = this.#bytes.indexOf(text); at >= 0; at = this.#bytes.indexOf(text, this.#endOf(at))) {
      found.add(this.#bytes.lastIndexOf(lineEnd, at) + 1)
    }
    return found
  }

  /** Tells of each, in their order; returns how many there are. */
  visit({ record, other }: Visitor): number {
    const bytes = this.#bytes
    // Between two changes of one request. A text may hold it too: then the line is parsed for nothing.
    let several = bytes.indexOf('],["')
    let { head, table } = headAt(bytes, 0)
    let count = 0
    for (let line = 0, end = 0; line < bytes.length; line = end, count += 1) {
      end = this.#endOf(line)
      if (several >= 0 && several < line) several = bytes.indexOf('],["', line)
      // Most lines are of the same table as the one before.
      if (!standsAt(line, head, bytes)) ({ head, table } = headAt(bytes, line))
      let at = line + head.length
      let id = 0
      for (; isDigit(bytes[at]); at += 1) id = 10 * id + ((bytes[at] as number) - zero)
      const isRecord = id > 0 && standsAt(at, ',{', bytes) && standsAt(end - 4, '}]]', bytes)
      if (isRecord && (several < 0 || several >= end)) record(table, id, line)
      else other(line)
    }
    return count
  }

  #endOf(line: number): number {
    return this.#bytes.indexOf(lineEnd, line) + 1
  }
}

/** `[["volumes",`, with which a line begins that keeps one; for any other what no line begins with. */
function headAt(bytes: Buffer, line: number): { head: string; table: string } {
  const [head = '\n', table = ''] = /^\[\["(\w+)",/.exec(bytes.toString('latin1', line, line + 64)) ?? []
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
