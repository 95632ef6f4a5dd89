/** Verbs on several targets, without a service: how many at once, what is told, and what ends them all. */
import { describe, expect, test } from 'vitest'
import { forEachTarget, isFailed, resultsOf, type TargetOutcome } from '../../src/engine/bulk'
import { type ErrorCode, Problem } from '../../src/errors'
import type { Session } from '../../src/session'

interface Target {
  typed: string
}

type Fate = string | Error

/** What becomes of targets that end so, one after the other or several at once. */
async function run(
  fates: readonly Fate[],
  { changes = true, concurrency, unheard }: { changes?: boolean; concurrency?: string; unheard?: Error } = {},
) {
  const told = {
    said: [] as string[],
    begun: [] as string[],
    outcomes: [] as TargetOutcome<Target, string>[],
    one: [] as string[],
    counters: [] as string[][],
    underWay: 0,
    most: 0,
    ended: 0,
    error: undefined as unknown,
  }
  let now = 0
  let counter = (): readonly string[] => []
  const session = {
    clock: { now: () => now },
    ui: {
      status: async (text: string) => void told.said.push(text),
      progress: async (lines: typeof counter) => {
        counter = lines
        return {
          done() {
            told.ended += 1
          },
        }
      },
    },
  } as unknown as Session
  const targets = fates.map((_, index) => ({ typed: `t${index + 1}` }))
  const bulk = {
    verb: 'delete',
    changes,
    async act(target: Target) {
      told.begun.push(target.typed)
      told.underWay += 1
      told.most = Math.max(told.most, told.underWay)
      await new Promise((resolve) => setImmediate(resolve))
      told.counters.push([...counter()])
      told.underWay -= 1
      now += 1000
      const fate = fates[targets.indexOf(target)]
      if (fate instanceof Error) throw fate
      return String(fate)
    },
    one: async (result: string) => told.one.push(result),
    async several(outcomes: AsyncIterable<TargetOutcome<Target, string>>) {
      for await (const outcome of outcomes) {
        told.outcomes.push(outcome)
        if (unheard) throw unheard
      }
    },
    underWay: () => ['below'],
  }
  const flags = concurrency === undefined ? {} : { concurrency }
  await forEachTarget(targets, bulk, { flags, session }).catch((error) => {
    told.error = error
  })
  return told
}

const problem = (code: ErrorCode, more = {}) => new Problem(code, `it is ${code}`, more)
const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`)

describe('several targets', () => {
  test('are begun eight at once, and told in their order with a summary', async () => {
    const { most, begun, outcomes, said, one, ended, error } = await run(names(20))
    expect({ most, begun: begun.length, said, one, ended, error }).toEqual({
      ...{ most: 8, begun: 20, said: ['20 of 20 deleted'], one: [], ended: 1, error: undefined },
    })
    expect(outcomes.map((outcome) => !isFailed(outcome) && outcome.result)).toEqual(names(20))
  })

  test.for([
    ['1', 1],
    ['3', 3],
    ['64', 5],
  ] as const)('are begun as many at once as --concurrency says: %s', async ([concurrency, most]) => {
    expect((await run(names(5), { concurrency })).most).toBe(most)
  })

  test.for(['0', '65', 'x'])('are not begun with --concurrency %s', async (concurrency) => {
    const { begun, error } = await run(names(2), { concurrency })
    expect({ begun, error }).toMatchObject({ begun: [], error: { code: 'usage' } })
  })

  test('are counted, with what is under way below', async () => {
    const { counters } = await run(names(3), { concurrency: '1' })
    expect(counters).toEqual([1, 2, 3].map((place) => [`Deleting ${place} of 3`, 'below']))
  })

  test('are counted with the time that is left, from the eighth on that is done', async () => {
    const { counters } = await run(names(10), { concurrency: '1' })
    expect(counters.slice(7).map(([line]) => line)).toEqual([
      'Deleting 8 of 10',
      'Deleting 9 of 10, about 2s left',
      'Deleting 10 of 10, about 1s left',
    ])
  })

  test('that are only read have no summary', async () => {
    expect((await run(names(2), { changes: false })).said).toEqual([])
  })

  test('may be none: nothing is said, and that is a success', async () => {
    const { said, outcomes, ended, error } = await run([])
    expect({ said, outcomes, ended, error }).toEqual({ said: [], outcomes: [], ended: 1, error: undefined })
  })
})

test('a single target is printed by itself, without a counter or a summary', async () => {
  const { one, said, outcomes, counters, ended } = await run(['r'])
  expect({ one, said, outcomes, counters, ended }).toEqual({
    ...{ one: ['r'], said: [], outcomes: [], counters: [[]], ended: 0 },
  })
  const refused = problem('refused')
  expect((await run([refused])).error).toBe(refused)
})

describe('a failure', () => {
  test('does not stop the rest, and is told beside the summary', async () => {
    const { outcomes, error, said } = await run(['a', problem('refused'), 'c'])
    expect(outcomes.map(isFailed)).toEqual([false, true, false])
    expect(said).toEqual([])
    expect(error).toMatchObject({
      code: 'some_failed',
      message: expect.stringMatching(/^2 of 3 deleted: .*it is refused/),
      details: { summary: '2 of 3 deleted', failures: [{ target: 't2', tried: true }] },
    })
  })

  test('of each target is told', async () => {
    const { error } = await run([problem('refused'), problem('not_found')])
    expect(error).toMatchObject({ code: 'some_failed', details: { summary: '0 of 2 deleted' } })
    expect((error as Problem).details.failures?.map(({ target }) => target)).toEqual(['t1', 't2'])
  })

  test.for<ErrorCode>(['not_signed_in', 'unavailable', 'not_the_api', 'local'])(
    'by %s leaves the rest untried',
    async (code) => {
      const { begun, outcomes, error } = await run(['a', problem(code), 'c', 'd'], { concurrency: '1' })
      expect(begun).toEqual(['t1', 't2'])
      expect(outcomes.map((outcome) => isFailed(outcome) && outcome.tried)).toEqual([false, true, false, false])
      expect(outcomes[3]).toMatchObject({ error: { code, message: `not tried: it is ${code}` } })
      expect(error).toMatchObject({ code: 'some_failed', details: { summary: '1 of 4 deleted, 2 not tried' } })
      expect((error as Problem).message.match(/it is/g)).toHaveLength(1)
    },
  )

  test.for<ErrorCode>(['not_signed_in', 'unavailable', 'not_the_api', 'local'])(
    'by %s of the first is that of all',
    async (code) => {
      const gone = problem(code)
      expect((await run([gone, 'b', 'c'], { concurrency: '1' })).error).toBe(gone)
    },
  )

  test.for<ErrorCode>(['interrupted', 'terminated', 'defect'])(
    'by %s ends the run, with what was done',
    async (code) => {
      const over = problem(code, { hint: 'x' })
      const { begun, error } = await run(['a', problem('refused'), over, 'd'], { concurrency: '1' })
      expect(begun).toEqual(['t1', 't2', 't3'])
      expect(error).toMatchObject({ code, message: `it is ${code}: 1 of 4 deleted`, details: { hint: 'x' } })
      expect((error as Problem).cause).toBe(over)
    },
  )

  test('that is a defect of ours ends the run as it is', async () => {
    const defect = new TypeError('x')
    const { begun, error } = await run(['a', defect, 'c'], { concurrency: '1' })
    expect({ begun, error }).toEqual({ begun: ['t1', 't2'], error: defect })
  })

  test('of the wait alone counts as done', async () => {
    const late = problem('wait_timed_out', { answer: { id: 1 } })
    const { error } = await run(['a', late])
    expect(error).toMatchObject({ code: 'some_failed', details: { summary: '2 of 2 deleted' } })
  })
})

describe('where nobody reads of it any more', () => {
  const closed = problem('local')

  test('what changes something is done all the same', async () => {
    const { begun, error, ended, said } = await run(names(12), { concurrency: '1', unheard: closed })
    expect({ begun: begun.length, error, ended, said }).toEqual({ begun: 12, error: closed, ended: 1, said: [] })
  })

  test('what only reads ends', async () => {
    const { begun, error } = await run(names(12), { concurrency: '1', unheard: closed, changes: false })
    expect(error).toBe(closed)
    for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(begun.length).toBeLessThan(12)
  })

  test('a failure of what was done is told rather', async () => {
    const { error } = await run(['a', problem('refused')], { unheard: closed })
    expect(error).toMatchObject({ code: 'some_failed' })
  })
})

test('results are those of what did not fail', async () => {
  async function* outcomes(): AsyncGenerator<TargetOutcome<Target, number>> {
    yield { target: { typed: 'a' }, result: 1 }
    yield { target: { typed: 'b' }, error: new Error('x'), tried: true }
    yield { target: { typed: 'c' }, result: 3 }
  }
  const pages: number[][] = []
  for await (const page of resultsOf(outcomes())) pages.push(page)
  expect(pages).toEqual([[1], [3]])
})
