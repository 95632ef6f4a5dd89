/** A process that keeps vitest open in a copy, and runs one test file after the other there. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createVitest } from 'vitest/node'

const [, , copy] = process.argv
const own = join(copy, '.mutation')
process.chdir(copy)
const vitest = await createVitest('test', { root: copy, config: join(own, 'vitest.config.mjs'), watch: false })
for (const { config } of [vitest, ...vitest.projects]) config.snapshotOptions.updateSnapshot = 'none'

/** @returns the results of the runner, and the active mutant if the process ended early */
async function run({ file, ...job }) {
  writeFileSync(join(own, 'job.json'), JSON.stringify(job))
  for (const name of ['results.ndjson', 'reached', 'progress', 'state']) rmSync(join(own, name), { force: true })
  // The state must be there before modules are loaded, which read it.
  writeFileSync(join(own, 'state'), JSON.stringify(job.kind === 'fresh' ? { active: job.active } : {}))
  const watching = setInterval(watch, 1_000)
  const specifications = await vitest.globTestSpecifications([join(copy, file)])
  await vitest.runTestSpecifications(specifications.filter(({ moduleId }) => moduleId === join(copy, file)))
  clearInterval(watching)
  vitest.state.getUnhandledErrors()
  vitest.state.errorsSet.clear()
  const results = read('results.ndjson')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const over = results.some(({ over }) => over)
  return { results, ...(!over && { died: JSON.parse(read('progress') || '{}').active ?? 'without' }) }
}

/** Kills a runner that no longer responds, such as in an endless loop. */
function watch() {
  try {
    const { pid, limit } = JSON.parse(read('progress'))
    if (Date.now() - statSync(join(own, 'progress')).mtimeMs > limit + 5_000) process.kill(pid, 'SIGKILL')
  } catch {
    // The file does not exist yet, or is just being written.
  }
}

function read(name) {
  try {
    return readFileSync(join(own, name), 'utf8')
  } catch {
    return ''
  }
}

process.on('message', async (job) => process.send(await run(job)))
process.on('disconnect', () => process.exit())
process.send({ ready: true })
