/**
 * Every command that sends requests × every fault of reliability.md, as processes: all of test/faults.test.ts, which
 * takes some minutes. `node bench/faults.mjs`; `-t 'volumes resize'` for a part, and `--one-in 10` for a process in one
 * case of ten: the others run in the process of the tests, which takes a tenth of their time.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { t: { type: 'string' }, 'one-in': { type: 'string', default: '1' } } })
Object.assign(process.env, { FAULTS: 'all', FAULTS_ONE_IN: values['one-in'] })
await startVitest('test', ['test/faults.test.ts'], {
  run: true,
  retry: 0,
  ...(values.t && { testNamePattern: values.t }),
})
