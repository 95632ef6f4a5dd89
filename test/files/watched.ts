/** Replaces functions of Node's file system, for errors and for changes between two calls. */
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

/** Calls `act` while the spies of `watch` replace functions of Node's file system. */
export function whileWatched<T>(watch: () => unknown, act: () => T): T {
  watch()
  syncBuiltinESMExports()
  try {
    return act()
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
}

/** Creates the error of a system call. */
export const failed = (code: string, reason: string) => Object.assign(new Error(`${code}: ${reason}, x`), { code })
