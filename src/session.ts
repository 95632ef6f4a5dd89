/** Interface of a session for commands. Parts that take time to load or create are created on first use. */
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
import type { Prompts } from './prompt/questions'
import type { Clock } from './rules/clock'
import type { Environment } from './rules/environment'
import type { KnownSecrets } from './rules/known-secrets'

export type { Clock }

export interface ClientOptions {
  /** True if the operation needs no token. */
  isPublic?: boolean
  /** Maximum number of pages in flight. */
  concurrency?: number
  /** True if requests continue when the run is interrupted. */
  isSteady?: boolean
  /** Address and token to use instead of those from flags, environment and contexts. */
  as?: SignedIn
  /** True for an optional request: one attempt, with a short time limit. */
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

/** The user at a service, or the problem that prevented reading it. */
export type AccountIdentity = { service: string } & ({ user: User } | { user: undefined; problem: Problem })

/** Options of questions, which name the account if there are several. */
export interface PromptOptions {
  /** True if the questions are not about an account. */
  local?: boolean
  /** Withdraws the questions and throws its reason. */
  signal?: AbortSignal
  /** True if `--yes` must not answer them. */
  always?: boolean
}

export interface Session {
  readonly env: Environment
  readonly clock: Clock
  /** Aborted by SIGINT and SIGTERM, with a problem as its reason. */
  readonly signal: AbortSignal
  /** Redacts secrets, as messages do. */
  readonly stdout: Sink
  readonly stderr: Sink
  readonly secrets: KnownSecrets
  /** True if skyctl can ask questions: stdin and stderr are terminals. */
  readonly interactive: boolean
  readonly format: FormatName
  readonly color: boolean
  readonly quiet: boolean
  readonly yes: boolean
  readonly paths: Paths
  /** Reads all of stdin as text; throws `usage` if it is not UTF-8, and `too_large` over 32 MiB. */
  readStdin(): Promise<string>
  /**
   * Prints a result for a person: not with --quiet or JSON output. On a terminal it is prefixed with the account, as
   * questions are.
   */
  status(text: string): Promise<void>
  /** Prints a warning, even with --quiet. */
  warn(text: string): Promise<void>
  /** Prints a line on stderr in any format, for a person who is being asked. */
  print(text: string): Promise<void>
  /** Prints a line of -v (`note`) or of --debug, in any format. */
  log(kind: 'note' | 'debug', text: string): Promise<void>
  /**
   * Shows progress on a terminal until `done` is called. `state` returns the shorter text for use beside the object's
   * name.
   */
  progress(text: ProgressText, state?: () => string): Promise<Progress>
  config(): Promise<Config>
  changeConfig(change: (config: Config) => void): Promise<Config>
  /** Returns the selected context; undefined if none is named or current. */
  activeContext(): Promise<ChosenContext | undefined>
  credential(): Promise<Credential>
  /** Returns the defaults of the selected context. */
  defaults(): Promise<Defaults>
  client(options?: ClientOptions): Promise<Client>
  /** Returns the user whose account this run acts on; asks the service once, and only if needed. */
  identity(): Promise<AccountIdentity>
  /** Returns the history in which changes are recorded; undefined if it is turned off or unavailable. */
  changeLog(): Promise<Recording | undefined>
  /** Returns the address of the service and the token. */
  signedIn(): Promise<SignedIn>
  ask(options?: PromptOptions): Promise<Prompts>
  /** Runs other programs and this one. */
  host(): Promise<Host>
  /** Opens a file in the user's editor; resolves when the editor has exited successfully. */
  openEditor(path: string): Promise<void>
}
