/**
 * `tokens rotate` killed 60 times at random requests, as processes: the random part of test/process/rotations.test.ts.
 * `node bench/rotate.mjs`, and `--kills 600` for more.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '60' } } })
Object.assign(process.env, { ROTATE_KILLS: values.kills })
await startVitest('test', ['test/process/rotations.test.ts'], { run: true, retry: 0, testNamePattern: 'At random' })
