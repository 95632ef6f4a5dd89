/**
 * `tokens rotate` killed 60 times at random requests, and 12 times with two rotations at once, as processes: the random
 * part of test/process/rotations.test.ts. `node bench/rotate.mjs`, and `--kills 600 --races 120` for more.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const number = { type: 'string' }
const { values } = parseArgs({
  options: { kills: { ...number, default: '60' }, races: { ...number, default: '12' } },
})
Object.assign(process.env, { ROTATE_KILLS: values.kills, ROTATE_RACES: values.races })
await startVitest('test', ['test/process/rotations.test.ts'], { run: true, testNamePattern: 'at random' })
