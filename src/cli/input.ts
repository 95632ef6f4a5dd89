import type { LongText } from '../data/packed-text'
import { Problem } from '../errors'

// The limit of an answer (reliability.md), far above any body or list of targets.
const usualMost = 32 * 1024 * 1024

/** Reads a stream as UTF-8 text without a byte order mark. Throws `usage` for other bytes, and `too_large`. */
export async function readAll(stream: NodeJS.ReadableStream, most = usualMost): Promise<string> {
  const chunks: Buffer[] = []
  for await (const bytes of chunksOf(stream, most)) chunks.push(bytes)
  return utf8(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
}

/** Reads a stream of at most `most` bytes as `readAll` does, and holds a long text packed. */
export async function readLong(stream: NodeJS.ReadableStream, most: number): Promise<LongText> {
  const { TextCollector } = await import('../data/packed-text')
  const collected = new TextCollector()
  for await (const bytes of chunksOf(stream, most)) utf8(() => collected.add(bytes))
  return utf8(() => collected.text())
}

async function* chunksOf(stream: NodeJS.ReadableStream, most: number): AsyncGenerator<Buffer, void> {
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > most) throw new Problem('too_large', `stdin is too large: over ${most / 2 ** 20} MiB`)
    yield bytes
  }
}

function utf8<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw new Problem('usage', 'stdin is not UTF-8 text')
  }
}
