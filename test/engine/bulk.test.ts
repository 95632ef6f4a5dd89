/** Commands on several targets, without a service: parallel work, messages, and failures that end all of them. */
import { describe, expect, test } from 'vitest'
import type { WhileWaiting } from '../../src/account/wait-limit'
import { forEachTarget, together } from '../../src/engine/bulk'
import type { Session } from '../../src/engine/session'
import { isFailed, type TargetOutcome } from '../../src/engine/target-outcomes'
import { type ErrorCode, Problem } from '../../src/errors'

interface Target {
  input: string
}

type Ending = string | Error

interface RunOptions {
  changes?: boolean
  concurrency?: string
  /** Error of each print. */
  readerGone?: Error
  /** True if each target waits until it is active; the counter is read meanwhile. */
  waits?: boolean
}

/** Runs a command on targets that end like this. */
async function runBulk(
  endings: readonly Ending[],
  { changes = true, concurrency, readerGone, waits = false }: RunOptions = {},
) {
  const run = {
    messages: [] as string[],
    started: [] as string[],
    outcomes: [] as TargetOutcome<Target, string>[],
    one: [] as string[],
    counters: [] as string[][],
    running: 0,
    most: 0,
    ended: 0,
    error: undefined as unknown,
  }
  let now = 0
  let counter = (): readonly string[] => []
  const session = {
    clock: { monotonic: () => now },
    ui: {
      status: async (text: string) => void run.messages.push(text),
      progress: async (lines: typeof counter) => {
        counter = lines
        return {
          done() {
            run.ended += 1
          },
        }
      },
    },
  } as unknown as Session
  const targets = endings.map((_, index) => ({ input: `t${index + 1}` }))
  const bulk = {
    verb: 'delete',
    changes,
    async act(target: Target, whileWaiting: WhileWaiting) {
      run.started.push(target.input)
      run.running += 1
      run.most = Math.max(run.most, run.running)
      const work = async () => {
        await new Promise((resolve) => setImmediate(resolve))
        run.counters.push([...counter()])
      }
      await (waits ? whileWaiting(work, 'active') : work())
      run.running -= 1
      now += 1000
      const ending = endings[targets.indexOf(target)]
      if (ending instanceof Error) throw ending
      return String(ending)
    },
    one: async (result: string) => run.one.push(result),
    async several(outcomes: AsyncIterable<TargetOutcome<Target, string>>) {
      for await (const outcome of outcomes) {
        run.outcomes.push(outcome)
        if (readerGone) throw readerGone
      }
    },
    underWay: () => ['below'],
  }
  const flags = concurrency === undefined ? {} : { concurrency }
  await forEachTarget(targets, bulk, { flags, session }).catch((error) => {
    run.error = error
  })
  return run
}

const problem = (code: ErrorCode, more = {}) => new Problem(code, `it is ${code}`, more)
const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`)

describe('Several targets', () => {
  test('run eight at once, and are printed in order with a summary', async () => {
    const { most, started, outcomes, messages, one, ended, error } = await runBulk(names(20))
    expect({ most, started: started.length, messages, one, ended, error }).toEqual({
      ...{ most: 8, started: 20, messages: ['20 of 20 deleted'], one: [], ended: 1, error: undefined },
    })
    expect(outcomes.map((outcome) => !isFailed(outcome) && outcome.result)).toEqual(names(20))
  })

  test.for([
    ['1', 1],
    ['3', 3],
    ['64', 5],
  ] as const)('run as many at once as --concurrency allows: %s', async ([concurrency, most]) => {
    expect((await runBulk(names(5), { concurrency })).most).toBe(most)
  })

  test.for(['0', '65', 'x'])('do not run with --concurrency %s', async (concurrency) => {
    const { started, error } = await runBulk(names(2), { concurrency })
    expect({ started, error }).toMatchObject({ started: [], error: { code: 'usage' } })
  })

  test('are counted, with the current work below', async () => {
    const { counters } = await runBulk(names(3), { concurrency: '1' })
    expect(counters).toEqual([1, 2, 3].map((place) => [`Deleting ${place} of 3`, 'below']))
  })

  test('are counted with the remaining time after the first eight', async () => {
    const { counters } = await runBulk(names(10), { concurrency: '1' })
    expect(counters.slice(7).map(([line]) => line)).toEqual([
      'Deleting 8 of 10',
      'Deleting 9 of 10, about 2s left',
      'Deleting 10 of 10, about 1s left',
    ])
  })

  test('are counted with those that are active, and without a remaining time once all of them are waited for', async () => {
    const { counters } = await runBulk(names(12), { waits: true })
    expect(counters[0]).toEqual(['Deleting 12 of 12, 0 active', 'below'])
    expect(counters.at(-1)).toEqual([expect.stringMatching(/^Deleting 12 of 12, \d+ active$/), 'below'])
  })

  test('have no summary if they are only read', async () => {
    expect((await runBulk(names(2), { changes: false })).messages).toEqual([])
  })

  test('can be none, which is a success without a message', async () => {
    const { messages, outcomes, ended, error } = await runBulk([])
    expect({ messages, outcomes, ended, error }).toEqual({ messages: [], outcomes: [], ended: 1, error: undefined })
  })
})

test('A single target is printed without a counter or a summary', async () => {
  const { one, messages, outcomes, counters, ended } = await runBulk(['r'])
  expect({ one, messages, outcomes, counters, ended }).toEqual({
    ...{ one: ['r'], messages: [], outcomes: [], counters: [[]], ended: 0 },
  })
  const refused = problem('refused')
  expect((await runBulk([refused])).error).toBe(refused)
})

describe('A failure', () => {
  test('does not stop the other targets, and is reported with the summary', async () => {
    const { outcomes, error, messages } = await runBulk(['a', problem('refused'), 'c'])
    expect(outcomes.map(isFailed)).toEqual([false, true, false])
    expect(messages).toEqual([])
    expect(error).toMatchObject({
      code: 'some_failed',
      message: expect.stringMatching(/^2 of 3 deleted: .*it is refused/),
      details: { summary: '2 of 3 deleted', failures: [{ target: 't2', tried: true }] },
    })
  })

  test('of each target is reported', async () => {
    const { error } = await runBulk([problem('refused'), problem('not_found')])
    expect(error).toMatchObject({ code: 'some_failed', details: { summary: '0 of 2 deleted' } })
    expect((error as Problem).details.failures?.map(({ target }) => target)).toEqual(['t1', 't2'])
  })

  test.for<ErrorCode>(['not_signed_in', 'unavailable', 'not_the_api', 'local'])(
    'by %s leaves the rest untried',
    async (code) => {
      const { started, outcomes, error } = await runBulk(['a', problem(code), 'c', 'd'], { concurrency: '1' })
      expect(started).toEqual(['t1', 't2'])
      expect(outcomes.map((outcome) => isFailed(outcome) && outcome.tried)).toEqual([false, true, false, false])
      expect(outcomes[3]).toMatchObject({ error: { code, message: `not tried: it is ${code}` } })
      expect(error).toMatchObject({ code: 'some_failed', details: { summary: '1 of 4 deleted, 2 not tried' } })
      expect((error as Problem).message.match(/it is/g)).toHaveLength(1)
    },
  )

  test.for<ErrorCode>(['not_signed_in', 'unavailable', 'not_the_api', 'local'])(
    'by %s of the first target is the failure of all',
    async (code) => {
      const first = problem(code)
      expect((await runBulk([first, 'b', 'c'], { concurrency: '1' })).error).toBe(first)
    },
  )

  // Only the hint about a defect is true of all targets.
  test.for<[ErrorCode, string | undefined]>([
    ['interrupted', undefined],
    ['terminated', undefined],
    ['defect', 'x'],
  ])('by %s ends the command with a summary', async ([code, hint]) => {
    const ending = problem(code, { hint: 'x' })
    const { started, error } = await runBulk(['a', problem('refused'), ending, 'd'], { concurrency: '1' })
    expect(started).toEqual(['t1', 't2', 't3'])
    expect(error).toMatchObject({ code, message: `it is ${code}: 1 of 4 deleted` })
    expect((error as Problem).details.hint).toBe(hint)
    expect((error as Problem).cause).toBe(ending)
  })

  test('by an internal error ends the command unchanged', async () => {
    const defect = new TypeError('x')
    const { started, error } = await runBulk(['a', defect, 'c'], { concurrency: '1' })
    expect({ started, error }).toEqual({ started: ['t1', 't2'], error: defect })
  })

  test('of only the wait counts as success of the change', async () => {
    const late = problem('wait_timed_out', { answer: { id: 1 } })
    const { error } = await runBulk(['a', late])
    expect(error).toMatchObject({ code: 'wait_timed_out', details: { summary: '2 of 2 deleted' } })
  })

  test('of waits alone is a wait that timed out, and can be repeated if each of them can', async () => {
    const [late, made] = [true, false].map((retryable) => problem('wait_timed_out', { retryable }))
    if (!late || !made) throw new Error('no problem')
    const errorOf = async (...endings: Parameters<typeof runBulk>[0]) => (await runBulk(endings)).error
    expect(await errorOf(late, 'a', late)).toMatchObject({ code: 'wait_timed_out', details: { retryable: true } })
    expect(await errorOf(late, made)).toMatchObject({ code: 'wait_timed_out', details: { retryable: false } })
    expect(await errorOf(late, problem('refused'))).toMatchObject({ code: 'some_failed' })
  })
})

describe('If the reader of the output is gone', () => {
  const closed = problem('local')

  test('a command that changes something continues', async () => {
    const { started, error, ended, messages } = await runBulk(names(12), { concurrency: '1', readerGone: closed })
    expect({ started: started.length, error, ended, messages }).toEqual({
      ...{ started: 12, error: closed, ended: 1, messages: [] },
    })
  })

  test('a command that only reads ends', async () => {
    const { started, error } = await runBulk(names(12), { concurrency: '1', readerGone: closed, changes: false })
    expect(error).toBe(closed)
    for (let rounds = 0; rounds < 50; rounds += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(started.length).toBeLessThan(12)
  })

  test('a failure of a change has precedence', async () => {
    const { error } = await runBulk(['a', problem('refused')], { readerGone: closed })
    expect(error).toMatchObject({ code: 'some_failed' })
  })
})

test('Results that are printed together are only those of targets without a failure', async () => {
  async function* outcomes(): AsyncGenerator<TargetOutcome<Target, number>> {
    yield { target: { input: 'a' }, result: 1 }
    yield { target: { input: 'b' }, error: new Error('x'), tried: true }
    yield { target: { input: 'c' }, result: 3 }
  }
  const printed: (readonly number[])[] = []
  await together<Target, number>(async (results) => printed.push(results)).several(outcomes())
  expect(printed).toEqual([[1, 3]])
})
