/**
 * What `npm test` costs: seconds of CPU time of each file and of the processes that it starts, the most first.
 * `node bench/suite.mjs` runs all of it; `node bench/suite.mjs test/process` a part.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startVitest } from 'vitest/node'

const shown = 40
const folder = mkdtempSync(join(tmpdir(), 'skyctl-costs-'))
process.env.COSTS = join(folder, 'costs.ndjson')
const vitest = await startVitest('test', process.argv.slice(2), { run: true, setupFiles: ['test/support/costs.ts'] })
await vitest.close()
const rows = readFileSync(process.env.COSTS, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .sort((one, other) => other.own + other.started - one.own - one.started)
rmSync(folder, { recursive: true })

const sum = (name) => rows.reduce((all, row) => all + row[name], 0)
const line = (file, ...seconds) =>
  console.log([...seconds.map((value) => value.toFixed(1).padStart(8)), file].join('  '))
console.log('     own   started  wall time, in seconds')
for (const { file, own, started, wall } of rows.slice(0, shown)) line(file, own, started, wall)
line(`${rows.length} files`, sum('own'), sum('started'), sum('wall'))
line('vitest itself and the build', process.cpuUsage().user / 1e6, process.cpuUsage().system / 1e6)
