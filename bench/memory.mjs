/**
 * The built program with input that is small in transit and large in memory: all of test/memory.test.ts, with the
 * memory of each case. `node bench/memory.mjs`, and `-t 'nineteen'` for a part.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { t: { type: 'string' } } })
process.env.MEMORY = 'all'
await startVitest('test', ['test/memory.test.ts'], { run: true, ...(values.t && { testNamePattern: values.t }) })
