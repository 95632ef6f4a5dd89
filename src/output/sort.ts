import { valueAt, valueText } from './cells'
import { expectRecordsFit, HeldRecords, mostUnpacked, recordPacker } from './held-records'
import type { Memory } from './memory'

/** Value by which records are ordered. */
export type SortKey = number | bigint | string

/** Field to sort by. */
export interface SortBy {
  /** Dotted path. */
  path: string
  descending: boolean
  /** Converts a value to its sort key, such as an address to a number; undefined to use the value itself. */
  keyOf?: ((value: unknown) => SortKey | undefined) | undefined
}

/** Parses a sort field; `-size` sorts in descending order. */
export function sortBy(text: string): SortBy {
  return { path: text.replace(/^-/, ''), descending: text.startsWith('-') }
}

interface Keyed {
  record: unknown
  keys: readonly (SortKey | undefined)[]
}

/**
 * Sorts records by the fields in order. Numbers sort by value, before texts. Texts sort by UTF-16 code units, in any
 * locale alike. Records without a value come last in both directions. The sort is stable.
 */
export function sorted(records: readonly unknown[], fields: readonly SortBy[]): unknown[] {
  return records
    .map((record) => keyed(record, fields))
    .sort((a, b) => compareKeyed(a, b, fields))
    .map(({ record }) => record)
}

function keyed(record: unknown, fields: readonly SortBy[]): Keyed {
  return { record, keys: fields.map((field) => keyIn(record, field)) }
}

function compareKeyed(a: Keyed, b: Keyed, fields: readonly SortBy[]): number {
  for (const [index, { descending }] of fields.entries()) {
    const order = compared(a.keys[index], b.keys[index], descending)
    if (order !== 0) return order
  }
  return 0
}

interface Sorting {
  fields: readonly SortBy[]
  /** Number of records to keep. */
  most: number
  memory: Memory
}

/**
 * Yields the records of all pages in order, some at a time. A short list is sorted as it is. Of a long one, runs that fit
 * into memory are sorted and held packed, then merged.
 */
export async function* sortedPages(pages: AsyncIterable<unknown[]>, sorting: Sorting): AsyncGenerator<unknown[], void> {
  const { fields, most, memory } = sorting
  const sizeOf = recordPacker()
  const runs: HeldRecords[] = []
  let [run, size]: [unknown[], number] = [[], 0]
  const endRun = async () => {
    const buffer = new HeldRecords(memory)
    const records = sorted(run, fields).slice(0, most)
    await buffer.addPacked(records, (size * records.length) / run.length)
    runs.push(buffer)
    ;[run, size] = [[], 0]
  }
  let isFirst = true
  for await (const page of pages) {
    if (isFirst && most === Number.POSITIVE_INFINITY) await expectRecordsFit(page, memory)
    isFirst = false
    for (const record of page) {
      run.push(record)
      size += sizeOf(record)
      if (size > mostUnpacked) await endRun()
    }
  }
  if (runs.length === 0) return yield sorted(run, fields).slice(0, most)
  if (run.length > 0) await endRun()
  yield* merged(runs, sorting)
}

/** Number of records that are yielded at once. */
const recordsAtOnce = 500

async function* merged(buffers: readonly HeldRecords[], { fields, most }: Sorting): AsyncGenerator<unknown[], void> {
  // The run with the first record is the last one.
  const runs: Run[] = []
  const put = async (run: Run) => {
    if (await run.advance()) runs.splice(placeOf(run, runs), 0, run)
  }
  for (const [number, one] of buffers.entries()) await put(new Run(number, one.drain(), fields))
  let batch: unknown[] = []
  let left = most
  for (let run = runs.pop(); run && left > 0; run = runs.pop()) {
    batch.push(run.next?.record)
    left -= 1
    if (batch.length === recordsAtOnce) {
      yield batch
      batch = []
    }
    await put(run)
  }
  if (batch.length > 0) yield batch
}

/** A sorted run. */
class Run {
  next: Keyed | undefined
  #batch: unknown[] = []
  #at = 0

  constructor(
    readonly number: number,
    readonly batches: AsyncGenerator<unknown[], void>,
    readonly fields: readonly SortBy[],
  ) {}

  /** Moves to the next record; resolves to false after the last one. */
  async advance(): Promise<boolean> {
    if (this.#at === this.#batch.length) {
      const { value, done } = await this.batches.next()
      if (done) return false
      this.#batch = value
      this.#at = 0
    }
    this.next = keyed(this.#batch[this.#at], this.fields)
    this.#at += 1
    return true
  }

  isBefore(other: Run): boolean {
    const order = this.next && other.next ? compareKeyed(this.next, other.next, this.fields) : 0
    // Of equal records, the one that was read first comes first.
    return order === 0 ? this.number < other.number : order < 0
  }
}

/** Returns the place of a run among others in descending order. */
function placeOf(run: Run, others: readonly Run[]): number {
  let [low, high] = [0, others.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = others[middle]
    if (other && run.isBefore(other)) low = middle + 1
    else high = middle
  }
  return low
}

function keyIn(record: unknown, { path, keyOf }: SortBy): SortKey | undefined {
  const value = valueAt(record, path)
  return keyOf?.(value) ?? plainKey(value)
}

function compared(a: SortKey | undefined, b: SortKey | undefined, descending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return descending ? compare(b, a) : compare(a, b)
}

function plainKey(value: unknown): SortKey | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'number' || typeof value === 'bigint' ? value : valueText(value)
}

function compare(a: SortKey, b: SortKey): number {
  const texts = Number(typeof a === 'string') - Number(typeof b === 'string')
  if (texts !== 0) return texts
  return a < b ? -1 : Number(a > b)
}
