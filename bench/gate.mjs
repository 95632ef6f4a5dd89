/**
 * Fails if a start has become slower than its goal, beyond the variation of a machine, or takes more instructions than
 * recorded. So an import of something heavy is noticed at once; test/startup.test.ts finds out which. `node
 * bench/gate.mjs --instructions` only counts instructions.
 */
import build from '../build/build.mjs'
import { ask, openPlace } from './ask.mjs'
import { counterHere, instructionsOf } from './instructions.mjs'
import { questions, variantsOf } from './questions.mjs'

/** Tolerated factor over a goal or a recorded value: times depend on the machine, counts only on its versions. */
const tolerance = { time: 1.15, instructions: 1.03 }
const gated = questions.filter(({ gate }) => gate)

await build()
if (!process.argv.includes('--instructions')) for (const question of gated) await checkTimes(question)
const major = process.versions.node.split('.')[0]
const counter = counterHere()
if (major !== '20') console.log(`instructions: not counted, as the ratios are those of Node 20, and this is ${major}`)
else if (!counter) console.log('instructions: not counted, as neither perf nor valgrind can count them here')
else for (const question of gated) await checkInstructions(question)

async function checkTimes(question) {
  for (const { name, goals } of await ask(question, { rounds: 15 })) {
    for (const { text, value, most, reached } of goals) {
      const reachedNote = reached ? `, reached ${reached}` : ''
      print(value <= (reached ?? most) * tolerance.time, `${name}: ${value.toFixed(2)}, goal ${text}${reachedNote}`)
    }
  }
}

/** Compares the instructions of each line that has a recorded ratio with those of bare node. */
async function checkInstructions(question) {
  if (question.ours.every(({ holds }) => !holds?.instructions)) return
  const place = await openPlace(question)
  try {
    const [base, ...variants] = variantsOf({ ...question, peers: [] }, { ...place, node: process.execPath })
    const counted = variants.filter(({ holds }) => holds?.instructions)
    const unit = instructionsOf(base, counter)
    for (const { name, holds, ...variant } of counted) {
      const ratio = instructionsOf(variant, counter) / unit
      const text = `${name}: ${ratio.toFixed(3)} times the instructions of node, recorded ${holds.instructions}`
      print(ratio <= holds.instructions * tolerance.instructions, `${text} (${counter.name})`)
    }
  } finally {
    place.close()
  }
}

function print(isMet, text) {
  console.log(`${isMet ? 'ok  ' : 'slow'} ${text}`)
  if (!isMet) process.exitCode = 1
}
