/**
 * Every change × every way to lose its output, by the built program (test/support/closed-streams.ts). `npm run build &&
 * node bench/closed-streams.mjs`; `--stride 7` for every seventh, `--only 'tokens'` for a part.
 */
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadSources } from './sources.mjs'

const { values } = parseArgs({
  options: { stride: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
})
const { cases, play } = await loadSources('test/support/closed-streams.ts')
const program = [process.execPath, join(import.meta.dirname, '../bin/skyctl.js')]
const chosen = cases
  .filter(({ line }) => line.line.startsWith(values.only))
  .filter((_, index) => index % Number(values.stride) === 0)
const begin = performance.now()
const faults = []
const left = [...chosen]
// Two at a time: one runs while the other waits.
await Promise.all(
  [1, 2].map(async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const newFaults = await play(one, program)
      faults.push(...newFaults)
      for (const fault of newFaults) console.error(fault)
    }
  }),
)
const seconds = ((performance.now() - begin) / 1000).toFixed(0)
console.log(`${chosen.length} runs of ${cases.length}, ${faults.length} faults, ${seconds} s`)
if (faults.length > 0) process.exitCode = 1
