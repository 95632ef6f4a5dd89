/** Environment of one run: main takes it from the process, tests create it. */

import type { OutputStream } from '../output/sink'
import type { Environment } from '../rules/environment'
import type { Clock } from '../rules/times'

export interface Io {
  argv: readonly string[]
  env: Environment
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  platform: NodeJS.Platform
  homedir(): string
  clock: Clock
  /** Returns a number from 0 up to 1, for jitter. */
  random(): number
  /** Calls back on SIGINT or SIGTERM; returns a function that stops listening. */
  onSignal(handler: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** Calls back on any of these signals, each time; returns a function that stops listening. */
  catchSignals(signals: readonly NodeJS.Signals[], handler: (signal: NodeJS.Signals) => void): () => void
  /** Arguments that start this program again: an executable, or Node and a script. */
  program: readonly string[]
  /** Loads modules that would otherwise be loaded on first use: an update may have replaced the files by then. */
  loadAll(): void
  /**
   * Ends the process if nothing is left to do but to close idle connections. The system closes them too: a list takes 7 %
   * less of the CPU time that it adds to bare node.
   */
  end?(exitCode: number): Promise<void>
}
