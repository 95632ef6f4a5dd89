/** Where output goes: every write is waited for, so that memory stays bounded and a failed write is known. */
import { constants, fstatSync, readFileSync, statSync, writeSync } from 'node:fs'
import { Problem } from '../errors'

export interface Sink {
  /**
   * Resolves when the system has taken the text. Rejects with ClosedPipe where nobody reads any more, and with a
   * Problem `local` where the text could not be written, as on a full disk.
   */
  write(text: string): Promise<void>
  /** Where what is to be written can be made ready, and kept outside the heap until then. */
  readonly bytes?: Bytes | undefined
  readonly isTTY: boolean
  /** 0 where it is no terminal or does not tell. */
  readonly columns: number
  /** Writes succeed, and reach nobody: it was closed from the beginning. Undefined where nobody asks. */
  readonly wasClosed?: boolean | undefined
}

interface Bytes {
  /** What `write` would write of a text. */
  of(text: string): Buffer
  /** As `Sink.write`, of what `of` has given. */
  write(bytes: Buffer): Promise<void>
}

/** The reader has gone, as in `| head -1`: no failure, but nothing more is to be written. */
export class ClosedPipe extends Error {
  constructor() {
    super('the output is closed')
    this.name = 'ClosedPipe'
  }
}

/** The part of a Node stream that a sink needs: process.stdout, process.stderr, or any Writable. */
export interface OutputStream {
  write(text: string | Uint8Array, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly fd?: number
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

export function streamSink(stream: OutputStream): Sink {
  // A failed write also emits an error event, which would end the process; write() has told of it already.
  stream.on('error', () => {})
  const file = regularFile(stream)
  const write = (text: string | Buffer) =>
    file === undefined
      ? writeStream(stream, text)
      : writeFile(file, typeof text === 'string' ? Buffer.from(text) : text)
  return {
    write,
    bytes: { of: (text) => Buffer.from(text), write },
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? (stream.columns ?? 0) : 0
    },
    get wasClosed() {
      return stream.fd !== undefined && wasClosed(stream.fd)
    },
  }
}

/** For what is said beside the work: that nobody hears it, or no disk takes it, ends nothing. */
export function messageSink(stream: OutputStream): Sink {
  const sink = streamSink(stream)
  return {
    write: (text) => sink.write(text).catch(() => {}),
    isTTY: sink.isTTY,
    get columns() {
      return sink.columns
    },
  }
}

function writeStream(stream: OutputStream, text: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    try {
      stream.write(text, (error) => (error ? reject(failure(error)) : resolve()))
    } catch (error) {
      reject(failure(error))
    }
  })
}

/**
 * Node's own stream over a file ignores that a nearly full disk takes a write only in part, and reports success
 * (seen on 20.20, lib/internal/fs/sync_write_stream.js); so the rest is written here until it fails.
 */
async function writeFile(fd: number, bytes: Buffer): Promise<void> {
  let rest = bytes
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
  } catch (error) {
    throw failure(error)
  }
}

function regularFile({ fd, isTTY }: OutputStream): number | undefined {
  if (fd === undefined || isTTY) return undefined
  try {
    return fstatSync(fd).isFile() ? fd : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a descriptor was closed when the process was started, as by `>&-`. Node opens the null device in its place,
 * for reading too, which a shell does not for `> /dev/null`. Only Linux tells of that; elsewhere it is taken for open.
 */
function wasClosed(fd: number): boolean {
  try {
    if (fstatSync(fd).rdev !== statSync('/dev/null').rdev) return false
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0'
    const bothWays = constants.O_WRONLY | constants.O_RDWR
    return (Number.parseInt(flags, 8) & bothWays) === constants.O_RDWR
  } catch {
    return false
  }
}

const closed = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
  EIO: 'the device failed',
}

function failure(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (closed.has(code)) return new ClosedPipe()
  return new Problem('local', `cannot write the output: ${reasons[code] ?? error.message}`, { cause: error })
}

/** The same sink behind a door: `pass` gives what of a text may be written. */
export function guarded(sink: Sink, pass: (text: string) => string): Sink {
  const { bytes } = sink
  return {
    write: (text) => sink.write(pass(text)),
    bytes: bytes && { of: (text) => bytes.of(pass(text)), write: bytes.write },
    isTTY: sink.isTTY,
    get columns() {
      return sink.columns
    },
    get wasClosed() {
      return sink.wasClosed
    },
  }
}

/** The same sink, for which room is made before each write. */
export function cleared(sink: Sink, clear: () => void): Sink {
  const { bytes } = sink
  const clearing =
    <T>(write: (written: T) => Promise<void>) =>
    (written: T) => {
      clear()
      return write(written)
    }
  return {
    write: clearing((text) => sink.write(text)),
    bytes: bytes && { of: bytes.of, write: clearing(bytes.write) },
    isTTY: sink.isTTY,
    get columns() {
      return sink.columns
    },
    get wasClosed() {
      return sink.wasClosed
    },
  }
}

/** A text for a person as lines that break between words, where the sink is a terminal that is narrower. */
export async function fitted(text: string, { columns }: Sink): Promise<string> {
  if (columns === 0 || text.length <= columns) return text
  const { wrapLines } = await import('./wrap')
  return wrapLines(text, columns)
}
