/** Holds output until the whole of a list is read, and writes it in parts of a suitable size. */
import type { Memory } from './memory'
import type { Sink } from './sink'

/** Creates a sink that holds its output until `flush`. */
export function holding(sink: Sink, memory: Memory): Sink & { flush(): Promise<void> } {
  const texts = new HeldTexts(memory)
  return {
    isTTY: sink.isTTY,
    columns: sink.columns,
    write: (text) => texts.add(bytesOf(text, sink)),
    flush: () => writeAll(texts.drain(), sink),
  }
}

/** Yields the texts of a document after the last one has arrived: nothing of it is printed if a page fails. */
export async function* heldTexts(
  texts: AsyncIterable<Buffer>,
  { memory, count }: { memory: Memory; count(): number },
): AsyncGenerator<Buffer, void> {
  const buffer = new HeldTexts(memory)
  let isFirst = true
  for await (const text of texts) {
    await buffer.add(text)
    if (isFirst) await buffer.expectFit(count())
    isFirst = false
  }
  yield* buffer.drain()
}

export const bytesOf = (text: string, sink: Sink): Buffer => sink.bytes?.of(text) ?? Buffer.from(text)

export async function writeAll(texts: AsyncIterable<Buffer>, sink: Sink): Promise<void> {
  for await (const part of together(texts)) await (sink.bytes ? sink.bytes.write(part) : sink.write(part.toString()))
}

/** Maximum bytes per write. A short list needs one write, because a second one opens stdout as a stream (1.5 ms). */
export const mostAtOnce = 64 * 1024

async function* together(texts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let part: Buffer[] = []
  let length = 0
  for await (const text of texts) {
    if (part.length > 0 && length + text.length > mostAtOnce) {
      yield joined(part)
      part = []
      length = 0
    }
    part.push(text)
    length += text.length
  }
  if (length > 0) yield joined(part)
}

/** Bytes that are kept as they are: packing them would take longer than it saves. */
const mostPlain = 4 * 2 ** 20

/** Texts in order. They are outside of the heap, and the garbage collector counts them. */
class HeldTexts {
  readonly #plain: Buffer[] = []
  #size = 0
  #packed: import('./packed-texts').PackedTexts | undefined

  constructor(readonly memory: Memory) {}

  async add(text: Buffer): Promise<void> {
    this.#size += text.length
    if (this.#size <= mostPlain) this.#plain.push(text)
    else {
      this.#packed ??= new (await import('./packed-texts')).PackedTexts(this.memory)
      this.#packed.add(text)
    }
  }

  /** Throws `too_large` if the texts so far, of so many records, show that the whole list takes too much. */
  async expectFit(records: number): Promise<void> {
    const { most, total } = this.memory
    // Packed, they are not larger.
    if (records === 0 || (this.#size / records) * (total?.() ?? 0) <= most) return
    const { expectFit, packedSize } = await import('./packed-texts')
    expectFit(this.memory, records, packedSize(Buffer.concat(this.#plain)))
  }

  /** Yields the bytes of the texts in order, several at once, and forgets them. */
  async *drain(): AsyncGenerator<Buffer, void> {
    yield* this.#plain.splice(0)
    if (this.#packed) yield* this.#packed.drain()
  }
}

const joined = (parts: readonly Buffer[]) => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
