/**
 * What is small on the way and large when it is read: the built program stays below 250 MiB, ends in time, and with the
 * exit code that is right. `node bench/memory.mjs` takes those that last for seconds as well, and tells the figures.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { expect } from 'vitest'
import { bombs } from './support/bombs'
import { openFaultServer, silence } from './support/fault-server'
import { preloading, program } from './support/program'
import { type Result, test, words } from './support/skyctl'

const [start = '', ...before] = program
/** Writes the most memory that its process had, in KiB, to PEAK_FILE. */
const peak = join(import.meta.dirname, 'support/peak.cjs')
const mostMiB = 250
const everything = surroundings.MEMORY === 'all'
const chosen = Object.entries(bombs).filter(([, { large }]) => everything || !large)

function run(line: string, env: Record<string, string>, stdin: string): Promise<Result> {
  return new Promise((resolve) => {
    const options = { env, timeout: 120_000, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 } as const
    const child = execFile(start, [...before, ...words(line)], options, (error, stdout, stderr) => {
      resolve({ exit: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
    child.stdin?.on('error', () => {}).end(stdin)
  })
}

test.for(chosen)('%s stays within bounds', { timeout: 150_000 }, async ([name, bomb], { env, home }) => {
  const { line, stdin = () => '', script = () => silence, exit } = bomb
  const server = await openFaultServer(script())
  const file = join(home, 'peak')
  const own = { ...env, HOME: home, SKYCTL_BASE_URL: `http://${server.host}/v4`, PEAK_FILE: file }
  const began = Date.now()
  const result = await run(`${line} --timeout 60s`, { ...own, ...preloading(peak) }, stdin())
  server.close()
  const used = Math.round(Number(readFileSync(file, 'utf8')) / 1024)
  if (everything)
    console.log(`${name}: exit ${result.exit}, ${used} MiB, ${((Date.now() - began) / 1000).toFixed(1)} s`)
  expect(result.exit, result.stderr.slice(0, 500)).toBe(exit)
  expect(result.stderr).not.toMatch(/a defect of skyctl|\n\s+at /)
  expect(used).toBeLessThan(mostMiB)
})
