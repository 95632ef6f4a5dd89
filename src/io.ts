/** What one run is given from outside: main takes it from the process, tests make it up. */

import type { OutputStream } from './output/sink'
import type { Clock } from './rules/clock'
import type { Environment } from './rules/environment'

export interface Io {
  argv: readonly string[]
  env: Environment
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  platform: NodeJS.Platform
  homedir(): string
  clock: Clock
  /** 0 up to 1, for jitter. */
  random(): number
  /** Calls back on SIGINT or SIGTERM; returns how to stop listening. */
  onSignal(heard: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** The same for any, and each time. */
  catchSignals(signals: readonly NodeJS.Signals[], heard: (signal: NodeJS.Signals) => void): () => void
  /** The words that start this program once more: an executable, or Node and a script. */
  program: readonly string[]
  /** Loads what is otherwise loaded when it is first needed: an update may have replaced the files by then. */
  loadAll(): void
}
