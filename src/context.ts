/** What a command may use. Whatever costs time to load or to build is built when it is first asked for. */

import type { Credential } from './config/credential'
import type { Paths } from './config/paths'
import type { Config, StoredContext } from './config/store'
import type { Client } from './http/client'
import type { Format } from './output/print'
import type { Sink } from './output/sink'
import type { Ask } from './prompt/ask'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Rejects with the signal's reason where it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface Context {
  readonly env: Environment
  readonly clock: Clock
  readonly random: () => number
  /** Aborted with a problem as its reason on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  readonly stdout: Sink
  readonly stderr: Sink
  /** Whether a person can be asked: stdin and stderr are a terminal. */
  readonly interactive: boolean
  readonly format: Format
  readonly color: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly yes: boolean
  /** Everything that stands in stdin, as text; throws a problem where it is no UTF-8 or over 32 MiB. */
  readStdin(): Promise<string>
  /** What was done, for a person: silent with --quiet. */
  say(text: string): Promise<void>
  /** What a person should know even with --quiet. */
  warn(text: string): Promise<void>
  /** Shows that something takes long, on a terminal only; returns how to take it away. */
  progress(text: string): Promise<{ update(text: string): void; done(): void }>
  paths(): Paths
  config(): Promise<Config>
  credential(): Promise<Credential>
  /** The stored defaults of the context in use. */
  defaults(): Promise<NonNullable<StoredContext['defaults']>>
  client(options?: { open?: boolean; concurrency?: number }): Promise<Client>
  ask(): Promise<Ask>
}
