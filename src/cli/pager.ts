/**
 * Sends output that is longer than the screen through a pager, as git does. Up to a screenful is held: if the run ends
 * before, it is printed as it is, and no pager starts.
 */

import type { OutputStream } from '../output/sink'
import { textWidth } from '../output/width'
import { type Feed, feed } from '../platform/host'
import type { Io } from '../platform/io'
import { type Environment, withoutToken } from '../rules/environment'

type Terminal = Pick<Io, 'env' | 'stdout' | 'stderr' | 'platform' | 'catchSignals'>
type Text = string | Uint8Array

/** Returns the command of the pager: SKYCTL_PAGER, PAGER or less. Undefined if there should be none. */
export function pagerNamed({ SKYCTL_PAGER, PAGER, TERM }: Environment): string | undefined {
  const named = (SKYCTL_PAGER ?? PAGER ?? 'less').trim()
  return TERM === 'dumb' || named === '' || named === 'cat' ? undefined : named
}

/** Most rows of a page of help on a narrow terminal. It is just printed: a pager would swallow the command typed next. */
const helpRows = 60

/** Opens a pager for a terminal; undefined if the user wants none, or if the terminal's height is unknown. */
export function openPager(io: Terminal, signal: AbortSignal, use: true | 'long help'): Pager | undefined {
  const named = pagerNamed(io.env)
  const { rows } = io.stdout
  if (named === undefined || !rows) return undefined
  return new Pager(named, use === true ? rows : Math.max(rows, helpRows + 1), io, signal)
}

/** Settings of less: as git's, and a prompt that says how to leave. `$` ends the prompt. */
const lessSettings = 'FRX -P?e(END) .q\\: quit, h\\: help$'

/** Exit codes of a shell that cannot run the program; cmd.exe has only 1. */
const isMissing = (exit: number, platform: NodeJS.Platform) =>
  exit === 126 || exit === 127 || (platform === 'win32' && exit === 1)

/** More than any pipe holds: a pager that has taken so many bytes is running. */
const mostInPipe = 2 ** 20

/** Output and messages of a run on a terminal, perhaps through a pager. */
export class Pager {
  /** `held` until the screen is full, and `plain` without a pager. */
  #state: 'held' | 'paged' | 'plain' = 'held'
  #pending: { text: Text; to: OutputStream }[] = []
  #rows = 0
  #feed: Feed | undefined
  /** Output that is printed if the pager could not be started; dropped when it is known to run. */
  #sent: Text[] = []
  #taken = 0
  #isUnusable = false

  constructor(
    private readonly named: string,
    /** Rows that are too many: the last one is for the prompt of the shell. */
    private readonly tooMany: number,
    private readonly io: Terminal,
    private readonly signal: AbortSignal,
  ) {}

  readonly stdout = streamLike(
    () => this.io.stdout,
    (text) => this.#print(text),
  )

  /** Messages. Those after held output keep their place behind it, and others wait for the end of the pager. */
  get stderr(): OutputStream {
    const { stderr } = this.io
    const print = async (text: Text) => {
      if (this.#state === 'paged' || this.#pending.length > 0) this.#pending.push({ text, to: stderr })
      else await put(stderr, text)
    }
    return stderr.isTTY ? streamLike(() => stderr, print) : stderr
  }

  /** Progress, which must not be drawn over the pager. */
  get drawing(): OutputStream {
    const { stderr } = this.io
    const draw = async (text: Text) => {
      if (this.#state !== 'paged') stderr.write(text, () => {})
    }
    return streamLike(() => stderr, draw)
  }

  /** Name of the pager if the user has set it, but it could not be started. */
  get unusable(): string | undefined {
    const { SKYCTL_PAGER, PAGER } = this.io.env
    return this.#isUnusable && (SKYCTL_PAGER ?? PAGER) !== undefined ? this.named : undefined
  }

  /** Prints what is held, after the user has left the pager. Throws the reason of SIGTERM. */
  async close(): Promise<void> {
    this.#feed?.stdin.end()
    if (this.#state === 'paged') await this.#left()
    this.#state = 'plain'
    for (const { text, to } of this.#pending.splice(0)) await put(to, text)
    if (this.#feed && this.signal.aborted && this.signal.reason.code === 'terminated') throw this.signal.reason
  }

  async #print(text: Text): Promise<void> {
    const { stdout } = this.io
    if (this.#state === 'held') {
      this.#pending.push({ text, to: stdout })
      this.#rows += rowsOf(text, stdout.columns)
      if (this.#rows >= this.tooMany) await this.#start()
    } else await (this.#state === 'paged' ? this.#send(text) : put(stdout, text))
  }

  async #start(): Promise<void> {
    const { env, platform, stdout } = this.io
    this.#state = 'paged'
    const output = this.#pending.filter(({ to }) => to === stdout)
    this.#pending = this.#pending.filter(({ to }) => to !== stdout)
    // Other than a word it is a shell command, such as `less -S`; git runs it in the same way.
    const isWord = /^[\w./-]+$/.test(this.named)
    const shell = !isWord && platform === 'win32'
    const words = isWord || shell ? [this.named] : ['/bin/sh', '-c', this.named]
    // Keys typed ahead could otherwise make less write a file or start a program. systemd does the same.
    const secure = env.SKYCTL_PAGER === undefined && { LESSSECURE: '1' }
    const settings = { LESS: lessSettings, LV: '-c', ...secure, ...withoutToken(env) }
    this.#feed = feed({ words, shell, env: settings, signal: this.signal }, this.io)
    for (const { text } of output) await this.#print(text)
  }

  async #send(text: Text): Promise<void> {
    this.#sent.push(text)
    try {
      if (this.#feed) await put(this.#feed.stdin, text)
      this.#taken += text.length
      if (this.#taken > mostInPipe) this.#sent = []
    } catch (error) {
      if (!(await this.#left())) throw error
    }
  }

  /** Waits for the end of the pager. If it could not be started, prints its input and returns true. */
  async #left(): Promise<boolean> {
    const exit = (await this.#feed?.end) ?? 0
    this.#isUnusable = this.#taken <= mostInPipe && isMissing(exit, this.io.platform)
    if (!this.#isUnusable) return false
    this.#state = 'plain'
    for (const text of this.#sent.splice(0)) await put(this.io.stdout, text)
    return true
  }
}

/** Creates a stream of the same terminal that prints in another way. */
function streamLike(terminal: () => OutputStream, print: (text: Text) => Promise<void>): OutputStream {
  return {
    isTTY: true,
    get columns() {
      return terminal().columns
    },
    get rows() {
      return terminal().rows
    },
    on: (event, listener) => terminal().on(event, listener),
    write(text, done) {
      print(text).then(() => done(), done)
      return true
    },
  }
}

function put(stream: Pick<OutputStream, 'write'>, text: Text): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/** Colour sequences (ECMA-48: SGR), the only control sequences of the output. */
const colours = /\x1b\[[\d;]*m/g

/** Counts the rows that a text takes on a terminal. No screen holds as much as is looked at. */
function rowsOf(text: Text, columns = 80): number {
  const start = text.slice(0, mostInPipe)
  const lines = (typeof start === 'string' ? start : Buffer.from(start).toString()).replace(/\n$/, '').split('\n')
  const widths = lines.map((line) => textWidth(line.replaceAll(colours, '')))
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
}
