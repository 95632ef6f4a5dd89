/**
 * Runs the tests of a file against mutants, in a copy. Reads `job.json`, and appends results to `results.ndjson` line
 * by line, since a mutant may end the process. Kinds of jobs:
 *
 * - `cover`: records the mutants that each test reaches, here and in processes that it starts.
 * - `judge`: runs each test of `plan` once without a mutant, and once with each of its mutants. After a failure, the
 *   test must succeed again without the mutant: otherwise the mutant had a lasting effect, and later results prove
 *   nothing.
 * - `fresh`: runs the whole file with one mutant that is active from the start, until a test fails.
 */

import { setMaxListeners } from 'node:events'
import { appendFileSync, chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { TestRunner } from 'vitest'

const here = import.meta.dirname
const mutants = createRequire(import.meta.url)('./switch.cjs')
const job = JSON.parse(readFileSync(join(here, 'job.json'), 'utf8'))
/** Mutants killed in this process. */
const killed = new Set()
const childrenReached = join(here, 'reached')

const report = (result) => appendFileSync(join(here, 'results.ndjson'), `${JSON.stringify(result)}\n`)

// Each run of a test adds a listener to its signal.
setMaxListeners(0)

/** Activates a mutant here, and in every process that is started from now on. */
function activate(id, limit) {
  mutants.active = id
  mutants.hits = 0
  mutants.seen = job.kind === 'cover' ? new Set() : undefined
  if (job.kind === 'cover') {
    // A new file each time: a process that was started earlier still writes to its own.
    for (const file of reachedFiles()) rmSync(file)
    writeFileSync(childrenReached, '')
    // Programs of other users write to it as well.
    chmodSync(childrenReached, 0o666)
  }
  writeFileSync(
    join(here, 'state'),
    JSON.stringify({ active: id, ...(job.kind === 'cover' && { reached: childrenReached }) }),
  )
  writeFileSync(join(here, 'progress'), JSON.stringify({ pid: process.pid, active: id, limit }))
}

export default class MutationRunner extends TestRunner {
  onCollected(files) {
    for (const file of files) inTurn(file)
    if (job.kind === 'cover') report({ load: [...mutants.seen].join() })
  }

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    if (this.ended || !isSelected(test.id)) test.mode = 'skip'
    this.turns = job.kind === 'judge' ? turnsOf(job.plan[test.id] ?? []) : [{}]
    // One more run each to verify the test after a failure, and a last one.
    test.repeats = 2 * this.turns.length + 1
    this.turn = undefined
  }

  onBeforeTryTask(test) {
    super.onBeforeTryTask(test)
    if (this.turn) this.settle(test)
    test.result.state = 'run'
    test.result.errors = undefined
    this.turn = this.ended ? undefined : this.turns.shift()
    if (job.kind !== 'fresh') activate(this.turn?.mutant, this.limit(test))
    this.began = performance.now()
  }

  async runTask(test) {
    if (this.turn === undefined) test.context.skip()
    const timeout = AbortSignal.timeout(this.limit(test))
    const late = new Promise((_, reject) => {
      timeout.onabort = () => reject(new Error('takes too long'))
    })
    await Promise.race([TestRunner.getTestFn(test)(), late])
  }

  limit(test) {
    const mutated = job.kind === 'fresh' || this.turn?.mutant !== undefined
    return mutated ? 8 * (job.took[test.id] ?? 0) + 5_000 : 60_000
  }

  /** Reports the result of the turn that just ended. */
  settle(test) {
    const failed = test.result.state === 'fail'
    const why = test.result.errors?.[0]?.message?.split('\n')[0]
    const { mutant, after } = this.turn
    if (job.kind === 'cover') return this.covered(test, failed && (why ?? 'fails'))
    if (job.kind === 'fresh') return failed && this.end({ killed: job.active, test: test.name, why })
    if (mutant === undefined) {
      if (failed) return this.end({ spoilt: after?.mutant ?? null, test: test.id, why })
      if (!after) return
      killed.add(after.mutant)
      report({ killed: after.mutant, test: test.name, why: after.why })
    } else if (failed) {
      this.turns.unshift({ after: { mutant, why } })
    } else {
      report({ survived: mutant, test: test.id, reached: mutants.hits > 0 })
    }
  }

  covered(test, failure) {
    report({
      test: test.id,
      name: test.name,
      ms: Math.round(performance.now() - this.began),
      ...(failure && { failure }),
      here: [...mutants.seen].join(),
      children: takeReached().filter(Boolean).join(),
    })
  }

  end(result) {
    report(result)
    this.ended = true
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test)
    if (job.kind === 'judge' && !this.ended) report({ done: test.id })
  }

  onAfterRunFiles(files) {
    super.onAfterRunFiles()
    const [broken] = files
      .filter(({ result }) => result?.state === 'fail')
      .flatMap(({ result }) => result?.errors ?? [])
    if (broken && job.kind === 'fresh' && !this.ended)
      report({ killed: job.active, why: broken.message?.split('\n')[0] })
    else if (broken && !this.ended) report({ broken: broken.message })
    report({ over: true })
  }
}

/** Excludes tests that fail without a mutant. */
const isSelected = (test) => job.kind === 'cover' || test in (job.plan ?? job.took)

/** Returns the turns of a test. The first has no mutant, so that values cached per process are created without one. */
function turnsOf(ids) {
  return [{}, ...ids.filter((id) => !killed.has(id)).map((mutant) => ({ mutant }))]
}

/** Makes tests run one after the other: a mutant is active in one test at a time. */
function inTurn(task) {
  task.concurrent = false
  for (const each of task.tasks ?? []) inTurn(each)
}

const takeReached = () => reachedFiles().flatMap((file) => readFileSync(file, 'utf8').split('\n'))

function reachedFiles() {
  return readdirSync(here)
    .filter((name) => name.startsWith('reached'))
    .map((name) => join(here, name))
}

activate(job.kind === 'fresh' ? job.active : undefined, 60_000)
