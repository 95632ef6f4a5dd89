/**
 * Fails where a start has become slower than its goal by more than a machine's moods explain, so that the day is found
 * when something heavy is imported. test/startup.test.ts says what.
 */
import build from '../build/build.mjs'
import { ask } from './ask.mjs'
import { questions } from './questions.mjs'

const tolerance = 1.15

await build()
for (const question of questions.filter(({ gate }) => gate)) {
  for (const { name, goals } of await ask(question, { rounds: 15 })) {
    for (const { text, value, most, reached } of goals) {
      const kept = value <= (reached ?? most) * tolerance
      const known = reached ? `, reached ${reached}` : ''
      console.log(`${kept ? 'ok  ' : 'slow'} ${name}: ${value.toFixed(2)}, goal ${text}${known}`)
      if (!kept) process.exitCode = 1
    }
  }
}
