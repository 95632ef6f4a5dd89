/**
 * The world in a file: a header, then a line for each request that changed something, with all of its changes. A write
 * costs the same in a large world as in a small one, and a process killed while it wrote leaves at most a torn last
 * line, which the next one that writes cuts off: a request was kept as a whole or not at all. So who only reads needs no
 * lock: a line that is whole is true. There is no fsync for each line; a power failure may lose the last requests.
 * Who opens it reads all of it, and parses what is asked for (./lines).
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { Problem } from '../errors'
import { regularStatus } from '../files/named'
import { fileProblem } from '../files/problem'
import { randomMark, sweepTemporaries } from '../files/temporary'
import { markLength } from '../files/text'
import { writePrivately } from '../files/write'
import type { KeptRecord, Tables } from './all-tables'
import { Lines } from './lines'

/** Raised whenever records change, so that an older world is not read as a new one. */
const version = 2
/** The mark tells a file from the one that takes its place, after compaction and after a reset. */
const headerOf = (mark: string) => `{"skyctl_sandbox":${version},"mark":"${mark}"}\n`
export const headerPattern = /^\{"skyctl_sandbox":(\d+),"mark":"[0-9a-f]{16}"\}$/
const headerLength = headerOf('0'.repeat(16)).length

/**
 * A journal is written anew when it has so many lines, and so many for each record that it is about; or so many bytes,
 * and so many times those that are not spent.
 */
const manyLines = 1000
const manyBytes = 4 * 1024 * 1024
const manyTimes = 4

export class Journal {
  readonly #path: string
  readonly #tables: Tables
  readonly #seed: () => void
  /** Of the file from which the tables were built, and how much of it they hold. */
  #header = ''
  #start = 0
  #end = 0
  #lines = 0
  /** What the tables had spent when it was as short as it can be. */
  #spentBefore = 0

  constructor(path: string, tables: Tables, seed: () => void) {
    this.#path = path
    this.#tables = tables
    this.#seed = seed
  }

  /** Whether there is a world to read. */
  get isThere(): boolean {
    return this.#attempt(() => existsSync(this.#path) && regularStatus(this.#path).size > 0)
  }

  read<T>(work: () => T): T {
    const file = this.#open('r')
    try {
      this.#catchUp(file)
      return this.#tables.read(work)
    } finally {
      closeSync(file)
    }
  }

  /** Only one process at a time may be in here. */
  change<T>(work: () => T): T {
    const file = this.#begun()
    try {
      // What a killed process was writing.
      if (this.#catchUp(file) > 0) ftruncateSync(file, this.#end)
      return this.#tables.change(work, (changes) => this.#append(file, changes))
    } finally {
      closeSync(file)
      this.#compact()
    }
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

  /** Returns how many bytes there are of a line that is not whole. */
  #catchUp(file: number): number {
    const { size } = fstatSync(file)
    const start = markLength(file)
    const header = read(file, start, Math.min(size, start + headerLength)).toString()
    const isAnother = header !== this.#header || start !== this.#start || size < this.#end
    if (isAnother) this.#begin(header, start)
    const bytes = read(file, this.#end, size)
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
    const known = this.#lines
    const lines = new Lines(whole, (number, cause) => damaged(this.#path, known + number + 1, cause))
    if (isAnother) this.#tables.clear(lines)
    const load = (line: number) => {
      for (const change of lines.changes(line)) this.#tables.load(change)
    }
    // Of a file that is new to us, records stay where they are until they are asked for.
    const place = (table: string, id: number, line: number) => this.#tables.place(table, id, line)
    this.#lines += lines.visit({ record: isAnother ? place : (_table, _id, line) => load(line), other: load })
    this.#end += whole.length
    return bytes.length - whole.length
  }

  #begin(header: string, start: number): void {
    const found = headerPattern.exec(header.trimEnd())?.[1]
    if (found === undefined) throw notOurs(this.#path)
    if (Number(found) !== version) {
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
      // The long journal stands, and the request is in it.
    }
  }

  #hasManyLines(): boolean {
    return this.#lines > manyLines && this.#lines > manyTimes * this.#tables.size
  }

  #hasManyBytes(): boolean {
    const spent = this.#tables.spent - this.#spentBefore
    return this.#end > manyBytes && this.#end > manyTimes * (this.#end - spent)
  }

  /** Replaces the file by the shortest journal that leads to the present state. */
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
  const bytes = Buffer.alloc(Math.max(0, end - start))
  let size = 0
  while (size < bytes.length) {
    const count = readSync(file, bytes, size, bytes.length - size, start + size)
    if (count === 0) break
    size += count
  }
  return bytes.subarray(0, size)
}

const beginAnew = 'Begin anew with skyctl sandbox reset, or name another file'

export function notOurs(path: string): Problem {
  return new Problem('local', `${path} is no state of a sandbox`, { hint: 'Name another file, or remove this one' })
}

function damaged(path: string, line: number, cause: unknown): Problem {
  return new Problem('local', `${path} is damaged at line ${line}`, { hint: beginAnew, cause })
}
