import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vitest/config'
import type { Reporter, TestCase } from 'vitest/node'

/**
 * Ends the output with what was not tried, and why, and with a line for machines: `12 passed, 0 failed`. A file that
 * could not be run counts as failed.
 */
const count: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const results = modules.flatMap((module) => [...module.children.allTests()].map(resultOf))
    const broken = modules.flatMap((module) => module.errors()).length + unhandled.length
    const counted = (state: string) => results.filter((result) => result.state === state)
    for (const line of notTried(counted('skipped'))) console.log(line)
    console.log(`${counted('passed').length} passed, ${counted('failed').length + broken} failed`)
  },
}

interface Result {
  state: string
  file: string
  /** Why it was left out, where the test said so. */
  note: string | undefined
}

function resultOf(test: TestCase): Result {
  const result = test.result()
  return { state: result.state, file: test.module.relativeModuleId, note: 'note' in result ? result.note : undefined }
}

/** Whoever counts on a test must see that it was not run. */
function notTried(skipped: readonly Result[]): string[] {
  const reasons = new Map<string, Result[]>()
  for (const one of skipped) {
    const reason = one.note ?? 'not for this system, or not chosen'
    reasons.set(reason, [...(reasons.get(reason) ?? []), one])
  }
  return [...reasons].map(([reason, tests]) => {
    const files = [...new Set(tests.map(({ file }) => file))]
    return `NOT TRIED: ${tests.length} of ${files.join(', ')}: ${reason}`
  })
}

/** Imports the scripts of shells as their text, as esbuild does `with { type: 'text' }`. */
const scripts: Plugin = {
  name: 'scripts',
  transform: (text, path) =>
    /\.(bash|zsh|fish|ps1)$/.test(path) ? `export default ${JSON.stringify(text)}` : undefined,
}

// Nothing may depend on where, and in which language, it is tried: both are awkward unless they are given. They are set
// here, since a process takes its locale when it starts.
process.env.TZ ??= 'America/St_Johns'
process.env.LC_ALL ??= 'tr_TR.UTF-8'
// Node 20 reads these certificates when it starts: 40 ms for each process, and no test asks a service that has one.
delete process.env.NODE_EXTRA_CA_CERTS

/**
 * Returns a folder in memory, if there is one that takes the homes of tests and the programs in them. A small file costs
 * an eighth of the CPU time there, and `fsync` waits for no disk.
 */
function memoryFolder(): string | undefined {
  const folder = '/dev/shm'
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]
      ?.split(',')
    if (!mount || mount.includes('noexec')) return undefined
    const { bavail, bsize } = statfsSync(folder)
    rmSync(mkdtempSync(`${folder}/skyctl-`), { recursive: true })
    return bavail * bsize > 2 ** 30 ? folder : undefined
  } catch {
    return undefined
  }
}

const memory = memoryFolder()
if (memory !== undefined) process.env.TMPDIR ??= memory

export default defineConfig({
  plugins: [scripts],
  test: {
    include: ['test/**/*.test.ts'],
    // What starts skyctl as a process starts the built one.
    globalSetup: ['build/build.mjs', 'test/support/code-cache.ts', 'test/support/no-watchers.ts'],
    setupFiles: ['test/support/as-before.ts'],
    // Processes, since tests change their umask; three for two cores, since a third of the time of a file is waiting.
    pool: 'forks',
    maxWorkers: 3,
    // The modules of skyctl are loaded once for each of the three, not for each of 400 files: that was a third of all.
    isolate: false,
    // A busy machine may take seconds to start a process; what hangs is still found.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', count],
  },
})
