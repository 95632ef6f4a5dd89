/** Files that users name, to read: reached through links, and never waited for. */
import { constants, createReadStream, openSync, type Stats, statSync } from 'node:fs'
import { Problem } from '../errors'
import { irregularity } from './own'

/** What this process was given open: stdin by another name, and the pipe that a shell puts in the place of `<(…)`. */
const open = /^\/(dev\/(stdin|fd\/\d+)|proc\/(self|thread-self|\d+)\/fd\/\d+)$/

/**
 * Reads a file, and no further than `most` bytes and some: more of them tell that it is larger. Throws what the system
 * says, and `local` at once where the path leads to a folder, a pipe or a device.
 */
export async function readNamed(path: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of streamOf(path)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}

function streamOf(path: string): AsyncIterable<Buffer> {
  if (open.test(path)) return createReadStream(path)
  // Looked at first: to open a pipe or a device may do something to it.
  regularStatus(path)
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return createReadStream(path, { fd: file })
}

/** Throws what the system says, and `local` where a path leads to what is no regular file. */
export function regularStatus(path: string): Stats {
  const stats = statSync(path)
  const unfit = irregularity(stats)
  if (unfit === undefined) return stats
  throw new Problem('local', `cannot read "${path}": ${unfit}`)
}
