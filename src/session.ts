/** What a command may use. Whatever costs time to load or to build is made when it is first asked for. */
import type { Config, Defaults } from './config/contexts'
import type { ChosenContext, Credential } from './config/credential'
import type { Paths } from './config/paths'
import type { Problem } from './errors'
import type { Host } from './host'
import type { Client } from './http/client'
import type { Recording } from './http/recording'
import type { FormatName } from './output/formats'
import type { Progress, ProgressText } from './output/progress'
import type { Sink } from './output/sink'
import type { Ask } from './prompt/questions'
import type { Clock } from './rules/clock'
import type { Environment } from './rules/environment'
import type { KnownSecrets } from './rules/known-secrets'

export type { Clock }

export interface ClientOptions {
  /** The operation needs no token, so none need be there. */
  open?: boolean
  /** Pages in flight. */
  concurrency?: number
  /** Requests are sent, and waited for, also when the run is interrupted. */
  isSteady?: boolean
  /** Sign in with these instead of what flags, environment and contexts say. */
  as?: SignedIn
  /** What it asks is worth one attempt and few seconds. */
  brief?: true
}

export interface SignedIn {
  baseUrl: string
  token: string
}

export interface User {
  uid: number
  username: string
}

/** A user at a service, or why the service does not say who it is. */
export type Identity = { service: string } & ({ user: User } | { user: undefined; problem: Problem })

/** Questions name the account that is acted on where that is not the only one. */
interface Asking {
  /** They concern no account. */
  local?: boolean
  /** Withdraws them: its reason is thrown. */
  signal?: AbortSignal
  /** `--yes` does not answer them. */
  always?: boolean
}

export interface Session {
  readonly env: Environment
  readonly clock: Clock
  /** Aborted with a problem as its reason on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** Behind the door that lets no secret out; so is whatever is said. */
  readonly stdout: Sink
  readonly stderr: Sink
  readonly secrets: KnownSecrets
  /** Whether a person can be asked: stdin and stderr are a terminal. */
  readonly interactive: boolean
  readonly format: FormatName
  readonly color: boolean
  readonly quiet: boolean
  readonly yes: boolean
  readonly paths: Paths
  /** All of stdin as text; throws `usage` where it is no UTF-8 or over 32 MiB. */
  readStdin(): Promise<string>
  /**
   * What was done, for a person: nothing with --quiet, or where JSON was asked for. On a terminal it names the account
   * that was acted on, as questions do.
   */
  say(text: string): Promise<void>
  /** What a person should know, even with --quiet. */
  warn(text: string): Promise<void>
  /** A line on stderr whatever the format, for a person who is being asked. */
  aside(text: string): Promise<void>
  /** A line of -v (`note`) or of --debug, whatever the format. */
  tell(kind: 'note' | 'debug', text: string): Promise<void>
  /**
   * Shows on a terminal that something takes long; `done` takes it away. `state` is the part of the text that is left
   * where its object is named beside it.
   */
  progress(text: ProgressText, state?: () => string): Promise<Progress>
  config(): Promise<Config>
  changeConfig(change: (config: Config) => void): Promise<Config>
  /** The context in play; undefined where none is named or current. */
  chosen(): Promise<ChosenContext | undefined>
  credential(): Promise<Credential>
  /** The defaults of the context in play. */
  defaults(): Promise<Defaults>
  client(options?: ClientOptions): Promise<Client>
  /** Whose account this run acts on; the service is asked once, and only where something depends on it. */
  identity(): Promise<Identity>
  /** Where what is changed is written down; undefined where that is not wanted, or cannot be. */
  recording(): Promise<Recording | undefined>
  /** Where requests go, and with which token. */
  signedIn(): Promise<SignedIn>
  ask(options?: Asking): Promise<Ask>
  /** Other programs, and this one once more. */
  host(): Promise<Host>
  /** Lets a person change a file in their editor; resolves when that has ended well. */
  openEditor(path: string): Promise<void>
}
