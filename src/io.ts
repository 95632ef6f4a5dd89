/** What one run is given from outside: main takes it from the process, tests make it up. */

import type { OutputStream } from './output/sink'
import type { Environment } from './rules/environment'
import type { Clock } from './session'

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
}
