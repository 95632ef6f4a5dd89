/**
 * Fixtures for tests of the command line: a fresh sandbox on a socket, a home, and a function that runs a line there.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import type { Clock } from '../../src/engine/session'
import { type ManualClock, manualClock } from './clock'
import { type Lossy, lossyProxy } from './lossy-proxy'
import { openProxy, type ProxyHooks } from './proxy'
import { type Options, type Result, runSkyctl, testClock } from './run'
import { environmentOf, openTestSandbox, type TestSandbox, type World } from './sandbox'
import { endWatchers } from './watchers'

export * from './run'

export interface Fixtures {
  clock: Clock & ManualClock
  /** A fresh sandbox that listens. */
  sandbox: TestSandbox
  world: World
  /** A folder that is removed afterwards. */
  home: string
  /** Environment that signs in to the sandbox as its owner. */
  env: Record<string, string>
  skyctl(line: string | readonly string[], options?: Options): Promise<Result>
}

/** Proxies before the sandbox. A test that uses such a fixture has the proxy in its environment. */
export interface Disturbances {
  /** Loses the requests and answers that a test selects. */
  lossy: Lossy
  /** Lets a test act between requests, from now on. */
  meanwhile(acts: ProxyHooks): ReturnType<typeof openProxy>
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
    // A process that was just killed may still write there.
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
    const proxies: Awaited<ReturnType<typeof openProxy>>[] = []
    await use(async (acts) => {
      const proxy = await openProxy(sandbox.baseUrl, acts)
      proxies.push(proxy)
      env.SKYCTL_BASE_URL = proxy.baseUrl
      return proxy
    })
    await Promise.all(proxies.map((proxy) => proxy.close()))
  },
})
