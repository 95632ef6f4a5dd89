/** Runs the real command line in this process: with the real parser and client, and a real sandbox over a socket. */
import { PassThrough, Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../src/engine/session'
import { run } from '../../src/main'
import type { OutputStream } from '../../src/output/sink'
import type { Io } from '../../src/platform/io'
import { type ManualClock, manualClock } from './clock'
import { missingHome } from './nonexistent'
import { program } from './program'

export interface Result {
  exit: number
  stdout: string
  stderr: string
}

export interface Options {
  env?: Record<string, string | undefined>
  stdin?: string | Uint8Array | undefined
  /** Simulates a terminal of so many columns as stdout. */
  columns?: number
  /** Simulates a terminal as stdin and stderr. Prompts are tested in a pseudo-terminal instead. */
  interactive?: boolean
  clock?: Clock
  homedir?: () => string
  onSignal?: Io['onSignal']
  /** Makes a stream fail from this write on, counted from 0. */
  fails?: { stdout?: Failing; stderr?: Failing }
}

export interface Failing {
  /** EPIPE: the reader has gone; ENOSPC: the disk is full. */
  code: 'EPIPE' | 'ENOSPC'
  from: number
}

/** Splits a line as a shell does: spaces separate words, and quotes keep them together. */
export function words(line: string): string[] {
  return [...line.matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"']+)+/g)].map(([word]) => word.replaceAll(/["']/g, ''))
}

/** Longest pause between looks at what another process does, in milliseconds. */
const lookMs = 20

/** Makes a clock whose waits pass at once, but for those between looks at another process, whose CPU time they would take. */
export function testClock(clock: ManualClock): Clock & ManualClock {
  return {
    ...clock,
    monotonic: clock.now,
    async sleep(milliseconds, signal) {
      if (milliseconds > 0 && milliseconds <= lookMs) await setTimeout(2)
      else await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      clock.advance(milliseconds)
    },
  }
}

export async function runSkyctl(line: string | readonly string[], options: Options = {}): Promise<Result> {
  const stdout = collector(options.columns, options.fails?.stdout)
  const stderr = collector(options.interactive ? 80 : undefined, options.fails?.stderr)
  const stdin = Object.assign(options.stdin === undefined ? new PassThrough().end() : Readable.from([options.stdin]), {
    isTTY: options.interactive === true,
  })
  const exit = await run({
    argv: typeof line === 'string' ? words(line) : line,
    env: options.env ?? {},
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    platform: 'linux',
    homedir: options.homedir ?? (() => missingHome),
    clock: options.clock ?? testClock(manualClock()),
    random: () => 0.5,
    onSignal: options.onSignal ?? (() => () => {}),
    catchSignals: () => () => {},
    program,
    loadAll() {},
  })
  return { exit, stdout: stdout.text(), stderr: stderr.text() }
}

function collector(columns: number | undefined, failing?: Failing) {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return {
    stream: Object.assign(
      failing ? failingStream(stream, failing) : stream,
      columns !== undefined && { isTTY: true, columns },
    ),
    text: () => chunks.join(''),
  }
}

/** Makes a stream that may be written to after a failure, as that of a process. */
function failingStream(stream: Writable, { code, from }: Failing): OutputStream {
  let writes = 0
  return {
    on: () => {},
    write(text, done) {
      const fails = writes >= from
      writes += 1
      if (!fails) return stream.write(text, done)
      process.nextTick(() => done(Object.assign(new Error(`write ${code}`), { code })))
      return false
    },
  }
}
