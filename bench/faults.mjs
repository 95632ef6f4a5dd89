/**
 * Every command that sends requests × every fault of reliability.md, as processes: all of test/faults.test.ts, which
 * takes some minutes. `node bench/faults.mjs`; `-t 'volumes resize'` for a part, and `--one-in 10` for a process in one
 * case of ten: the others run in the process of the tests, which takes a tenth of their time. `--patience 3` triples the
 * time limits, on a busy machine.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const options = {
  t: { type: 'string' },
  'one-in': { type: 'string', default: '1' },
  patience: { type: 'string', default: '1' },
}
const { values } = parseArgs({ options })
Object.assign(process.env, { FAULTS: 'all', FAULTS_ONE_IN: values['one-in'], FAULTS_PATIENCE: values.patience })
await startVitest('test', ['test/faults.test.ts'], {
  run: true,
  retry: 0,
  ...(values.t && { testNamePattern: values.t }),
})
