/** Session of one run, from flags, environment and contexts. Each part is created on first use. */
import type { ClientOptions, SignedIn } from './account/account'
import { deferWarnings } from './account/deferred-warnings'
import type { Clients } from './clients'
import type { Config, Defaults } from './config/contexts'
import type { ChosenContext, Credential, CredentialInput } from './config/credential'
import { configPaths, type Paths } from './config/paths'
import type { DebugFile } from './debug-file'
import { namedColor, namedFormat } from './engine/appearance'
import type { Flags } from './engine/command'
import { newFileFlag, textFlag } from './engine/flag-values'
import { withVariables } from './engine/variable-flags'
import { Problem } from './errors'
import type { Client } from './http/client'
import type { Io } from './io'
import { defaultFormat, type FormatName, isFormat, isJson } from './output/formats'
import type { Progress, ProgressLine, ProgressText } from './output/progress'
import { aboveProgress, messageSink, redacted, type Sink, streamSink, wrapped } from './output/sink'
import { type ColorChoice, colorWanted } from './output/style'
import type { Prompts } from './prompt/questions'
import { type Environment, unknownVariables } from './rules/environment'
import { escapeLines, jsonLine } from './rules/escape'
import { once } from './rules/once'
import type { KnownSecrets } from './rules/secrets'
import type { Clock, PromptOptions, Session } from './session'

/** `command` is the name of the command: `volumes update`. */
type Given = Pick<Session, 'signal' | 'secrets'> & { command?: string }

export class RunSession implements Session {
  readonly env: Environment
  readonly clock: Clock
  readonly quiet: boolean
  readonly yes: boolean
  readonly paths: Paths
  readonly stdout: Sink
  readonly changeLog: Session['changeLog']
  readonly identity: Session['identity'] = once(async () => (await import('./account/identity')).readIdentity(this))
  #connections: Promise<Clients> | undefined
  readonly #config: () => Promise<Config>
  readonly #chosen: () => Promise<ChosenContext | undefined>
  readonly #credential: () => Promise<Credential>
  readonly #stderr: () => Sink
  #progressLine: ProgressLine | undefined
  /** Prefix of messages and questions on a terminal, when the account of this run is known. */
  #account = ''
  readonly #color: ColorChoice['flag']
  #format: FormatName
  #debugFile: DebugFile | undefined

  /** Redacts a message. */
  readonly #said = (text: string) => this.secrets.inMessage(text)

  private constructor(
    private readonly io: Io,
    /** Flags from the command line and the environment. */
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
    this.stdout = this.#besideProgress(redacted(streamSink(io.stdout), (text) => this.secrets.inData(text)))
    this.#stderr = once(() => this.#besideProgress(redacted(messageSink(io.stderr), this.#said)))
    this.#format = namedFormat(flags, io.env) ?? defaultFormat
    this.#color = namedColor(flags)
    this.#config = once(async () => {
      const { readConfig } = await import('./config/store')
      return deferWarnings(this, (warn) => readConfig(this.paths, { warn }))
    })
    this.#chosen = once(async () => (await import('./config/credential')).chooseContext(await this.#choice()))
    this.#credential = once(() => this.#act())
    this.changeLog = once(async () => (await import('./engine/history')).openHistory(this, { flags, command }))
  }

  /** Opens a session. Throws `usage` for invalid global flags, and `local` for an unwritable --debug-file. */
  static async open(io: Io, typed: Flags, { signal, secrets, command = '' }: Given): Promise<RunSession> {
    const flags = withVariables(typed, io.env)
    const session = new RunSession(io, flags, signal, secrets, command)
    await session.#openDebugFile(newFileFlag(flags, 'debug-file'))
    if (namedFormat(flags, io.env) === undefined) {
      // An unreadable config may not matter to this command; a command that needs it reads it again and fails.
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

  /** True if output is JSON: then stderr has only JSON lines, too. */
  get forScripts(): boolean {
    return isJson(this.#format)
  }

  get interactive(): boolean {
    return this.io.stdin.isTTY === true && this.io.stderr.isTTY === true
  }

  get color(): boolean {
    return this.#colorOn(this.stdout)
  }

  async status(text: string): Promise<void> {
    if (!this.quiet && !this.forScripts) await this.print(this.stderr.isTTY ? `${this.#account}${text}` : text)
  }

  async warn(text: string): Promise<void> {
    await (this.forScripts ? this.stderr.write(jsonLine('warning', text)) : this.print(`skyctl: warning: ${text}`))
  }

  async log(kind: 'note' | 'debug', text: string): Promise<void> {
    await (this.forScripts ? this.stderr.write(jsonLine(kind, text)) : this.print(text))
  }

  /** Warns of environment variables that skyctl does not read: they may be misspelled. */
  async warnOfVariables(): Promise<void> {
    for (const text of unknownVariables(this.env)) await this.warn(text)
  }

  async print(text: string): Promise<void> {
    // Wrapping could break a secret, so it is redacted first.
    await this.stderr.write(`${await wrapped(escapeLines(this.#said(text)), this.stderr)}\n`)
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
    return deferWarnings(this, (warn) => changeConfig(this.paths, change, { warn }))
  }

  activeContext(): Promise<ChosenContext | undefined> {
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

  async ask({ local = false, signal = this.signal, always = false }: PromptOptions = {}): Promise<Prompts> {
    const { openPrompts } = await import('./prompts')
    // A missing sign-in fails later, with a better message.
    if (!local) await this.#credential().catch(() => undefined)
    const yes = this.yes && !always
    return openPrompts(this.io, {
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

  /** Closes connections and the embedded sandbox, so that the process can end. */
  async close(): Promise<void> {
    await (await this.#connections?.catch(() => undefined))?.close()
    this.#debugFile?.close()
  }

  async #openDebugFile(path: string | undefined): Promise<void> {
    if (path === undefined) return
    const { openDebugFile } = await import('./debug-file')
    const given = { clock: this.clock, clean: this.#said, lost: (reason: string) => void this.warn(reason) }
    this.#debugFile = await deferWarnings(this, (warn) => openDebugFile(path, { ...given, warn }))
  }

  #connect(): Promise<Clients> {
    this.#connections ??= import('./clients').then(({ createClients }) =>
      createClients(this, { flags: this.flags, random: this.io.random, debugFile: this.#debugFile }),
    )
    return this.#connections
  }

  #besideProgress(sink: Sink): Sink {
    return aboveProgress(sink, () => this.#progressLine?.clear())
  }

  #colorOn({ isTTY }: Sink): boolean {
    return colorWanted({ flag: this.#color, env: this.env, isTTY })
  }

  async #act(): Promise<Credential> {
    const { credential, name, override } = (await import('./config/acting-account')).actingOn(await this.#choice())
    if (name !== undefined) this.#account = `[${name}] `
    if (override !== undefined) await this.warn(override)
    return credential
  }

  async #choice(): Promise<CredentialInput> {
    const config = await this.#config().catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
    const flags = { context: textFlag(this.flags, 'context'), baseUrl: textFlag(this.flags, 'base-url') }
    return { flags, env: this.env, config }
  }
}
