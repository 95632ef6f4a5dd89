/** What tests of the command line start from: a fresh sandbox on a socket, a home, and a way to run a line there. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import type { Clock } from '../../src/session'
import { type Between, between } from './between'
import { type ManualClock, manualClock } from './clock'
import { type Lossy, lossyProxy } from './lossy'
import { type Options, type Result, runSkyctl, testClock } from './run'
import { environmentOf, openTestSandbox, type TestSandbox, type World } from './sandbox'
import { endWatchers } from './watchers'

export * from './run'

export interface Fixtures {
  clock: Clock & ManualClock
  /** A fresh sandbox, listening. */
  sandbox: TestSandbox
  world: World
  /** Folders of its own, below one that is removed afterwards. */
  home: string
  /** The environment that signs in to the sandbox as its owner. */
  env: Record<string, string>
  skyctl(line: string | readonly string[], options?: Options): Promise<Result>
}

/** What may stand between what is run and the sandbox; a test that names one has it there. */
export interface Disturbances {
  /** Loses what it is told to. */
  lossy: Lossy
  /** Lets a test act, from now on. */
  meanwhile(acts: Between): ReturnType<typeof between>
}

export const test = base.extend<Fixtures & Disturbances>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  clock: async ({}, use) => use(testClock(manualClock())),
  sandbox: async ({ clock }, use) => {
    const sandbox = await openTestSandbox({ clock })
    await use(sandbox)
    await sandbox.close()
  },
  world: async ({ sandbox }, use) => use(sandbox.world),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  home: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'skyctl-test-'))
    await use(folder)
    if (existsSync(join(folder, 'state', 'watches'))) endWatchers(folder)
    // What was killed a moment ago may still write there.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  env: async ({ sandbox, home }, use) => use(environmentOf(sandbox, home)),
  skyctl: async ({ clock, env }, use) =>
    use((line, options = {}) => runSkyctl(line, { clock, ...options, env: { ...env, ...options.env } })),
  lossy: async ({ sandbox, env }, use) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    env.SKYCTL_BASE_URL = proxy.baseUrl
    await use(proxy)
    await proxy.close()
  },
  meanwhile: async ({ sandbox, env }, use) => {
    const opened: Awaited<ReturnType<typeof between>>[] = []
    await use(async (acts) => {
      const proxy = await between(sandbox.baseUrl, acts)
      opened.push(proxy)
      env.SKYCTL_BASE_URL = proxy.baseUrl
      return proxy
    })
    await Promise.all(opened.map((proxy) => proxy.close()))
  },
})
