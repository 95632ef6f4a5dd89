import { defineConfig, type Plugin } from 'vitest/config'
import type { Reporter } from 'vitest/node'

/** Ends the output with a line for machines: `12 passed, 0 failed`. A file that could not be run counts as failed. */
const count: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.flatMap((module) => module.errors()).length + unhandled.length
    const passed = states.filter((state) => state === 'passed').length
    const failed = states.filter((state) => state === 'failed').length + broken
    console.log(`${passed} passed, ${failed} failed`)
  },
}

/** Imports the scripts of shells as their text, as esbuild does `with { type: 'text' }`. */
const scripts: Plugin = {
  name: 'scripts',
  transform: (text, path) =>
    /\.(bash|zsh|fish|ps1)$/.test(path) ? `export default ${JSON.stringify(text)}` : undefined,
}

export default defineConfig({
  plugins: [scripts],
  test: {
    include: ['test/**/*.test.ts'],
    // What starts skyctl as a process starts the built one.
    globalSetup: 'build/build.mjs',
    // Processes, since tests change their umask; two, since a third only makes deadlines late on two cores.
    pool: 'forks',
    maxWorkers: 2,
    // A busy machine may take seconds to start a process; what hangs is still found.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', count],
  },
})
