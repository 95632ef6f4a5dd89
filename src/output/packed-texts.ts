/** Texts that are held packed, and the limit for their memory. Loaded for long lists only. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Problem } from '../errors'
import { bytesText } from '../rules/byte-sizes'
import type { Memory } from './memory'

/** Counts bytes, negative ones for memory that is free again. Throws `too_large` over the limit. */
export function take(memory: Memory, bytes: number): void {
  memory.used += bytes
  if (memory.used > memory.most) throw tooLarge(`it takes over ${bytesText(memory.most)}`, memory)
}

/** Reports whether the whole list may take too much, to judge by the size of its first records. */
export function mayExceed(memory: Memory, records: number, bytes: () => number): boolean {
  return (memory.total?.() ?? 0) > records && expected(memory, records, bytes()) > memory.most
}

/** Throws `too_large` if the whole list takes too much, to judge by the size of its first records. */
export function expectFit(memory: Memory, records: number, bytes: number): void {
  const whole = expected(memory, records, bytes)
  if (whole <= memory.most) return
  const most = `more than the ${bytesText(memory.most)} of --max-memory`
  throw tooLarge(`${memory.total?.()} records take about ${bytesText(whole)}, ${most}`, memory)
}

const expected = ({ total }: Memory, records: number, bytes: number) =>
  records === 0 ? 0 : (bytes / records) * (total?.() ?? 0)

function tooLarge(reason: string, { most }: Memory): Problem {
  const more = `--max-memory ${bytesText(2 * most).replace(' ', '')}`
  return new Problem('too_large', `the list is too large to hold before printing: ${reason}`, {
    hint: `Without --sort and --query, -o ndjson prints a list of any length as it is read. --filter and --limit make the list shorter, and ${more} allows more`,
  })
}

/** Bytes that are packed together: more pack hardly better, and as much is unpacked at once. */
const packedAtOnce = 256 * 1024

export class PackedTexts {
  readonly #parts: Buffer[] = []
  #pending: Buffer[] = []
  #pendingBytes = 0

  constructor(
    readonly memory: Memory,
    readonly atOnce = packedAtOnce,
  ) {}

  add(text: Buffer): void {
    this.#pending.push(text)
    this.#pendingBytes += text.length
    if (this.#pendingBytes < this.atOnce) return
    const packed = pack(Buffer.concat(this.#pending))
    this.#pending = []
    this.#pendingBytes = 0
    take(this.memory, packed.length)
    this.#parts.push(packed)
  }

  /** Yields the bytes of the texts in order, several at once, and forgets them. */
  *drain(): Generator<Buffer, void> {
    for (const [index, part] of this.#parts.entries()) {
      this.#parts[index] = nothing
      yield inflateRawSync(part)
      take(this.memory, -part.length)
    }
    if (this.#pendingBytes > 0) yield Buffer.concat(this.#pending)
    this.#pending = []
  }
}

const nothing = Buffer.alloc(0)

/** Level 1 takes a third of the time of the default, for texts a third larger. */
const pack = (bytes: Buffer): Buffer => deflateRawSync(bytes, { level: 1 })

export const packedSize = (bytes: Buffer): number => pack(bytes).length
