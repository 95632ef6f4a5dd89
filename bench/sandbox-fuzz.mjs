/**
 * 50,000 random requests to the sandbox, 16 at once: most of them valid, some slightly wrong, and some malformed. The
 * sandbox is closed and opened with its file several times. `node bench/sandbox-fuzz.mjs [seed] [count]` prints faults
 * with their requests. At least half of the requests must succeed, or it would mostly test refusals.
 */
import { loadSources } from './sources.mjs'

const [seed = '1', count = '50000'] = process.argv.slice(2)
const { fuzz } = await loadSources('test/support/fuzz.ts')
const begin = performance.now()
const { statuses, succeeded, atOnce, faults } = await fuzz(Number(seed), Number(count))
const share = ((100 * succeeded) / Number(count)).toFixed(0)
console.log(
  `seed ${seed}, ${count} requests in ${((performance.now() - begin) / 1000).toFixed(0)} s, ${atOnce} at once,`,
)
console.log(`${share} % succeeded`, statuses)
for (const fault of faults) console.error(fault)
if (faults.length > 0 || succeeded < Number(count) / 2) process.exitCode = 1
