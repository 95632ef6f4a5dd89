/**
 * 10,000 creations whose answer may be lost, cut, about something else or a gateway's, with rivals and wrong clocks: none
 * adopts another's object.
 * `node bench/adoption.mjs [seed] [count]`; what went wrong is printed, and the same seed repeats it.
 */
import { loadSources } from './sources.mjs'

/** A sandbox for each so many, since every volume that it holds makes the next look slower. */
const atOnce = 250

const [seed = '1', count = '10000'] = process.argv.slice(2)
const { playAdoptions } = await loadSources('test/support/adoption.ts')
const begin = performance.now()
const total = { answered: 0, adopted: 0, unknown: 0, foreign: 0 }
for (let done = 0; done < Number(count); done += atOnce) {
  const met = await playAdoptions({ runs: Math.min(atOnce, Number(count) - done), seed: Number(seed) + done })
  for (const end of Object.keys(total)) total[end] += met[end]
}
console.log(`seed ${seed}, ${count} creations in ${((performance.now() - begin) / 1000).toFixed(0)} s`, total)
