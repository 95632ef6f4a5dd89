/**
 * Finds a test that fails for each mutant. Tests that reach few mutants, are quick and have its name come first: they
 * are most likely about it. Tests of so many seconds are tried before a mutant counts as survived, in rounds. Each
 * round has a process per test file, for all mutants that are tried there.
 *
 * Work that is done once per process, such as loading a module, precedes the first mutant. So survivors are tried again
 * in a process in which the mutant is active from the start.
 */

/** Shares of the patience, so that mutants which are killed early are not tried in later rounds. */
const rounds = [0.04, 0.2, 1]
/** Cost of a fresh process besides its tests. */
const startMs = 2_000

/**
 * @param {{ mutants: { id: string }[], coverage: object[], patience: number, note: (text: string) => void }} what
 *   `patience` in ms of tests for each mutant
 * @returns {Promise<Map<string, { file: string, test?: string, why: string }>>} the test that killed each mutant, by
 * its id
 */
export async function judge(lanes, { mutants, coverage, patience, note }) {
  const state = { killed: new Map(), reached: new Set(), once: new Set(), tests: byId(coverage) }
  const queues = new Map(mutants.map((mutant) => [mutant.id, { tests: testsOf(mutant, state.tests), spent: 0 }]))
  for (const part of rounds) {
    const plans = planOf(queues, part * patience, state)
    note(`${queues.size - state.killed.size} mutants left, ${plans.length} files of tests`)
    await lanes.each(plans.map((plan) => (run) => tryOn(run, plan, state)))
  }
  const fresh = mutants
    .filter(({ id }) => !state.killed.has(id))
    .map((mutant) => ({ id: mutant.id, files: filesOf(mutant, { coverage, patience, once: state.once }) }))
    .filter(({ files }) => files.length > 0)
  note(`${fresh.length} mutants left, in fresh processes`)
  await lanes.each(fresh.map((each) => (run) => tryFresh(run, each, state)))
  return state.killed
}

const byId = (coverage) =>
  new Map(coverage.flatMap(({ file, tests }) => tests.map((test) => [test.id, { file, ...test }])))

/**
 * Sorts the tests of a mutant: quick ones that reach few others first, and those of one file not one after the other.
 */
function testsOf({ id, file }, tests) {
  const before = new Map()
  const closeness = closenessTo(file)
  return [...tests.values()]
    .filter((test) => test.here.has(id) || test.children.has(id))
    .map((test) => ({ ...test, weight: (test.breadth * (test.ms + 5)) / closeness(test.file) }))
    .sort((a, b) => a.weight - b.weight)
    .map((test) => {
      before.set(test.file, (before.get(test.file) ?? 0) + 1)
      return { ...test, turn: test.weight * before.get(test.file) }
    })
    .sort((a, b) => a.turn - b.turn)
}

/**
 * Returns 10 to the power of the words that the paths of a test and a source share: `test/volumes.test.ts` and
 * `volumes/`.
 */
function closenessTo(source) {
  const words = new Set(wordsOf(source))
  const closeness = new Map()
  return (test) => {
    if (!closeness.has(test)) closeness.set(test, 10 ** wordsOf(test).filter((word) => words.has(word)).length)
    return closeness.get(test)
  }
}

const wordsOf = (path) => path.replaceAll(/^(src|test)\/|(\.test)?\.ts$/g, '').split(/\W+/)

/** Returns for each file the tests to try next, each with its mutants, and its duration without a mutant. */
function planOf(queues, until, { killed, reached, once }) {
  const plans = new Map()
  for (const [id, queue] of queues) {
    if (killed.has(id) || (once.has(id) && !reached.has(id))) continue
    // The first test is always tried, however long it takes.
    while (queue.tests.length > 0 && (queue.spent === 0 || queue.spent + queue.tests[0].ms <= until)) {
      const test = queue.tests.shift()
      queue.spent += test.ms + 1
      const plan = plans.get(test.file) ?? { file: test.file, plan: {}, took: {} }
      plan.plan[test.id] = [...(plan.plan[test.id] ?? []), id]
      plan.took[test.id] = test.ms
      plans.set(test.file, plan)
    }
  }
  return [...plans.values()]
}

/** Runs all tests of a plan, in a new process after a mutant ended one or had a lasting effect. */
async function tryOn(run, { file, plan, took }, state) {
  const left = new Map(Object.entries(plan))
  for (;;) {
    for (const [test, ids] of left) {
      const alive = ids.filter((id) => !state.killed.has(id))
      if (alive.length > 0) left.set(test, alive)
      else left.delete(test)
    }
    if (left.size === 0) return
    const { results, died } = await run({ file, kind: 'judge', plan: Object.fromEntries(left), took })
    const sizes = countOf(left)
    for (const result of results) learn(result, { file, left, state })
    if (died !== undefined && died !== 'without') state.killed.set(died, { file, why: 'the process ended' })
    else if (countOf(left) === sizes) return
  }
}

const countOf = (left) => [...left.values()].reduce((sum, ids) => sum + ids.length + 1, 0)

function learn({ killed, survived, done, ...result }, { file, left, state }) {
  const { test, why } = result
  if (killed) state.killed.set(killed, { file, test, why })
  if (survived && result.reached) state.reached.add(survived)
  if (survived && !result.reached && !state.tests.get(test).children.has(survived)) state.once.add(survived)
  if (done) left.delete(done)
  if (!('spoilt' in result)) return
  // If no mutant preceded it, the test itself cannot run twice in a process.
  if (result.spoilt === null) left.delete(test)
  else {
    state.once.add(result.spoilt)
    left.set(
      test,
      left.get(test).filter((id) => id !== result.spoilt),
    )
  }
}

/**
 * Returns the test files to try in fresh processes. If a mutant is reached during loading, its effect may show in any
 * test, so as many files as the patience allows. Otherwise it may have been hidden by a value that the process caches,
 * and one file is enough.
 */
function filesOf({ id, file: source }, { coverage, patience, once }) {
  const closeness = closenessTo(source)
  const isLoaded = once.has(id) || coverage.some(({ load }) => load.has(id))
  const files = coverage
    .map(({ file, load, breadth, tests }) => {
      const reaching = tests.filter(({ here }) => here.has(id))
      const affected = load.has(id) || (once.has(id) && reaching.length > 0) ? tests : reaching
      const took = Object.fromEntries(affected.map((test) => [test.id, test.ms]))
      const ms = affected.reduce((sum, test) => sum + test.ms, startMs)
      return { file, took, ms, weight: (ms * breadth) / closeness(file), isAffected: affected.length > 0 }
    })
    .filter(({ isAffected }) => isAffected)
    .sort((a, b) => a.weight - b.weight)
  let spent = 0
  return files.filter(({ ms }, index) => {
    spent += ms
    return index === 0 || (isLoaded && spent <= 2 * patience)
  })
}

async function tryFresh(run, { id, files }, { killed }) {
  for (const { file, took } of files) {
    const { results, died } = await run({ file, kind: 'fresh', active: id, took })
    const failure = results.find((result) => result.killed === id)
    if (failure || died === id)
      return killed.set(id, { file, test: failure?.test, why: failure?.why ?? 'the process ended' })
  }
}
