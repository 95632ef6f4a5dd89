/**
 * Fails where a start has become slower than its goal by more than a machine's moods explain, or takes more instructions
 * than it did, so that the day is found when something heavy is imported. test/startup.test.ts says what.
 * `node bench/gate.mjs --instructions` only counts.
 */
import build from '../build/build.mjs'
import { ask, openPlace } from './ask.mjs'
import { counterHere, instructionsOf } from './instructions.mjs'
import { questions, variantsOf } from './questions.mjs'

/** How much more than a goal, or than what was reached: times depend on the machine, counts only on its versions. */
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
      const known = reached ? `, reached ${reached}` : ''
      tell(value <= (reached ?? most) * tolerance.time, `${name}: ${value.toFixed(2)}, goal ${text}${known}`)
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
      tell(ratio <= holds.instructions * tolerance.instructions, `${text} (${counter.name})`)
    }
  } finally {
    place.close()
  }
}

function tell(kept, text) {
  console.log(`${kept ? 'ok  ' : 'slow'} ${text}`)
  if (!kept) process.exitCode = 1
}
