/** Delays opening an output stream of the process: opening takes 3 of the 10 ms that help adds to bare node. */
import { fstatSync, writeSync } from 'node:fs'
import { mayBeTerminal, type OutputStream } from './sink'

/** Minimum capacity of a pipe in bytes (pipe(7); smaller on macOS): writing that much does not block. */
export const pipeBytesOn = (platform: NodeJS.Platform) => (platform === 'linux' ? 65_536 : 16_384)

/**
 * Creates a stream that is opened on demand. A terminal is opened to read its width. On a pipe, the first text is
 * written directly as far as it fits, and on /dev/null every text. Only a stream can wait for the rest and handle signals.
 */
export function lazyStream(fd: number, open: () => OutputStream, pipeBytes: number): OutputStream {
  const kind = fstatSync(fd)
  const listeners: ((error: Error) => void)[] = []
  let stream: OutputStream | undefined
  const isTerminal = mayBeTerminal(kind)
  /** Bytes that it accepts now, without waiting. */
  let capacity = kind.isFIFO() || kind.isSocket() ? pipeBytes : 0
  if (kind.isCharacterDevice() && !isTerminal) capacity = Number.POSITIVE_INFINITY
  const opened = () => {
    if (stream === undefined) {
      stream = open()
      for (const listener of listeners) stream.on('error', listener)
    }
    return stream
  }
  return {
    fd,
    get isTTY() {
      return isTerminal && opened().isTTY === true
    },
    get columns() {
      return isTerminal ? opened().columns : undefined
    },
    get rows() {
      return isTerminal ? opened().rows : undefined
    },
    on(event, listener) {
      if (stream) stream.on(event, listener)
      else listeners.push(listener)
    },
    write(text, done) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const rest = bytes.length <= capacity ? bytes.subarray(writeSome(fd, bytes)) : bytes
      if (capacity === pipeBytes) capacity = 0
      if (rest.length > 0) return opened().write(rest, done)
      done()
      return true
    },
  }
}

/** Creates a stream for messages: progress and prompts need the real stream of a terminal. */
export function messageStream(fd: number, open: () => OutputStream, pipeBytes: number): OutputStream {
  return mayBeTerminal(fstatSync(fd)) ? open() : lazyStream(fd, open, pipeBytes)
}

/** Writes as much as the descriptor accepts; returns the byte count. The stream handles the rest and errors. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes)
  } catch {
    return 0
  }
}
