/**
 * Opens what the fixtures of `skyctl.ts` give each test, for stages that need several: a sandbox, and a home of its
 * own.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxOptions } from '../../src/sandbox/sandbox'
import { manualClock } from './clock'
import { runSkyctl, testClock } from './run'
import { environmentOf, openTestSandbox } from './sandbox'
import type { Fixtures } from './skyctl'
import { endWatchers } from './watchers'

export interface TestEnvironment extends Fixtures {
  close(): Promise<void>
}

export async function openEnvironment(options: SandboxOptions = {}): Promise<TestEnvironment> {
  const home = mkdtempSync(join(tmpdir(), 'skyctl-place-'))
  const clock = testClock(manualClock())
  const sandbox = await openTestSandbox({ clock, ...options })
  const env = environmentOf(sandbox, home)
  return {
    ...{ home, clock, sandbox, world: sandbox.world, env },
    skyctl: (line, more = {}) => runSkyctl(line, { clock, ...more, env: { ...env, ...more.env } }),
    async close() {
      if (existsSync(join(home, 'state', 'watches'))) endWatchers(home)
      await sandbox.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
