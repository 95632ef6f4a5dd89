/**
 * Costs of `npm test`: seconds of CPU time of each file and of the processes that it starts, the largest first. `node
 * bench/suite.mjs` runs all files; `node bench/suite.mjs test/process` a part. `--all` prints every file.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startVitest } from 'vitest/node'

const rowLimit = process.argv.includes('--all') ? Number.POSITIVE_INFINITY : 40
const filters = process.argv.slice(2).filter((word) => word !== '--all')
const folder = mkdtempSync(join(tmpdir(), 'skyctl-costs-'))
process.env.COSTS = join(folder, 'costs.ndjson')
const vitest = await startVitest('test', filters, { run: true, setupFiles: ['test/support/costs.ts'] })
await vitest.close()
const rows = readFileSync(process.env.COSTS, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .map((row) => ({ ...row, cpu: row.own + row.started, waiting: Math.max(0, row.wall - row.own - row.started) }))
  .sort((one, other) => other.cpu - one.cpu)
rmSync(folder, { recursive: true })

const columns = ['cpu', 'loading', 'own', 'started', 'waiting']
const sum = (name) => rows.reduce((all, row) => all + row[name], 0)
const line = (row, processes, file) =>
  console.log(
    [...columns.map((name) => row[name].toFixed(1).padStart(8)), String(processes).padStart(9), file].join(' '),
  )
console.log([...columns.map((name) => name.padStart(8)), 'processes'].join(' '), 'file')
for (const row of rows.slice(0, rowLimit)) line(row, row.processes, row.file)
line(Object.fromEntries(columns.map((name) => [name, sum(name)])), sum('processes'), `${rows.length} files`)
const { user, system } = process.cpuUsage()
console.log(`${((user + system) / 1e6).toFixed(1).padStart(8)} vitest itself and the build`)
