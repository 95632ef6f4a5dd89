/** Byte order marks, which some editors put before a text: they are no part of what was written. */
import { readSync } from 'node:fs'

const mark = '\ufeff'

export function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text
}

/** How many bytes of a mark an open file begins with. */
export function markLength(file: number): number {
  const bytes = Buffer.from(mark)
  const start = Buffer.alloc(bytes.length)
  readSync(file, start, 0, start.length, 0)
  return start.equals(bytes) ? bytes.length : 0
}
