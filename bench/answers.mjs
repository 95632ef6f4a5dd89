/**
 * Every command against answers of which every field in turn is what no client should meet, in every format:
 * test/answers.test.ts whole, some minutes long. `node bench/answers.mjs`; `-t 'volumes view'` for a part, and
 * `--share 1/2` for every second command, where several run beside each other.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { t: { type: 'string' }, share: { type: 'string' } } })
process.env.ANSWERS = 'all'
if (values.share) process.env.SHARE = values.share
await startVitest('test', ['test/answers.test.ts'], { run: true, ...(values.t && { testNamePattern: values.t }) })
