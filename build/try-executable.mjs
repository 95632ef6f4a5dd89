/**
 * Builds an executable for this system, and runs the tests that start skyctl as a process with it, and the demo: `npm
 * run test:executable`; `-- --node` for one of Node.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Tests that start it over pipes, in shells and in terminals. Many of them also run the sources. */
const suites = ['process', 'terminal', 'flows', 'faults.test.ts', 'memory.test.ts', 'executable.test.ts'].map(
  (suite) => `test/${suite}`,
)

const folder = await mkdtemp(join(tmpdir(), 'skyctl-try-'))
try {
  await run([join(root, 'build/executable.mjs'), ...process.argv.slice(2), '--out', folder])
  const [target] = await readdir(folder)
  const executable = join(folder, target, 'skyctl')
  await run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...suites], { EXECUTABLE: executable })
  await run([join(root, 'build/demo.mjs'), executable])
  console.log('NOT TRIED: test/code-cache.test.ts, test/startup.test.ts: an executable has no code cache and no files')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function run(words, more = {}) {
  const child = spawn(process.execPath, words, { cwd: root, env: { ...process.env, ...more }, stdio: 'inherit' })
  const [exit] = await once(child, 'close')
  if (exit !== 0) throw new Error(`failed: ${words.join(' ')}`)
}
