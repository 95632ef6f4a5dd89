/**
 * Openings of firewalls and commit-confirmed changes whose first process is killed or stopped at random moments, or
 * whose watcher is killed, or both: test/process/watch-kills.test.ts. `RUNS=100 node bench/watch.mjs` repeats each so often,
 * five at once; `SEED` selects other moments. With `--away 60`, a service answers 503 for 60 s, and nothing
 * is killed at random: test/process/watch-away.test.ts.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { away } = parseArgs({ options: { away: { type: 'string' } } }).values
const { RUNS = '100', SEED = '1' } = process.env
Object.assign(process.env, away ? { WATCH_AWAY: away } : { WATCH_KILLS: RUNS, WATCH_SEED: SEED })
await startVitest('test', [`test/process/watch-${away ? 'away' : 'kills'}.test.ts`], { run: true, retry: 0 })
