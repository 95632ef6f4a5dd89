/**
 * Lets V8's heap grow as usual in each test: files share a process, and a run that read a MiB keeps the heap small, as a
 * short process should.
 */
import { setFlagsFromString } from 'node:v8'
import { beforeEach } from 'vitest'
import { usualHeap } from '../../src/data/memory-limits'

beforeEach(() => {
  for (const flag of usualHeap) setFlagsFromString(flag)
})
