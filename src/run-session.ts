/** The session of one run: what flags, environment and contexts amount to, each part made when it is asked for. */

import type { Config, Defaults } from './config/contexts'
import type { Choice, ChosenContext, Credential } from './config/credential'
import { configPaths, type Paths } from './config/paths'
import type { Connections } from './connect'
import type { DebugFile } from './debug-file'
import { namedColor, namedFormat } from './engine/appearance'
import type { Flags } from './engine/command'
import { newFileFlag, textFlag } from './engine/flag-values'
import { heard } from './engine/heard'
import { withVariables } from './engine/variable-flags'
import { Problem } from './errors'
import type { Client } from './http/client'
import type { Io } from './io'
import { defaultFormat, type FormatName, isFormat, isJson } from './output/formats'
import type { Progress, ProgressLine, ProgressText } from './output/progress'
import { jsonLine, safeLines } from './output/safe'
import { cleared, fitted, guarded, messageSink, type Sink, streamSink } from './output/sink'
import { type ColorChoice, colorWanted } from './output/style'
import type { Ask } from './prompt/questions'
import type { Environment } from './rules/environment'
import type { KnownSecrets } from './rules/known-secrets'
import { once } from './rules/once'
import { unknownVariables } from './rules/variables'
import type { ClientOptions, Clock, Session, SignedIn } from './session'

/** `command`: its words, `volumes update`. */
type Given = Pick<Session, 'signal' | 'secrets'> & { command?: string }

export class RunSession implements Session {
  readonly env: Environment
  readonly clock: Clock
  readonly quiet: boolean
  readonly yes: boolean
  readonly paths: Paths
  readonly stdout: Sink
  readonly recording: Session['recording']
  readonly identity: Session['identity'] = once(async () => (await import('./engine/identity')).readIdentity(this))
  #connections: Promise<Connections> | undefined
  readonly #config: () => Promise<Config>
  readonly #chosen: () => Promise<ChosenContext | undefined>
  readonly #credential: () => Promise<Credential>
  readonly #stderr: () => Sink
  #progressLine: ProgressLine | undefined
  /** What stands before sentences and questions on a terminal, once it is known on which account this run acts. */
  #account = ''
  readonly #color: ColorChoice['flag']
  #format: FormatName
  #debugFile: DebugFile | undefined

  /** What may be seen of a text that is said. */
  readonly #said = (text: string) => this.secrets.inMessage(text)

  private constructor(
    private readonly io: Io,
    /** With what the environment adds to those that were typed. */
    readonly flags: Flags,
    readonly signal: AbortSignal,
    readonly secrets: KnownSecrets,
    command: string,
  ) {
    this.env = io.env
    this.clock = io.clock
    this.quiet = flags.quiet === true
    this.yes = flags.yes === true
    this.paths = configPaths(io)
    this.stdout = this.#besideProgress(guarded(streamSink(io.stdout), (text) => this.secrets.inData(text)))
    this.#stderr = once(() => this.#besideProgress(guarded(messageSink(io.stderr), this.#said)))
    this.#format = namedFormat(flags, io.env) ?? defaultFormat
    this.#color = namedColor(flags)
    this.#config = once(async () => {
      const { readConfig } = await import('./config/store')
      return heard(this, (warn) => readConfig(this.paths, { warn }))
    })
    this.#chosen = once(async () => (await import('./config/credential')).chooseContext(await this.#choice()))
    this.#credential = once(() => this.#act())
    this.recording = once(async () => (await import('./engine/history')).recordingOf(this, { flags, command }))
  }

  /** Throws `usage` for global flags that make no sense, and `local` for a --debug-file that cannot be written. */
  static async open(io: Io, typed: Flags, { signal, secrets, command = '' }: Given): Promise<RunSession> {
    const flags = withVariables(typed, io.env)
    const session = new RunSession(io, flags, signal, secrets, command)
    await session.#openDebugFile(newFileFlag(flags, 'debug-file'))
    if (namedFormat(flags, io.env) === undefined) {
      // Contexts that cannot be read may not matter to this command; where they do, they are read again.
      const { output } = await session.defaults().catch((): Defaults => ({}))
      if (isFormat(output)) session.#format = output
    }
    return session
  }

  get stderr(): Sink {
    return this.#stderr()
  }

  get format(): FormatName {
    return this.#format
  }

  /** What reads JSON on stdout reads problems as JSON on stderr, so nothing else is said there. */
  get forScripts(): boolean {
    return isJson(this.#format)
  }

  get interactive(): boolean {
    return this.io.stdin.isTTY === true && this.io.stderr.isTTY === true
  }

  get color(): boolean {
    return this.#colorOn(this.stdout)
  }

  async say(text: string): Promise<void> {
    if (!this.quiet && !this.forScripts) await this.aside(this.stderr.isTTY ? `${this.#account}${text}` : text)
  }

  async warn(text: string): Promise<void> {
    await (this.forScripts ? this.stderr.write(jsonLine('warning', text)) : this.aside(`skyctl: warning: ${text}`))
  }

  async tell(kind: 'note' | 'debug', text: string): Promise<void> {
    await (this.forScripts ? this.stderr.write(jsonLine(kind, text)) : this.aside(text))
  }

  /** Names variables that nothing reads: they may have been meant for another. */
  async warnOfVariables(): Promise<void> {
    for (const text of unknownVariables(this.env)) await this.warn(text)
  }

  async aside(text: string): Promise<void> {
    // A line that is broken would break a secret.
    await this.stderr.write(`${await fitted(safeLines(this.#said(text)), this.stderr)}\n`)
  }

  async progress(text: ProgressText): Promise<Progress> {
    const isTTY = this.stderr.isTTY && !this.quiet && this.env.TERM !== 'dumb'
    if (!isTTY) return { shown: false, update() {}, done() {} }
    const { drawnOn, progressLine } = await import('./output/progress')
    this.#progressLine ??= progressLine({
      stream: drawnOn(this.io.stderr),
      isTTY,
      color: this.#colorOn(this.stderr),
      clock: this.clock,
      clean: this.#said,
    })
    return this.#progressLine.show(text)
  }

  async readStdin(): Promise<string> {
    const { readAll } = await import('./input')
    return readAll(this.io.stdin)
  }

  config(): Promise<Config> {
    return this.#config()
  }

  async changeConfig(change: (config: Config) => void): Promise<Config> {
    const { changeConfig } = await import('./config/store')
    return heard(this, (warn) => changeConfig(this.paths, change, { warn }))
  }

  chosen(): Promise<ChosenContext | undefined> {
    return this.#chosen()
  }

  credential(): Promise<Credential> {
    return this.#credential()
  }

  async defaults(): Promise<Defaults> {
    return (await this.#chosen())?.record?.defaults ?? {}
  }

  async client(options: ClientOptions = {}): Promise<Client> {
    return (await this.#connect()).client(options)
  }

  async signedIn(): Promise<SignedIn> {
    return (await this.#connect()).signedIn()
  }

  async ask({ local = false, signal = this.signal, always = false }: Parameters<Session['ask']>[0] = {}): Promise<Ask> {
    const { openAsk } = await import('./asking')
    // Who cannot be signed in fails later, with a better word.
    if (!local) await this.#credential().catch(() => undefined)
    const yes = this.yes && !always
    return openAsk(this.io, {
      account: local ? '' : this.#account,
      color: this.#colorOn(this.stderr),
      signal,
      yes,
      secrets: this.secrets,
    })
  }

  readonly host = async () => (await import('./host')).openHost(this.io)

  async openEditor(path: string): Promise<void> {
    const { openEditor } = await import('./editor')
    const { run } = await this.host()
    await openEditor(path, { run, env: this.env, platform: this.io.platform, interactive: this.interactive })
  }

  /** Ends connections and the embedded sandbox, so that the process can end. */
  async close(): Promise<void> {
    await (await this.#connections?.catch(() => undefined))?.close()
    this.#debugFile?.close()
  }

  async #openDebugFile(path: string | undefined): Promise<void> {
    if (path === undefined) return
    const { openDebugFile } = await import('./debug-file')
    const given = { clock: this.clock, clean: this.#said, lost: (reason: string) => void this.warn(reason) }
    this.#debugFile = await heard(this, (warn) => openDebugFile(path, { ...given, warn }))
  }

  #connect(): Promise<Connections> {
    this.#connections ??= import('./connect').then(({ createConnections }) =>
      createConnections(this, { flags: this.flags, random: this.io.random, debugFile: this.#debugFile }),
    )
    return this.#connections
  }

  #besideProgress(sink: Sink): Sink {
    return cleared(sink, () => this.#progressLine?.clear())
  }

  #colorOn({ isTTY }: Sink): boolean {
    return colorWanted({ flag: this.#color, env: this.env, isTTY })
  }

  async #act(): Promise<Credential> {
    const { credential, name, override } = (await import('./config/acting')).actingOn(await this.#choice())
    if (name !== undefined) this.#account = `[${name}] `
    if (override !== undefined) await this.warn(override)
    return credential
  }

  async #choice(): Promise<Choice> {
    const config = await this.#config().catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
    const flags = { context: textFlag(this.flags, 'context'), baseUrl: textFlag(this.flags, 'base-url') }
    return { flags, env: this.env, config }
  }
}
