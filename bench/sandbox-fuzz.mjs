/**
 * 50,000 random requests to the sandbox, 16 at once: most as they should be, some a little off, and some wildly. It is
 * closed and opened on its file again meanwhile. `node bench/sandbox-fuzz.mjs [seed] [count]`; a fault is printed with
 * what led to it. At least half of the requests must succeed, or it would try refusals only.
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
