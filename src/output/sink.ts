/** Output sinks. Every write is awaited, so that memory is bounded and failures are detected. */
import { constants, fstatSync, readFileSync, type Stats, statSync, writeSync } from 'node:fs'
import { ifPossible, Problem } from '../errors'

export interface Sink {
  /**
   * Resolves when the system has accepted the text. Rejects with ClosedPipe if the reader has gone, and with a Problem
   * `local` if the text cannot be written, for example on a full disk.
   */
  write(text: string): Promise<void>
  readonly isTTY: boolean
  /** Columns of the terminal, or of COLUMNS where the output is none; 0 if the width is unknown. */
  readonly columns: number
  /** True if the output is redirected to a file. */
  readonly isFile?: boolean | undefined
  /** True if the output was closed at the start, so that writes reach nobody. Undefined if unchecked. */
  readonly wasClosed?: boolean | undefined
}

/** Error for an output whose reader has gone, as with `| head -1`. Not a failure, but output must stop. */
export class ClosedPipe extends Error {
  constructor() {
    super('the output is closed')
    this.name = 'ClosedPipe'
  }
}

/** Part of a Node stream that a sink needs: process.stdout, process.stderr, or any Writable. */
export interface OutputStream {
  write(text: string | Uint8Array, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly fd?: number
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

interface SinkOptions {
  /** The variable COLUMNS, with which programs like watch pass on the width of their screen. */
  columns?: string | undefined
  /** Redacts each text. */
  redact?: (text: string) => string
  /** Called before each write, to clear the progress. */
  beforeWrite?: () => void
}

/** Creates a sink. */
export function streamSink(stream: OutputStream, { columns, redact, beforeWrite }: SinkOptions = {}): Sink {
  // A failed write also emits an error event, which would end the process; write() reports the error.
  stream.on('error', () => {})
  const file = regularFile(stream)
  return {
    write(text) {
      beforeWrite?.()
      const shown = redact ? redact(text) : text
      return file === undefined ? writeStream(stream, shown) : writeFile(file, Buffer.from(shown))
    },
    isTTY: stream.isTTY === true,
    isFile: file !== undefined,
    get columns() {
      return stream.isTTY === true ? (stream.columns ?? 0) : columnsIn(columns)
    },
    get wasClosed() {
      return stream.fd !== undefined && wasClosed(stream.fd)
    },
  }
}

/** Returns the number of a value of COLUMNS; 0 for one that is no width. */
function columnsIn(variable = ''): number {
  return /^[1-9]\d{0,3}$/.test(variable) ? Number(variable) : 0
}

/** Creates a sink for messages, whose write errors are ignored. */
export function messageSink(stream: OutputStream, options?: SinkOptions): Sink {
  const sink = streamSink(stream, options)
  return {
    write: (text) => sink.write(text).catch(() => {}),
    isTTY: sink.isTTY,
    isFile: sink.isFile,
    get columns() {
      return sink.columns
    },
  }
}

function writeStream(stream: OutputStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    try {
      stream.write(text, (error) => (error ? reject(failure(error)) : resolve()))
    } catch (error) {
      reject(failure(error))
    }
  })
}

/**
 * Writes to a file completely. When a nearly full disk accepts only part of a write, Node's own file stream reports
 * success (seen on 20.20, lib/internal/fs/sync_write_stream.js). So the rest is written until it fails.
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

/** Reports whether a descriptor may be a terminal: a character device other than /dev/null. */
export function mayBeTerminal(kind: Stats): boolean {
  return kind.isCharacterDevice() && !isNullDevice(kind)
}

function isNullDevice({ rdev }: Stats): boolean {
  return rdev === ifPossible(() => statSync('/dev/null'))?.rdev
}

/**
 * Reports whether a descriptor was closed at process start, as by `>&-`. Node then opens the null device, for reading
 * too, unlike a shell's `> /dev/null`. Only Linux shows the difference; elsewhere the result is false.
 */
function wasClosed(fd: number): boolean {
  try {
    if (!isNullDevice(fstatSync(fd))) return false
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

const beyondAscii = /[^ -~\n]/

/** Wraps a text at word boundaries if the sink is a narrower terminal. */
export async function wrapped(text: string, { columns }: Sink): Promise<string> {
  // Measuring is loaded only for text that may not fit: beyond ASCII, a character may take two columns.
  if (columns === 0 || text.length * (beyondAscii.test(text) ? 2 : 1) <= columns) return text
  return (await import('./wrap-message')).wrapMessage(text, columns)
}
