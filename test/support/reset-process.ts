/**
 * Resets the process after each file, since files share it.
 *
 * V8's heap grows as usual: a run that reads a MiB would keep it small, as a short process should, for all later tests.
 * Inquirer's questions keep their state in an `AsyncLocalStorage`, which is disabled again: on Node 20 and 22, each
 * promise of all later files would call its hooks, a quarter of the CPU time of files that send requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import v8 from 'node:v8'
import { afterAll } from 'vitest'
import { smallHeap } from '../../src/data/memory-limits'

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

// Before optimizing a function, V8 waits 15 times as long as usual. Most functions run too seldom to make up for it.
v8.setFlagsFromString('--interrupt-budget=1000000')
const setFlags = v8.setFlagsFromString
v8.setFlagsFromString = (flag) => {
  if (!smallHeap.includes(flag)) setFlags(flag)
}
syncBuiltinESMExports()

afterAll(async () => {
  v8.setFlagsFromString = setFlags
  AsyncLocalStorage.prototype.run = run
  if (open.size > 0) await Promise.race([Promise.allSettled(open), setTimeout(patience, undefined, { ref: false })])
  // A question cannot end without its state. It then stays on until the end of the next file with a question.
  if (open.size > 0) return
  for (const storage of used) storage.disable()
})
