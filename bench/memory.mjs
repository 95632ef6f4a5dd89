/**
 * The built program and what is small on the way and large when it is read: test/memory.test.ts whole, with the memory
 * that each takes. `node bench/memory.mjs`, and `-t 'nineteen'` for a part.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { t: { type: 'string' } } })
process.env.MEMORY = 'all'
await startVitest('test', ['test/memory.test.ts'], { run: true, ...(values.t && { testNamePattern: values.t }) })
