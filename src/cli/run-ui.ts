/** Output, messages and questions of one run, on its streams. */
import { namedColor, namedFormat } from '../engine/appearance'
import type { Flags } from '../engine/command'
import type { Prompts } from '../engine/questions'
import type { PromptOptions, Ui } from '../engine/session'
import { defaultFormat, type FormatName, isJson } from '../output/formats'
import type { Progress, ProgressLine, ProgressText } from '../output/progress'
import { messageSink, type Sink, streamSink, wrapped } from '../output/sink'
import { type ColorChoice, colorWanted } from '../output/style'
import type { Io } from '../platform/io'
import { showsUnicode, unknownVariables } from '../rules/environment'
import { escapeLines, jsonLine } from '../rules/escape'
import { once } from '../rules/once'
import type { KnownSecrets } from '../rules/secrets'
import type { Pager } from './pager'

interface RunUiOptions {
  io: Io
  /** Flags from the command line and the environment. */
  flags: Flags
  signal: AbortSignal
  secrets: KnownSecrets
  pager: Pager | undefined
  /** Finds the account whose name questions begin with. */
  findAccount(): Promise<unknown>
}

export class RunUi implements Ui {
  readonly quiet: boolean
  readonly yes: boolean
  readonly stdout: Sink
  /** Prefix of messages and questions on a terminal, when the account of this run is known. */
  prefix = ''
  format: FormatName
  readonly #options: RunUiOptions
  readonly #stderr: () => Sink
  readonly #color: ColorChoice['flag']
  #progressLine: ProgressLine | undefined

  constructor(options: RunUiOptions) {
    const { io, flags, secrets, pager } = options
    this.#options = options
    this.quiet = flags.quiet === true
    this.yes = flags.yes === true
    const { stdout } = pager ?? io
    const beforeWrite = () => this.#progressLine?.clear()
    this.stdout = streamSink(stdout, { columns: io.env.COLUMNS, redact: (text) => secrets.inData(text), beforeWrite })
    this.#stderr = once(() => messageSink((pager ?? io).stderr, { redact: this.redact, beforeWrite }))
    this.format = namedFormat(flags, io.env) ?? defaultFormat
    this.#color = namedColor(flags)
  }

  /** Redacts a message. */
  readonly redact = (text: string) => this.#options.secrets.inMessage(text)

  get stderr(): Sink {
    return this.#stderr()
  }

  /** True if output is JSON: then stderr has only JSON lines, too. */
  get forScripts(): boolean {
    return isJson(this.format)
  }

  get interactive(): boolean {
    const { stdin, stderr } = this.#options.io
    return stdin.isTTY === true && stderr.isTTY === true
  }

  get color(): boolean {
    return this.#colorOn(this.stdout)
  }

  get unicode(): boolean {
    return showsUnicode(this.#options.io.env, this.#options.io.platform)
  }

  async status(text: string): Promise<void> {
    if (!this.quiet && !this.forScripts) await this.print((this.stderr.isTTY ? this.prefix : '') + text)
  }

  warn(text: string): Promise<void> {
    return this.log('warning', text, `skyctl: warning: ${text}`)
  }

  async log(kind: 'note' | 'debug' | 'warning', text: string, line = text): Promise<void> {
    await (this.forScripts ? this.stderr.write(jsonLine(kind, text)) : this.print(line))
  }

  /** Warns of environment variables that skyctl does not read: they may be misspelled. */
  async warnOfVariables(): Promise<void> {
    for (const text of await unknownVariables(this.#options.io.env)) await this.warn(text)
  }

  async print(text: string): Promise<void> {
    // Wrapping could break a secret, so it is redacted first.
    await this.stderr.write(`${await wrapped(escapeLines(this.redact(text)), this.stderr)}\n`)
  }

  async progress(text: ProgressText): Promise<Progress> {
    const { pager, io } = this.#options
    const { env, clock, stderr } = io
    const isTTY = this.stderr.isTTY && !this.quiet && env.TERM !== 'dumb'
    if (!isTTY) return { shown: false, update() {}, done() {} }
    const { drawnOn, TerminalProgress } = await import('../output/progress')
    this.#progressLine ??= new TerminalProgress({
      stream: drawnOn(pager?.drawing ?? stderr),
      isTTY,
      color: this.#colorOn(this.stderr),
      ascii: !this.unicode,
      clock,
      clean: this.redact,
    })
    return this.#progressLine.show(text)
  }

  async readStdin(most?: number): Promise<string> {
    return (await import('./input')).readAll(this.#options.io.stdin, most)
  }

  async ask({ local = false, signal = this.#options.signal, always = false }: PromptOptions = {}): Promise<Prompts> {
    const { io, secrets, findAccount } = this.#options
    const { openPrompts } = await import('./prompts')
    // A missing sign-in fails later, with a better message.
    if (!local) await findAccount().catch(() => undefined)
    const account = local ? '' : this.prefix
    return openPrompts(io, { account, color: this.#colorOn(this.stderr), signal, yes: this.yes && !always, secrets })
  }

  #colorOn({ isTTY }: Sink): boolean {
    return colorWanted({ flag: this.#color, env: this.#options.io.env, isTTY })
  }
}
