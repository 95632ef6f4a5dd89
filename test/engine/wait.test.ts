/** Waiting until an object is as wanted: how often it is read, what is told, and how the wait ends (interface.md). */
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import type { Item } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import { type Condition, waitUntil } from '../../src/account/wait'
import { waitTimeout } from '../../src/engine/command-context'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)
const record = (status: string): Item => ({ id: 7, label: 'data', status })
const gone = problem('not_found', { missing: '/volumes/7' })
const active: Condition = { name: 'active', met: (now) => now?.status === 'active' }
const deleted: Condition = { name: 'deleted', met: (now) => now === null }

/** Waits for a volume that is read as these in turn, the last of them for ever. */
async function wait(
  reads: readonly (Item | Error)[],
  { condition = active, timeoutMs = 60_000, shown = false, context = false, slow = 0 } = {},
) {
  const told = { slept: [] as number[], said: [] as string[], lines: [] as string[], states: [] as string[], ended: 0 }
  let [time, read] = [1_000_000, 0]
  let show = () => ''
  let state: (() => string) | undefined = () => ''
  const client = {
    async call() {
      told.lines.push(show())
      told.states.push(state?.() ?? '')
      time += slow
      const now = reads[Math.min(read, reads.length - 1)]
      read += 1
      if (now instanceof Error) throw now
      return now
    },
  }
  const account = {
    signal: new AbortController().signal,
    clock: {
      now: () => time,
      async sleep(ms: number) {
        told.slept.push(ms)
        time += ms
      },
    },
    client: async () => client,
    access: {
      context: async () => (context ? { name: 'work', from: 'flag' } : { name: 'work', from: 'current' }),
    },
    reporter: {
      status: async (text: string) => void told.said.push(text),
      async progress(text: () => string, inner?: () => string) {
        show = text
        state = inner
        return {
          shown,
          update() {},
          done() {
            told.ended += 1
          },
        }
      },
    },
  } as unknown as Account
  const waiting = waitUntil(condition, { id: 7, resource: volumeResource, account, timeoutMs })
  const result = await waiting.catch((error: unknown) => error)
  return { ...told, reads: read, result }
}

describe('a wait', () => {
  test('ends at once where all is as wanted', async () => {
    const { result, reads, slept, said, ended } = await wait([record('active')])
    expect({ result, reads, slept, said, ended }).toEqual({
      ...{ result: record('active'), reads: 1, slept: [], said: [], ended: 1 },
    })
  })

  test('reads more and more seldom, at least every five seconds', async () => {
    const { slept } = await wait([...Array(9).fill(record('resizing')), record('active')])
    expect(slept).toEqual([500, 750, 1125, 1687.5, 2531.25, 3796.875, 5000, 5000, 5000])
  })

  test('says once what is waited for, unless a line stands on the terminal', async () => {
    const reads = [record('creating'), record('resizing'), record('active')]
    expect((await wait(reads)).said).toEqual(['Waiting for volume "data" (7) to be active: creating'])
    expect((await wait(reads, { shown: true })).said).toEqual([])
  })

  test('shows what it waits for, the state, and how long', async () => {
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

  test('tells the time from one second on', async () => {
    const { lines } = await wait([record('a'), record('a'), record('active')], { slow: 500 })
    expect(lines[1]).toContain(' (1s)')
  })

  test('for a deletion ends where the object is gone', async () => {
    expect((await wait([record('deleting'), gone], { condition: deleted })).result).toBeNull()
  })

  test('for anything else ends where the object is gone, with exit 5', async () => {
    const { result, ended } = await wait([record('resizing'), gone])
    expect(result).toMatchObject({ code: 'not_found', message: 'volume 7 no longer exists' })
    expect(ended).toBe(1)
  })

  test('takes as long as it was given, and five minutes where nothing was said', async () => {
    expect([waitTimeout({}), waitTimeout({ 'wait-timeout': '90s' })]).toEqual([300_000, 90_000])
    const { slept } = await wait([record('resizing')], { timeoutMs: 2000 })
    expect(slept).toEqual([500, 750, 750])
  })

  test.for([
    [false, ''],
    [true, ' --context work'],
  ] as const)('that ran out of time says how to wait on, with the context of the line: %s', async ([context, more]) => {
    const { result } = await wait([record('resizing')], { timeoutMs: 0, context })
    expect(result).toMatchObject({
      code: 'wait_timed_out',
      message: 'volume "data" (7) is not active after 0s; its status is resizing',
      details: { hint: `Continue waiting: skyctl volumes wait 7 --for active${more}`, retryable: true },
    })
  })
})

describe('a read that fails', () => {
  test.for<ErrorCode>(['unavailable', 'rate_limited'])('by %s is tried again until the time is up', async (code) => {
    const passing = problem(code, { hint: 'another' })
    expect((await wait([passing, passing, record('active')])).slept).toEqual([500, 1000])
    const { slept, result } = await wait([passing], { timeoutMs: 20_000 })
    expect(slept).toEqual([500, 1000, 2000, 4000, 5000, 5000, 2500])
    expect(result).toMatchObject({
      code,
      message: `it is ${code} while waiting for volume 7 to be active`,
      details: { hint: 'Continue waiting: skyctl volumes wait 7 --for active' },
      cause: passing,
    })
  })

  test('is not tried again where no time is left', async () => {
    expect((await wait([problem('unavailable')], { timeoutMs: 0 })).slept).toEqual([])
  })

  test.for([
    [{}, 'Continue waiting: skyctl volumes wait 7 --for active'],
    [{ hint: 'own', status: 401 }, 'own'],
  ] as const)('for good ends the wait, and says how to wait on: %j', async ([details, hint]) => {
    const { result, slept, ended } = await wait([record('resizing'), problem('not_signed_in', details)])
    expect(result).toMatchObject({
      code: 'not_signed_in',
      message: 'it is not_signed_in while waiting for volume "data" (7) to be active',
      details: { ...details, hint },
    })
    expect({ slept, ended }).toEqual({ slept: [500], ended: 1 })
  })

  test.for<ErrorCode>(['not_allowed', 'refused', 'outcome_unknown', 'too_large', 'local'])(
    'with %s, which does not pass by itself, ends the wait at once',
    async (code) => {
      const { result, reads, slept } = await wait([problem(code)])
      expect({ result, reads, slept }).toMatchObject({ result: { code }, reads: 1, slept: [] })
    },
  )

  test("with an answer that is not the API's is tried again where the API has answered before", async () => {
    const { result, reads } = await wait([record('resizing'), problem('not_the_api'), record('active')])
    expect({ result, reads }).toEqual({ result: record('active'), reads: 3 })
  })

  test('by a defect of ours is told as it is', async () => {
    const defect = new TypeError('x')
    expect((await wait([defect])).result).toBe(defect)
  })
})
