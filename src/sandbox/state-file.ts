/**
 * Journal file of the sandbox: a header, then one line per changing request with all of its changes. Writing costs the
 * same for large and small data. A killed process leaves at most an incomplete last line, which the next writer cuts
 * off: a request is saved completely or not. Complete lines are valid, so readers need no lock. Lines are not synced
 * (fsync), so a power failure may lose the last requests. Opening reads the whole file, but records are parsed on
 * access (./lazy-records).
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { Problem } from '../errors'
import { byteOrderMarkLength } from '../files/byte-order-mark'
import { regularStatus } from '../files/named-file'
import { isNewer, newerFile } from '../files/newer'
import { fileProblem } from '../files/problem'
import { randomMark, sweepTemporaries } from '../files/temporary'
import { writePrivately } from '../files/write'
import type { KeptRecord, Tables } from './database'
import { LazyRecords } from './lazy-records'

/** Format version. Raise it when records change, so that old files are not misread. */
const version = 2
/** Builds the header. Its random mark tells a file from its replacement after compaction or reset. */
const headerOf = (mark: string) => `{"skyctl_sandbox":${version},"mark":"${mark}"}\n`
export const headerPattern = /^\{"skyctl_sandbox":(\d+),"mark":"[0-9a-f]{16}"\}$/
/** Reads the format number in the first bytes of a header, which later versions may change after it. */
const numberIn = (header: string) => Number(/^\{"skyctl_sandbox":(\d{1,9})\b/.exec(header)?.[1])
const headerLength = headerOf('0'.repeat(16)).length

/**
 * Thresholds for compaction: more lines than `manyLines` and `manyTimes` the number of records, or more bytes than
 * `manyBytes` and `manyTimes` the bytes still in use.
 */
const manyLines = 1000
const manyBytes = 4 * 1024 * 1024
const manyTimes = 4

export class StateFile {
  readonly #path: string
  readonly #tables: Tables
  readonly #seed: () => void
  /** Header, start and end of the file content that the tables hold. */
  #header = ''
  #start = 0
  #end = 0
  #lines = 0
  /** Lines that the tables still read from. Their file stays open: it may have been replaced at its path. */
  #savedLines: LazyRecords | undefined
  /** Obsolete bytes directly after the last compaction. */
  #spentBefore = 0

  constructor(path: string, tables: Tables, seed: () => void) {
    this.#path = path
    this.#tables = tables
    this.#seed = seed
  }

  /** True if the file exists and is not empty. */
  get isThere(): boolean {
    return this.#attempt(() => existsSync(this.#path) && regularStatus(this.#path).size > 0)
  }

  read<T>(work: () => T): T {
    const file = this.#open('r')
    try {
      this.#catchUp(file)
      return this.#tables.read(work)
    } finally {
      this.#release(file)
    }
  }

  /** Runs a change; the caller must hold the lock. */
  change<T>(work: () => T): T {
    const file = this.#begun()
    try {
      // Cut off a line left incomplete by a killed process.
      if (this.#catchUp(file)) ftruncateSync(file, this.#end)
      return this.#tables.change(work, (changes) => this.#append(file, changes))
    } finally {
      this.#release(file)
      this.#compact()
    }
  }

  close(): void {
    this.#savedLines?.close()
    this.#savedLines = undefined
  }

  /** Closes a file, unless records are still read from it. */
  #release(file: number): void {
    if (!this.#savedLines?.isOf(file)) closeSync(file)
  }

  #begun(): number {
    if (!this.isThere) {
      this.#tables.clear()
      this.#seed()
      this.#writeAnew()
    }
    return this.#open('r+')
  }

  #open(flags: 'r' | 'r+'): number {
    return this.#attempt(() => {
      regularStatus(this.#path)
      return openSync(this.#path, flags)
    })
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw fileProblem('open', this.#path, error)
    }
  }

  /** Loads new lines; returns the size of an incomplete last line in bytes. */
  #catchUp(file: number): number {
    const { size } = fstatSync(file)
    const start = byteOrderMarkLength(file)
    const header = read(file, start, Math.min(size, start + headerLength)).toString()
    const isAnother = header !== this.#header || start !== this.#start || size < this.#end
    if (isAnother) this.#begin(header, start)
    const linesBefore = this.#lines
    const lines = new LazyRecords(file, this.#end, (line, cause) => damaged(this.#path, linesBefore + line + 2, cause))
    if (isAnother) this.#keep(lines)
    const load = (line: number) => {
      for (const change of lines.changes(line)) this.#tables.load(change)
    }
    // In a newly opened file, records are parsed only on access.
    const place = (table: string) => this.#tables.loaderOf(table)
    this.#lines += lines.visit(size, { record: isAnother ? place : () => (_id, line) => load(line), other: load })
    this.#end = lines.end
    return size - lines.end
  }

  #keep(lines: LazyRecords): void {
    this.close()
    this.#savedLines = lines
    this.#tables.clear(lines)
  }

  #begin(header: string, start: number): void {
    const versionText = headerPattern.exec(header.slice(0, -1))?.[1]
    if (isNewer(numberIn(header), version)) throw newerFile(this.#path, 'name another file, or set SKYCTL_STATE_DIR')
    if (versionText === undefined) throw notAStateFile(this.#path)
    if (Number(versionText) !== version) {
      throw new Problem('local', `${this.#path} was written by another version of skyctl`, { hint: beginAnew })
    }
    this.#header = header
    this.#start = start
    this.#end = start + headerLength
    this.#spentBefore = 0
    this.#lines = 0
  }

  #append(file: number, changes: KeptRecord[]): void {
    const line = Buffer.from(`${JSON.stringify(changes)}\n`)
    try {
      for (let written = 0; written < line.length; ) {
        written += writeSync(file, line, written, line.length - written, this.#end + written)
      }
    } catch (error) {
      ftruncateSync(file, this.#end)
      throw fileProblem('write', this.#path, error)
    }
    this.#end += line.length
    this.#lines += 1
  }

  #compact(): void {
    if (!this.#hasManyLines() && !this.#hasManyBytes()) return
    try {
      this.#writeAnew()
    } catch {
      // The uncompacted file is still valid and includes the request.
    }
  }

  #hasManyLines(): boolean {
    return this.#lines > manyLines && this.#lines > manyTimes * this.#tables.size
  }

  #hasManyBytes(): boolean {
    const spent = this.#tables.spent - this.#spentBefore
    return this.#end > manyBytes && this.#end > manyTimes * (this.#end - spent)
  }

  /** Replaces the file with the shortest content for the current state. */
  #writeAnew(): void {
    const header = headerOf(randomMark())
    const lines = [...this.#tables.lines()]
    const content = header + lines.join('')
    sweepTemporaries(this.#path)
    writePrivately(this.#path, content)
    this.#header = header
    this.#start = 0
    this.#end = Buffer.byteLength(content)
    this.#spentBefore = this.#tables.spent
    this.#lines = lines.length
  }
}

function read(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start)
  let size = 0
  let count: number
  do {
    count = readSync(file, bytes, size, bytes.length - size, start + size)
    size += count
  } while (count)
  return bytes.subarray(0, size)
}

const beginAnew = 'Reset it with skyctl sandbox reset, or name another file'

export function notAStateFile(path: string): Problem {
  return new Problem('local', `${path} is not a sandbox state file`, { hint: 'Name another file, or remove this one' })
}

function damaged(path: string, line: number, cause: unknown): Problem {
  return new Problem('local', `${path} is damaged at line ${line}`, { hint: beginAnew, cause })
}
