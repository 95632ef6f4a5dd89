/**
 * Every command that sends requests × every fault of reliability.md, as processes: all of test/faults.test.ts, which
 * takes some minutes. `node bench/faults.mjs`, and `-t 'volumes resize'` for a part.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { t: { type: 'string' } } })
process.env.FAULTS = 'all'
await startVitest('test', ['test/faults.test.ts'], {
  run: true,
  retry: 0,
  ...(values.t && { testNamePattern: values.t }),
})
