/**
 * Fails where a start has become slower than its goal by more than a machine's moods explain, so that the day is found
 * when something heavy is imported. test/startup.test.ts says what.
 */
import { ask } from './ask.mjs'
import { questions } from './questions.mjs'

// Noise only adds time; so both the medians and the minimums have to be over it. 1.15 is wanted, once a list without the
// code cache and the help of a group have reached their goals (docs/performance.md).
const tolerance = 1.3

for (const question of questions.filter(({ gate }) => gate)) {
  for (const { name, ratio, ratioOfMins, goal } of await ask(question, 15)) {
    if (goal === undefined) continue
    const kept = Math.min(ratio, ratioOfMins) <= goal * tolerance
    console.log(
      `${kept ? 'ok  ' : 'slow'} ${name}: ${ratio.toFixed(2)}, minimums ${ratioOfMins.toFixed(2)}, goal ${goal}`,
    )
    if (!kept) process.exitCode = 1
  }
}
