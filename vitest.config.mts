import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vitest/config'
import type { Reporter, TestCase } from 'vitest/node'

/**
 * Ends the output with the skipped tests and the reasons, the tests that failed at first, and a line for machines:
 * `12 passed, 0 failed`. A file that failed to load counts as failed.
 */
const count: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const results = modules.flatMap((module) => [...module.children.allTests()].map(resultOf))
    const broken = modules.flatMap((module) => module.errors()).length + unhandled.length
    const resultsWith = (state: string) => results.filter((result) => result.state === state)
    for (const line of skippedNotes(resultsWith('skipped'))) console.log(line)
    for (const { file, title, retries } of resultsWith('passed'))
      if (retries > 0) console.log(`TRIED TWICE: ${file}: ${title}`)
    console.log(`${resultsWith('passed').length} passed, ${resultsWith('failed').length + broken} failed`)
  },
}

interface Result {
  state: string
  file: string
  title: string
  /** 1 for a test that failed at first. */
  retries: number
  /** Reason why the test was skipped, if it has one. */
  note: string | undefined
}

function resultOf(test: TestCase): Result {
  const result = test.result()
  return {
    state: result.state,
    file: test.module.relativeModuleId,
    title: test.fullName,
    retries: test.diagnostic()?.retryCount ?? 0,
    note: 'note' in result ? result.note : undefined,
  }
}

/** Lists the skipped tests: whoever relies on a test must see that it did not run. */
function skippedNotes(skipped: readonly Result[]): string[] {
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

/** Transforms modules again after files were added, moved or removed: a cached module has the old paths of its imports. */
const movedFiles: Plugin = {
  name: 'moved-files',
  configureVitest: ({ experimental_defineCacheKeyGenerator: addToCacheKeys }) => {
    const files = ['src', 'test'].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' })).sort()
    const list = createHash('sha256').update(files.join('\n')).digest('hex')
    addToCacheKeys(() => list)
  },
}

/** Imports shell scripts as text, as esbuild does `with { type: 'text' }`. */
const scripts: Plugin = {
  name: 'scripts',
  transform: (text, path) =>
    /\.(bash|zsh|fish|ps1)$/.test(path) ? `export default ${JSON.stringify(text)}` : undefined,
}

// No test may depend on time zone or language: by default both are unusual. They are set here, since a process takes
// its locale when it starts.
process.env.TZ ??= 'America/St_Johns'
process.env.LC_ALL ??= 'tr_TR.UTF-8'
// Node 20 reads these certificates at every start: 40 ms per process, and no test uses a service that needs them.
delete process.env.NODE_EXTRA_CA_CERTS

/**
 * Returns a folder in memory for the homes of tests, if there is one that can run programs. Writing a small file there
 * takes an eighth of the CPU time, and `fsync` waits for no disk.
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
  plugins: [movedFiles, scripts],
  test: {
    include: ['test/**/*.test.ts'],
    // Tests that start skyctl as a process start the built program.
    globalSetup: ['build/build.mjs', 'test/support/code-cache.ts', 'test/support/end-watchers.ts'],
    setupFiles: ['test/support/reset-process.ts'],
    // Processes, since tests change their umask. Three for two cores, since a file waits for a third of its time.
    pool: 'forks',
    maxWorkers: 3,
    // skyctl's modules are loaded once for each of the three, not for each of 400 files: that was a third of the total
    // time.
    isolate: false,
    // Transforming them took a third of the time of a run of one file.
    experimental: { fsModuleCache: true },
    // A busy machine may take seconds to start a process. A process that hangs is still found.
    // The other tests of this file, and two other files, run at the same time: what failed for want of time is tried once
    // more, and named at the end. A campaign is not: its second try would have other inputs, or other moments.
    retry: process.env.RUNS === undefined ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', count],
  },
})
