/** What Node's file system says, told by a test: what no test can bring about else, and what happens between two calls. */
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

/** Acts with functions of node's file system that `watch` put its spies on. */
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

/** What a system call throws. */
export const failed = (code: string, reason: string) => Object.assign(new Error(`${code}: ${reason}, x`), { code })
