/** Waits for a state of an object: reads, progress, time limits and failures (interface.md). */
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import type { Item } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import { type Condition, waitUntil } from '../../src/account/wait'
import { keepingPlace, WaitLimit } from '../../src/account/wait-limit'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)
const record = (status: string): Item => ({ id: 7, label: 'data', status })
const notFound = problem('not_found', { missing: '/volumes/7' })
const active: Condition = { name: 'active', met: (volume) => volume?.status === 'active' }
const deleted: Condition = { name: 'deleted', met: (volume) => volume === null }

/** Waits for a volume with these results of reads in order. The last one is repeated. */
async function wait(
  reads: readonly (Item | Error)[],
  { condition = active, timeoutMs = 60_000, shown = false, context = false, slow = 0 } = {},
) {
  const log = {
    ...{ pauses: [] as number[], messages: [] as string[], lines: [] as string[], states: [] as string[], ended: 0 },
  }
  let [time, count] = [1_000_000, 0]
  let show = () => ''
  let state: (() => string) | undefined = () => ''
  const client = {
    async call() {
      log.lines.push(show())
      log.states.push(state?.() ?? '')
      time += slow
      const result = reads[Math.min(count, reads.length - 1)]
      count += 1
      if (result instanceof Error) throw result
      return result
    },
  }
  const account = {
    signal: new AbortController().signal,
    clock: {
      monotonic: () => time,
      random: () => 0.5,
      whileWaiting: keepingPlace,
      async sleep(ms: number) {
        if (ms > 0) log.pauses.push(ms)
        time += ms
      },
    },
    client: async () => client,
    access: {
      credential: async () => ({ sandbox: true }),
      context: async () => (context ? { name: 'work', from: 'flag' } : { name: 'work', from: 'current' }),
    },
    reporter: {
      status: async (text: string) => void log.messages.push(text),
      async progress(text: () => string, inner?: () => string) {
        show = text
        state = inner
        return {
          shown,
          update() {},
          done() {
            log.ended += 1
          },
        }
      },
    },
  } as unknown as Account
  const waitLimit = new WaitLimit(timeoutMs, account.clock)
  const waiting = waitUntil(condition, {
    id: 7,
    resource: volumeResource,
    account: { ...account, clock: { ...account.clock, waitLimit } },
  })
  const result = await waiting.catch((error: unknown) => error)
  return { ...log, reads: count, result }
}

describe('A wait', () => {
  test('ends at once if the condition is met', async () => {
    const { result, reads, pauses, messages, ended } = await wait([record('active')])
    expect({ result, reads, pauses, messages, ended }).toEqual({
      ...{ result: record('active'), reads: 1, pauses: [], messages: [], ended: 1 },
    })
  })

  test('reads less and less often, but at least every five seconds', async () => {
    const { pauses } = await wait([...Array(9).fill(record('resizing')), record('active')])
    expect(pauses).toEqual([500, 750, 1125, 1687.5, 2531.25, 3796.875, 5000, 5000, 5000])
  })

  test('prints its condition once, unless a progress line is shown', async () => {
    const reads = [record('creating'), record('resizing'), record('active')]
    expect((await wait(reads)).messages).toEqual(['Waiting for volume "data" (7) to be active: creating'])
    expect((await wait(reads, { shown: true })).messages).toEqual([])
  })

  test('shows its condition, the current state, and the time', async () => {
    const { lines, states } = await wait([record('creating'), record('resizing'), record('active')])
    expect(lines).toEqual([
      'Waiting for volume 7 to be active',
      'Waiting for volume "data" (7) to be active: creating',
      'Waiting for volume "data" (7) to be active: resizing (1s)',
    ])
    expect(states).toEqual([
      'waits, until it is active',
      'creating, until it is active',
      'resizing, until it is active',
    ])
  })

  test('shows the time after the first second', async () => {
    const { lines } = await wait([record('a'), record('a'), record('active')], { slow: 500 })
    expect(lines[1]).toContain(' (1s)')
  })

  test('for a deletion ends when the object is gone', async () => {
    expect((await wait([record('deleting'), notFound], { condition: deleted })).result).toBeNull()
  })

  test('for any other state fails with not_found when the object is gone', async () => {
    const { result, ended } = await wait([record('resizing'), notFound])
    expect(result).toMatchObject({ code: 'not_found', message: 'volume 7 no longer exists' })
    expect(ended).toBe(1)
  })

  test('takes up to its time limit', async () => {
    const { pauses } = await wait([record('resizing')], { timeoutMs: 2000 })
    expect(pauses).toEqual([500, 750, 750])
  })

  test.for([
    [false, ''],
    [true, ' --context work'],
  ] as const)('that timed out prints how to continue, with the context of the line: %s', async ([context, more]) => {
    const { result } = await wait([record('resizing')], { timeoutMs: 0, context })
    expect(result).toMatchObject({
      code: 'wait_timed_out',
      message: 'volume "data" (7) is not active after 0s; its status is resizing',
      details: { hint: `Continue waiting: skyctl volumes wait 7 --for active${more}`, retryable: true },
    })
  })
})

describe('A read that fails', () => {
  test.for<ErrorCode>(['unavailable', 'rate_limited'])('with %s is repeated until the time limit', async (code) => {
    const temporary = problem(code, { hint: 'another' })
    expect((await wait([temporary, temporary, record('active')])).pauses).toEqual([500, 1000])
    const { pauses, result } = await wait([temporary], { timeoutMs: 20_000 })
    expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000, 2500])
    expect(result).toMatchObject({
      code,
      message: `it is ${code} while waiting for volume 7 to be active`,
      details: { hint: 'Continue waiting: skyctl volumes wait 7 --for active' },
      cause: temporary,
    })
  })

  test('is not repeated after the time limit', async () => {
    expect((await wait([problem('unavailable')], { timeoutMs: 0 })).pauses).toEqual([])
  })

  test.for([
    [{}, 'Continue waiting: skyctl volumes wait 7 --for active'],
    [{ hint: 'own', status: 401 }, 'own'],
  ] as const)('with a permanent error ends the wait with the next step: %j', async ([details, hint]) => {
    const { result, pauses, ended } = await wait([record('resizing'), problem('not_signed_in', details)])
    expect(result).toMatchObject({
      code: 'not_signed_in',
      message: 'it is not_signed_in while waiting for volume "data" (7) to be active',
      details: { ...details, hint },
    })
    expect({ pauses, ended }).toEqual({ pauses: [500], ended: 1 })
  })

  test.for<ErrorCode>(['not_allowed', 'refused', 'outcome_unknown', 'too_large', 'local'])(
    'with %s, which is permanent, ends the wait at once',
    async (code) => {
      const { result, reads, pauses } = await wait([problem(code)])
      expect({ result, reads, pauses }).toMatchObject({ result: { code }, reads: 1, pauses: [] })
    },
  )

  test('with an answer that is not from the API is repeated if the API answered before', async () => {
    const { result, reads } = await wait([record('resizing'), problem('not_the_api'), record('active')])
    expect({ result, reads }).toEqual({ result: record('active'), reads: 3 })
  })

  test('with an internal error is thrown unchanged', async () => {
    const defect = new TypeError('x')
    expect((await wait([defect])).result).toBe(defect)
  })
})
