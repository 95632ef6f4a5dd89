/**
 * Every command against answers in which each field, in turn, has a value that no client should receive, in every
 * format (test/support/answers.ts). `node bench/answers.mjs` prints a line for each finished command.
 *
 * - `--only 'volumes'`: commands that begin with these words
 * - `--stride 7`: every seventh run
 * - `--phase 3`: begin after three runs
 * - `--workers 1`: leave the other core alone
 * - `--broken`: whole answers that are cut, empty or from another server, instead of fields
 *   (test/support/broken-answers.ts)
 * - `--absent`: fields that are missing or null, and what each command does with them (test/support/absent-fields.ts)
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadSources } from './sources.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    stride: { type: 'string', default: '1' },
    phase: { type: 'string', default: '0' },
    workers: { type: 'string', default: '2' },
    broken: { type: 'boolean', default: false },
    absent: { type: 'boolean', default: false },
  },
})

const { requestingCommands, attack, attackAbsent, cases } = await loadSources(
  'test/support/answers.ts',
  'test/support/absent-fields.ts',
  'test/support/required-fields.ts',
)
const lines = values.absent ? cases : requestingCommands
const wordsOf = ({ path, name = '' }) => `${path} ${name}`.trim()
if (process.send) await work()
else await share()

/** Runs the commands that the parent sends, until it sends no more. */
async function work() {
  const only = (_answer, { kind }) => !values.broken || kind !== undefined
  const part = { stride: Number(values.stride), phase: Number(values.phase), only }
  process.on('message', async (path) => {
    const line = lines.find((one) => wordsOf(one) === path)
    const attacking = (values.absent ? attackAbsent : attack)(line, part)
    const failedRun = (error) => ({ answers: 0, runs: 0, refused: 0, defects: [`${path}: ${error.message}`] })
    process.send({ path, figures: await attacking.catch(failedRun) })
  })
  process.send('ready')
}

async function share() {
  const begin = performance.now()
  const total = { answers: 0, runs: 0, refused: 0, defects: 0 }
  const left = lines.map(wordsOf).filter((path) => path.startsWith(values.only))
  const commands = left.length
  const workers = Array.from({ length: Number(values.workers) }, () => {
    const worker = fork(import.meta.filename, process.argv.slice(2))
    worker.on('message', (message) => {
      if (message.figures) add(message, total)
      const next = left.shift()
      if (next === undefined) worker.kill()
      else worker.send(next)
    })
    return once(worker, 'exit')
  })
  for (const [code] of await Promise.all(workers)) if (code !== null) process.exitCode = 1
  const { answers, runs, refused, defects } = total
  const minutes = ((performance.now() - begin) / 60_000).toFixed(0)
  console.log(
    `${commands} commands, ${answers} answers, ${runs} runs, of which ${refused} failed with a message: ` +
      `${defects} defects, ${minutes} min`,
  )
}

function add({ path, figures }, total) {
  for (const name of ['answers', 'runs', 'refused']) total[name] += figures[name]
  total.defects += figures.defects.length
  console.log(`${path}: ${figures.answers} answers, ${figures.runs} runs, ${figures.defects.length} defects`)
  for (const defect of figures.defects) console.error(defect)
  if (figures.defects.length > 0) process.exitCode = 1
}
