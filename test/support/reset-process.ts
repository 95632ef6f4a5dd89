/**
 * Resets the process after each test, since files share it.
 *
 * V8's heap grows as usual in each test: a run that reads a MiB keeps the heap small, as a short process should.
 * Inquirer's questions keep their state in an `AsyncLocalStorage`, which is disabled again: on Node 20 and 22, each
 * promise of all later files would call its hooks, a quarter of the CPU time of files that send requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeEach } from 'vitest'
import { usualHeap } from '../../src/data/memory-limits'

const used = new Set<AsyncLocalStorage<unknown>>()
/** Questions without an answer. A test may end before them. */
const open = new Set<unknown>()
/** Time that an open question may take to end, in milliseconds. */
const patience = 5000
const run = AsyncLocalStorage.prototype.run
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...call: Parameters<typeof run>) {
  used.add(this)
  const result = run.apply(this, call)
  if (!(result instanceof Promise)) return result
  open.add(result)
  const forget = () => void open.delete(result)
  result.then(forget, forget)
  return result
}

beforeEach(() => {
  for (const flag of usualHeap) setFlagsFromString(flag)
})

afterAll(async () => {
  AsyncLocalStorage.prototype.run = run
  if (open.size > 0) await Promise.race([Promise.allSettled(open), setTimeout(patience, undefined, { ref: false })])
  // A question cannot end without its state. It then stays on until the end of the next file with a question.
  if (open.size > 0) return
  for (const storage of used) storage.disable()
})
