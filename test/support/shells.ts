/** Programs that tests need and a machine may lack. */
import { spawnSync } from 'node:child_process'
import type { TestContext } from 'vitest'

const installed = new Map<string, boolean>()

export function isInstalled(program: string): boolean {
  // mandoc has no --version, so a program is installed if it can be started.
  const isThere = installed.get(program) ?? spawnSync(program, ['--version']).error === undefined
  installed.set(program, isThere)
  return isThere
}

/** Skips a test whose program is not installed. The end of the run reports it (vitest.config.mts). */
export function needs(program: string, { skip }: Pick<TestContext, 'skip'>): void {
  skip(!isInstalled(program), `${program} is not installed`)
}
