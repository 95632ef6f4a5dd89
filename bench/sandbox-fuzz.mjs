/**
 * 50,000 random requests to the sandbox: shaped by the OpenAPI document, a little off it, and wildly off it.
 * `node bench/sandbox-fuzz.mjs [seed] [count]`; a fault is printed with what led to it, and the same seed repeats it.
 */
import { loadSources } from './sources.mjs'

const [seed = '1', count = '50000'] = process.argv.slice(2)
const { fuzz } = await loadSources('test/support/fuzz.ts')
const begin = performance.now()
const { statuses, faults } = await fuzz(Number(seed), Number(count))
console.log(`seed ${seed}, ${count} requests in ${((performance.now() - begin) / 1000).toFixed(0)} s`, statuses)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
