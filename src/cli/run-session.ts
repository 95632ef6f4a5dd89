/** Session of one run, from flags, environment and contexts. Each part is created on first use. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../account/account'
import { accountClock } from '../account/wait-limit'
import { type Credential, type Defaults, mayHaveContexts, noContexts } from '../config/contexts'
import type { CredentialInput } from '../config/credential'
import { configPaths } from '../config/paths'
import { namedFormat } from '../engine/appearance'
import type { Flags } from '../engine/command'
import { durationFlag, newFileFlag, textFlag } from '../engine/flag-values'
import type { Clock, ConfigFile, Session } from '../engine/session'
import { withVariables } from '../engine/variable-flags'
import { Problem } from '../errors'
import { deferWarnings } from '../files/deferred-warnings'
import { isFormat } from '../output/formats'
import type { Io } from '../platform/io'
import type { Environment } from '../rules/environment'
import { once } from '../rules/once'
import type { KnownSecrets } from '../rules/secrets'
import type { AccountClients } from './clients'
import type { DebugFile } from './debug-file'
import type { Pager } from './pager'
import { RunUi } from './run-ui'

interface RunSessionOptions {
  signal: AbortSignal
  secrets: KnownSecrets
  /** Name of the command: `volumes update`. */
  command?: string
  pager?: Pager | undefined
}

export class RunSession implements Session {
  readonly account: Account
  readonly ui: RunUi
  readonly config: ConfigFile
  readonly env: Environment
  readonly clock: Clock
  readonly signal: AbortSignal
  #connections: Promise<AccountClients> | undefined
  #debugFile: DebugFile | undefined
  #history: ReturnType<Account['history']> | undefined

  private constructor(
    private readonly io: Io,
    /** Flags from the command line and the environment. */
    readonly flags: Flags,
    { signal, secrets, command = '', pager }: RunSessionOptions,
  ) {
    this.env = io.env
    this.clock = io.clock
    this.signal = signal
    const ui = new RunUi({ io, flags, signal, secrets, pager, findAccount: () => this.account.access.credential() })
    this.ui = ui
    const paths = configPaths(io)
    const read = once(async () => {
      if (!mayHaveContexts(paths)) return noContexts()
      const { readConfig } = await import('../config/read-config')
      return deferWarnings(ui, (warn) => readConfig(paths, { warn }))
    })
    this.account = {
      access: {
        context: once(async () => (await import('../config/credential')).chooseContext(await this.#choice())),
        credential: once(() => this.#act()),
        signedIn: async () => (await this.#connect()).signedIn(),
      },
      local: { env: io.env, paths, secrets },
      reporter: ui,
      clock: accountClock(io.clock, io.random, durationFlag(flags, 'wait-timeout')),
      signal,
      identity: once(async () => (await import('../account/identity')).readIdentity(this.account)),
      client: async (options = {}) => (await this.#connect()).client(options),
      history: once(() => this.#openHistory(flags, command)),
    }
    this.config = {
      read,
      change: async (change) => {
        const { changeConfig } = await import('../config/change-config')
        return deferWarnings(ui, (warn) => changeConfig(paths, change, { warn }))
      },
      defaults: async () => (await this.account.access.context())?.record?.defaults ?? {},
    }
  }

  /** Opens a session. Throws `usage` for invalid global flags, and `local` for an unwritable --debug-file. */
  static async open(io: Io, lineFlags: Flags, options: RunSessionOptions): Promise<RunSession> {
    const flags = withVariables(lineFlags, io.env)
    const session = new RunSession(io, flags, options)
    await session.#openDebugFile(newFileFlag(flags, 'debug-file'))
    if (namedFormat(flags, io.env) === undefined) {
      // An unreadable config may not matter to this command; a command that needs it reads it again and fails.
      const { output } = await session.config.defaults().catch((): Defaults => ({}))
      if (isFormat(output)) session.ui.format = output
    }
    return session
  }

  readonly host = async () => (await import('../platform/host')).openHost(this.io)

  /** Prints results of background processes before the command. Most runs find none. */
  async printBackgroundResults(): Promise<void> {
    let watches: string[] = []
    try {
      watches = readdirSync(join(this.account.local.paths.state, 'watches'))
    } catch {
      // There never was a background process, or the state folder is unknown.
    }
    if (watches.length > 0) await (await import('../commands/firewalls/watch/report-results')).reportWatchResults(this)
  }

  /** Closes connections and the embedded sandbox, so that the process can end. A run that changed nothing may end at once. */
  async close(exitCode?: number): Promise<void> {
    const clients = await this.#connections?.catch(() => undefined)
    const canLeave = clients !== undefined && !this.#history && !this.#debugFile
    if (canLeave && exitCode !== undefined) await this.io.end?.(exitCode)
    await clients?.close()
    // Its error, like that of the clients, ended the command.
    const history = await this.#history?.catch(() => undefined)
    history?.close?.()
    this.#debugFile?.close()
  }

  async #openHistory(flags: Flags, command: string): ReturnType<Account['history']> {
    const { openHistory } = await import('../engine/history')
    this.#history = openHistory(this, { flags, command })
    return this.#history
  }

  async #openDebugFile(path: string | undefined): Promise<void> {
    if (path === undefined) return
    const { openDebugFile } = await import('./debug-file')
    const debugOptions = {
      clock: this.clock,
      clean: this.ui.redact,
      lost: (reason: string) => void this.ui.warn(reason),
    }
    this.#debugFile = await deferWarnings(this.ui, (warn) => openDebugFile(path, { ...debugOptions, warn }))
  }

  #connect(): Promise<AccountClients> {
    this.#connections ??= import('./clients').then(({ AccountClients }) => {
      const { flags, io, ui } = this
      return new AccountClients(this.account, {
        flags,
        random: io.random,
        debugFile: this.#debugFile,
        log: (kind, text) => ui.log(kind, text),
        openSandbox: async () => (await import('../sandbox/context')).openContextSandbox(this.account),
      })
    })
    return this.#connections
  }

  async #act(): Promise<Credential> {
    const { actingOn } = await import('../config/credential')
    const { credential, name, override } = await actingOn(await this.#choice())
    if (name !== undefined) this.ui.prefix = `[${name}] `
    if (override !== undefined) await this.ui.warn(override)
    return credential
  }

  async #choice(): Promise<CredentialInput> {
    const config = await this.config.read().catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
    const flags = { context: textFlag(this.flags, 'context'), baseUrl: textFlag(this.flags, 'base-url') }
    return { flags, env: this.env, config }
  }
}
