/** Lines of a sandbox file whose name has been removed. */
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LazyRecords } from '../../src/sandbox/lazy-records'

/** Returns the lines of a text. Errors have the number of their line. */
export function recordsOf(text: string): { lines: LazyRecords; size: number } {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-lines-'))
  try {
    const path = join(folder, 'lines')
    writeFileSync(path, text)
    const lines = new LazyRecords(openSync(path, 'r'), 0, (line) => new Error(`damaged: ${line}`))
    return { lines, size: Buffer.byteLength(text) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
