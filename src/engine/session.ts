/** Services available to a command. Parts that take time to load or create are created on first use. */
import type { Account } from '../account/account'
import type { Config, Defaults } from '../config/contexts'
import type { FormatName } from '../output/formats'
import type { Progress, ProgressText } from '../output/progress'
import type { Sink } from '../output/sink'
import type { Host } from '../platform/host'
import type { Environment } from '../rules/environment'
import type { Clock } from '../rules/times'
import type { Prompts } from './questions'

export type { Clock }

/** Options of questions, which name the account if there are several. */
export interface PromptOptions {
  /** True if the questions are not about an account. */
  local?: boolean
  /** Withdraws the questions and throws its reason. */
  signal?: AbortSignal
  /** True if `--yes` must not answer them. */
  always?: boolean
}

/** Output and questions of a command. */
export interface Ui {
  /** Redacts secrets, as messages do. */
  readonly stdout: Sink
  readonly stderr: Sink
  /** True if skyctl can ask questions: stdin and stderr are terminals. */
  readonly interactive: boolean
  readonly format: FormatName
  readonly color: boolean
  /** True if the terminal shows more than ASCII. */
  readonly unicode: boolean
  readonly quiet: boolean
  readonly yes: boolean
  /** Reads all of stdin as text; throws `usage` if it is not UTF-8, and `too_large` over `most` bytes, usually 32 MiB. */
  readStdin(most?: number): Promise<string>
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
  /** Shows progress on a terminal until `done` is called. */
  progress(text: ProgressText, state?: () => string): Promise<Progress>
  ask(options?: PromptOptions): Promise<Prompts>
}

/** The file of contexts, and what it says about this run. */
export interface ConfigFile {
  read(): Promise<Config>
  change(change: (config: Config) => void): Promise<Config>
  /** Returns the defaults of the selected context. */
  defaults(): Promise<Defaults>
}

export interface Session {
  readonly account: Account
  readonly ui: Ui
  readonly config: ConfigFile
  readonly env: Environment
  readonly clock: Clock
  /** Aborted by SIGINT and SIGTERM, with a problem as its reason. */
  readonly signal: AbortSignal
  /** Runs other programs and this one. */
  host(): Promise<Host>
}
