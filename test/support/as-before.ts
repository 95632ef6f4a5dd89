/**
 * Leaves the process as it was for the next test, since files share it.
 *
 * V8's heap grows as usual in each test: a run that read a MiB keeps it small, as a short process should. And questions
 * of inquirer, which keep their state in an `AsyncLocalStorage`, do not leave it on: on Node 20 and 22, each promise of
 * all later files would call its hooks, which takes a quarter of the CPU time of files that send requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeEach } from 'vitest'
import { usualHeap } from '../../src/data/memory-limits'

const started = new Set<AsyncLocalStorage<unknown>>()
const run = AsyncLocalStorage.prototype.run
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...call: Parameters<typeof run>) {
  started.add(this)
  return run.apply(this, call)
}

beforeEach(() => {
  for (const flag of usualHeap) setFlagsFromString(flag)
})

afterAll(() => {
  for (const storage of started) storage.disable()
  started.clear()
  AsyncLocalStorage.prototype.run = run
})
