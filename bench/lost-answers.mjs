/**
 * Every changing request × every way to lose it or its answer (test/support/lost-answer-cases.ts), as JSON and for
 * people, with a correct clock and one that is ten minutes off. `node bench/lost-answers.mjs`; `--only 'tokens'` for a
 * part.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadSources } from './sources.mjs'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const { cells, playCell } = await loadSources('test/support/lost-answer-cases.ts')
const begin = performance.now()
let [count, faults] = [0, 0]
for await (const cell of cells(values.only)) {
  count += 1
  for (const fault of await playCell(cell)) {
    faults += 1
    console.error(fault)
  }
}
console.log(`${count} cells, ${count * 4} runs, ${faults} faults, ${((performance.now() - begin) / 1000).toFixed(0)} s`)
if (faults > 0) process.exitCode = 1
