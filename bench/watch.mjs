/**
 * Openings of firewalls and changes to confirm, whose first process is killed at random moments, and whose watcher is:
 * test/process/watch-kills.test.ts. `RUNS=100 node bench/watch.mjs` kills each of them so often, which takes 12 minutes;
 * `SEED` gives other moments.
 */
import process from 'node:process'
import { startVitest } from 'vitest/node'

const { RUNS = '100', SEED = '1' } = process.env
Object.assign(process.env, { WATCH_KILLS: RUNS, WATCH_SEED: SEED })
await startVitest('test', ['test/process/watch-kills.test.ts'], { run: true })
