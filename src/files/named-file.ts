/** Reads files named by users. Links are followed, and nothing blocks. */
import { constants, createReadStream, openSync, type Stats, statSync } from 'node:fs'
import { Problem } from '../errors'
import { irregularity } from './ownership'

/** Open files of this process: stdin by another name, and the pipe that a shell passes for `<(…)`. */
const open = /^\/(dev\/(stdin|fd\/\d+)|proc\/(self|thread-self|\d+)\/fd\/\d+)$/

/**
 * Reads a file up to about `most` bytes; a longer result means that the file is larger. Throws system errors, and
 * `local` at once if the path is a folder, a pipe or a device.
 */
export async function readNamed(path: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of namedChunks(path, most)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}

/** Reads a file in parts. Throws as `readNamed` does. */
function namedChunks(path: string, most: number): AsyncIterable<Buffer> {
  if (open.test(path)) return createReadStream(path)
  // Checked before opening, because opening a pipe or a device can have effects.
  const { size } = regularStatus(path)
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  // One part: of many small ones, the process would keep the memory. Files in /proc have no size.
  return createReadStream(path, { fd: file, highWaterMark: Math.min(size, most) + 64 * 1024 })
}

/** Returns a regular file's status; throws system errors, and `local` if the path is not a regular file. */
export function regularStatus(path: string): Stats {
  const stats = statSync(path)
  const unfit = irregularity(stats)
  if (unfit === undefined) return stats
  throw new Problem('local', `cannot read "${path}": ${unfit}`)
}
