/**
 * Every command against answers of which every field in turn is what no client should meet, each in every format
 * (test/support/answers.ts). `node bench/answers.mjs`; `--only 'volumes'` for commands whose words begin so, `--stride 7`
 * for every seventh run, `--workers 1` to leave the other core alone, `--broken` for whole
 * answers that are cut, empty or of somebody else (test/support/broken-answers.ts), and no fields. A line is printed for each command that is done.
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
    workers: { type: 'string', default: '2' },
    broken: { type: 'boolean', default: false },
  },
})

const { asking, attack } = await loadSources('test/support/answers.ts')
if (process.send) await work()
else await share()

/** Takes commands from the parent until it has no more. */
async function work() {
  const only = (_answer, { kind }) => !values.broken || kind !== undefined
  const part = { stride: Number(values.stride), phase: 0, only }
  process.on('message', async (path) => {
    const line = asking.find((one) => one.path === path)
    process.send({ path, figures: await attack(line, part) })
  })
  process.send('ready')
}

async function share() {
  const begin = performance.now()
  const total = { answers: 0, runs: 0, refused: 0, defects: 0 }
  const left = asking.map(({ path }) => path).filter((path) => path.startsWith(values.only))
  const commands = left.length
  const workers = Array.from({ length: Number(values.workers) }, () => {
    const worker = fork(import.meta.filename, process.argv.slice(2))
    worker.on('message', (told) => {
      if (told.figures) add(told, total)
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
    `${commands} commands, ${answers} answers, ${runs} runs, of which ${refused} were refused with a sentence: ` +
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
