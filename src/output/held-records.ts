/** Holds the records of a list that cannot be printed as it arrives: a short one as it is, more of it packed as JSON. */
import { formatJson, parseJson } from '../data/json'
import { memoryBudget, memorySize } from '../data/memory-limits'
import { createPacker } from '../data/packer'
import { isRecord } from '../rules/records'
import type { Memory } from './memory'
import { expectFit, mayExceed, PackedTexts, packedSize } from './packed-texts'

/** Memory of records that are kept as they are. */
export const mostUnpacked = 16 * 2 ** 20
/** Memory of the records that are packed together. */
const packedAtOnce = 256 * 1024
const fewRecords = 8

/** Estimates the memory of a record, and makes it smaller if it is large. */
export function recordPacker(): (record: unknown) => number {
  const pack = createPacker()
  return (record) => (isRecord(record) ? pack(record) : memorySize(record))
}

/** Throws `too_large` if the first records of a list show that the whole of it takes too much. */
export async function expectRecordsFit(records: readonly unknown[], memory: Memory): Promise<void> {
  const size = () => records.reduce((sum: number, record) => sum + memorySize(record), 0)
  if (!mayExceed(memory, records.length, size)) return
  expectFit(memory, records.length, packedSize(Buffer.from(await formatJson(records, 0))))
}

export class HeldRecords {
  readonly #sizeOf = recordPacker()
  readonly #texts: PackedTexts
  #batches: unknown[][] = []
  #batch: unknown[] = []
  #batchSize = 0
  #unpackedLeft = mostUnpacked

  constructor(memory: Memory) {
    this.#texts = new PackedTexts(memory, 64 * 1024)
  }

  async add(records: readonly unknown[]): Promise<void> {
    for (const record of records) {
      this.#batch.push(record)
      this.#batchSize += this.#sizeOf(record)
      if (this.#batchSize >= packedAtOnce) await this.#endBatch()
    }
  }

  /** Packs records at once, whose memory was estimated before. */
  async addPacked(records: readonly unknown[], memory: number): Promise<void> {
    const atOnce = Math.max(1, Math.floor((packedAtOnce / memory) * records.length))
    for (let start = 0; start < records.length; start += atOnce)
      this.#batches.push(records.slice(start, start + atOnce))
    await this.#pack()
  }

  /** Yields the records in order, some at a time, and forgets them. */
  async *drain(): AsyncGenerator<unknown[], void> {
    await this.#endBatch()
    for (const bytes of this.#texts.drain()) {
      for (const line of bytes.toString().split('\n')) if (line !== '') yield await this.#parsed(line)
    }
    for (let batch = this.#batches.shift(); batch; batch = this.#batches.shift()) yield batch
  }

  async #parsed(line: string): Promise<unknown[]> {
    const records = await parseJson(line, memoryBudget(Number.POSITIVE_INFINITY))
    if (!Array.isArray(records)) throw new TypeError('packed records are no list')
    // Few records are large ones, and become smaller.
    if (records.length < fewRecords) for (const record of records) this.#sizeOf(record)
    return records
  }

  async #endBatch(): Promise<void> {
    if (this.#batch.length === 0) return
    this.#batches.push(this.#batch)
    this.#unpackedLeft -= this.#batchSize
    this.#batch = []
    this.#batchSize = 0
    if (this.#unpackedLeft < 0) await this.#pack()
  }

  async #pack(): Promise<void> {
    this.#unpackedLeft = 0
    for (const batch of this.#batches) this.#texts.add(Buffer.from(`${await formatJson(batch, 0)}\n`))
    this.#batches = []
  }
}
