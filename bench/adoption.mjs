/**
 * 10,000 creations whose answer may be lost, cut, about another object or from a gateway, with other administrators and
 * wrong clocks: none adopts an object of somebody else.
 * `node bench/adoption.mjs [seed] [count]` prints what went wrong, and the same seed repeats it.
 */
import { loadSources } from './sources.mjs'

/** Number of creations per sandbox: every volume of a sandbox makes the next lookup slower. */
const perSandbox = 250

const [seed = '1', count = '10000'] = process.argv.slice(2)
const { playAdoptions } = await loadSources('test/support/random-lost-creations.ts')
const begin = performance.now()
const total = { answered: 0, adopted: 0, unknown: 0, foreign: 0 }
for (let done = 0; done < Number(count); done += perSandbox) {
  const met = await playAdoptions({ runs: Math.min(perSandbox, Number(count) - done), seed: Number(seed) + done })
  for (const end of Object.keys(total)) total[end] += met[end]
}
console.log(`seed ${seed}, ${count} creations in ${((performance.now() - begin) / 1000).toFixed(0)} s`, total)
