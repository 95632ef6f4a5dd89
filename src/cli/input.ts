import { Problem } from '../errors'

// The limit of an answer (reliability.md), far above any body or list of targets.
const usualMost = 32 * 1024 * 1024

/** Reads a stream as UTF-8 text without a byte order mark. Throws `usage` for other bytes, and `too_large`. */
export async function readAll(stream: NodeJS.ReadableStream, most = usualMost): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > most) throw new Problem('too_large', `stdin is too large: over ${most / 2 ** 20} MiB`)
    chunks.push(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new Problem('usage', 'stdin is not UTF-8 text')
  }
}
