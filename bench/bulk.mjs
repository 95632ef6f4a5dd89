/**
 * Creates and deletes volumes in runs that are killed (SIGKILL) at random and continued with --resume: nothing may be
 * done twice or be missing. `npm run build && node bench/bulk.mjs [seed] [targets] [kills]` prints its figures, and
 * fails if the sandbox's world is wrong. A seed always kills at the same counts of requests.
 */
import { join } from 'node:path'
import { loadSources } from './sources.mjs'

const [seed = '1', targets = '1000', kills = '100'] = process.argv.slice(2)
const { campaign } = await loadSources('test/support/crashes.ts')
const program = [process.execPath, join(import.meta.dirname, '../bin/skyctl.js')]
for (const verb of ['create', 'delete']) {
  const begin = performance.now()
  const plan = { program, verb, targets: Number(targets), kills: Number(kills), seed: Number(seed) }
  const { killed, unanswered, unknown, faults } = await campaign(plan)
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(
    `${verb}: ${targets} targets, killed ${killed} times (seed ${seed}): ${unanswered} changes whose answer` +
      ` was lost, ${unknown} unknown requests that were never done, ${faults.length} faults, ${seconds} s`,
  )
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
