/** Byte order mark, which some editors put before a text. */
import { closeSync, openSync, readSync } from 'node:fs'

const mark = '\ufeff'

export function withoutByteOrderMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text
}

/** Returns the length in bytes of an open file's byte order mark, or 0. */
export function byteOrderMarkLength(file: number): number {
  const bytes = Buffer.from(mark)
  const start = Buffer.alloc(bytes.length)
  readSync(file, start, 0, start.length, 0)
  return start.equals(bytes) ? bytes.length : 0
}

/** Returns the byte order mark of a file, or an empty text. */
export function byteOrderMarkOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    return byteOrderMarkLength(file) > 0 ? mark : ''
  } finally {
    closeSync(file)
  }
}
