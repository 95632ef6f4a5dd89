/** An output of the process without what Node does to open it as a stream: 3 of the 10 ms that help takes over bare node. */
import { fstatSync, writeSync } from 'node:fs'
import type { OutputStream } from './sink'

/** What any pipe holds (pipe(7); macOS less), so that writing it does not wait for the reader. */
export const pipeBytesOn = (platform: NodeJS.Platform) => (platform === 'linux' ? 65_536 : 16_384)

/**
 * The stream of a descriptor, opened where it is needed. A terminal is, to tell its width; a pipe takes the first text
 * by itself, as far as it fits: for the rest only a stream can wait and hear signals meanwhile.
 */
export function lazyStream(fd: number, open: () => OutputStream, pipeBytes: number): OutputStream {
  const kind = fstatSync(fd)
  const listeners: ((error: Error) => void)[] = []
  let stream: OutputStream | undefined
  let empty = kind.isFIFO() || kind.isSocket()
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
      return kind.isCharacterDevice() && opened().isTTY === true
    },
    get columns() {
      return kind.isCharacterDevice() ? opened().columns : undefined
    },
    get rows() {
      return kind.isCharacterDevice() ? opened().rows : undefined
    },
    on(event, listener) {
      if (stream) stream.on(event, listener)
      else listeners.push(listener)
    },
    write(text, done) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const rest = empty && bytes.length <= pipeBytes ? bytes.subarray(writeSome(fd, bytes)) : bytes
      empty = false
      if (rest.length > 0) return opened().write(rest, done)
      done()
      return true
    },
  }
}

/** How many bytes the descriptor takes now. What it does not take the stream will, or say why not. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes)
  } catch {
    return 0
  }
}
