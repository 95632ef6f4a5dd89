/** Optimistic updates, which are repeated until the change is visible, or given up (reliability.md). */
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { type Attempt, type OptimisticUpdate, optimisticUpdate, replacing } from '../../src/account/optimistic-update'
import { keepingPlace } from '../../src/account/wait-limit'
import { type ErrorCode, Problem } from '../../src/errors'
import { temporaryFolder } from '../support/temporary-folder'

const problem = (code: ErrorCode) => new Problem(code, `it is ${code}`)

/** A list of words; failures of its reads and writes in order; and the lists that others write after each of ours. */
function arrange(
  initial: readonly string[],
  plan: { reads?: Failure[]; writes?: Failure[]; others?: string[][] } = {},
) {
  const state = temporaryFolder()
  const { reads = [], writes = [], others = [] } = plan
  const abort = new AbortController()
  const log = { words: [...initial], writes: [] as string[][], reads: 0, pauses: [] as number[], abort }
  let time = 0
  const account = {
    local: { paths: { state } },
    signal: abort.signal,
    reporter: { warn: async () => {} },
    access: {
      signedIn: async () => ({ baseUrl: 'https://api.example.net/v4' }),
      credential: async () => ({ sandbox: false }),
    },
    clock: {
      monotonic: () => time,
      whileWaiting: keepingPlace,
      async sleep(ms: number) {
        log.pauses.push(ms)
        // Somebody else has written a change of an older state.
        log.words = others.shift() ?? log.words
      },
    },
  } as unknown as Account
  const change: OptimisticUpdate<string[]> = {
    what: ['words', 1],
    name: 'the words',
    async look() {
      log.reads += 1
      time += 10
      const failure = reads.shift()
      if (failure) throw failure.error
      return [...log.words]
    },
    async make(words, _last) {
      return words.includes('new') ? undefined : [...words, 'new']
    },
    async write(words) {
      log.writes.push(words)
      time += 30
      const failure = writes.shift()
      if (!failure || failure.isDone) log.words = words
      if (failure) throw failure.error
    },
    holds: (words) => words.includes('new'),
  }
  return { log, account, change, run: () => optimisticUpdate(change, account) }
}

interface Failure {
  error: Error
  /** True if the words were written despite the failure. */
  isDone?: boolean
}

const lost = (isDone: boolean): Failure => ({ error: problem('outcome_unknown'), isDone })

describe('A change', () => {
  test('is written once, and verified by a read', async () => {
    const { log, run } = arrange(['a'])
    expect(await run()).toEqual({ current: ['a', 'new'], written: true })
    expect(log).toMatchObject({ writes: [['a', 'new']], reads: 2 })
  })

  test('that is already visible is not written', async () => {
    const { log, run } = arrange(['new'])
    expect(await run()).toEqual({ current: ['new'], written: false })
    expect(log).toMatchObject({ writes: [], reads: 1, pauses: [] })
  })

  test('that is not verified counts as written if the next attempt has nothing to write', async () => {
    const { change, account, log } = arrange(['a'])
    change.holds = () => false
    expect(await optimisticUpdate(change, account)).toEqual({ current: ['a', 'new'], written: true })
    expect(log.writes).toHaveLength(1)
  })

  test('is verified after a pause as long as the read and the write took', async () => {
    const { log, run } = arrange(['a'])
    await run()
    expect(log.pauses).toEqual([40])
  })

  test('that others overwrite is applied to their state again', async () => {
    const { log, run } = arrange(['a'], { others: [['b'], ['c']] })
    expect(await run()).toEqual({ current: ['c', 'new'], written: true })
    expect(log.writes).toEqual([
      ['a', 'new'],
      ['b', 'new'],
      ['c', 'new'],
    ])
  })

  test('is given up after 16 attempts', async () => {
    const { log, run } = arrange(['a'], { others: Array.from({ length: 20 }, () => ['a']) })
    await expect(run()).rejects.toMatchObject({
      code: 'changed',
      message: 'others changed the words during each of 16 attempts',
      details: { hint: 'Check the current state, and run the command again' },
    })
    expect(log.writes).toHaveLength(16)
  })

  test('is verified after at most two seconds, also after a slow write', async () => {
    const { log, change, account } = arrange(['a'])
    const times = [0, 5000, 10_000, 15_000]
    const slow = { ...account.clock, monotonic: () => times.shift() }
    await optimisticUpdate(change, { ...account, clock: slow } as unknown as Account)
    expect(log.pauses).toEqual([2000])
  })
})

describe('A lost answer', () => {
  test.for([
    [true, 1],
    [false, 2],
  ] as const)('of a write (done: %s) is resolved by a read: %i writes', async ([isDone, count]) => {
    const { log, run } = arrange(['a'], { writes: [lost(isDone)] })
    expect(await run()).toEqual({ current: ['a', 'new'], written: true })
    expect(log.writes).toHaveLength(count)
  })

  test('is resolved by a read, also after a second lost answer', async () => {
    const { log, run } = arrange(['a'], { writes: [lost(false), lost(true)] })
    expect(await run()).toEqual({ current: ['a', 'new'], written: true })
    expect(log.writes).toHaveLength(2)
  })

  test.for<ErrorCode>(['outcome_unknown', 'unavailable', 'rate_limited', 'not_allowed', 'not_signed_in'])(
    'is thrown after a second attempt that ends with %s',
    async (code) => {
      const first = lost(false)
      const { run } = arrange(['a'], { writes: [first, { error: problem(code) }] })
      await expect(run()).rejects.toBe(first.error)
    },
  )

  test('is thrown after a second lost answer if the read fails', async () => {
    const first = lost(false)
    const { run, change, log } = arrange(['a'], { writes: [first, lost(false)] })
    const { look } = change
    change.look = () => (log.writes.length < 2 ? look() : Promise.reject(problem('unavailable')))
    const message = `${first.error.message}; the check failed: it is unavailable`
    await expect(run()).rejects.toMatchObject({ code: 'outcome_unknown', message })
  })

  test('is thrown after a second lost answer if a part of the change cannot be verified', async () => {
    const first = lost(false)
    const { run, change } = arrange(['a'], { writes: [first, lost(true)] })
    change.holds = (words, { lost }) => words.includes('new') && !lost
    await expect(run()).rejects.toBe(first.error)
  })

  test('is replaced by the refusal of the second attempt', async () => {
    const refused = problem('refused')
    const { run } = arrange(['a'], { writes: [lost(false), { error: refused }] })
    await expect(run()).rejects.toBe(refused)
  })

  test.for([
    ['first', [lost(true)], [1]],
    ['first, if the second was not sent', [lost(false), { error: problem('rate_limited'), isDone: true }], [1]],
    ['second', [lost(false), lost(true)], [2]],
    ['second, if that was answered', [lost(false)], []],
  ] as const)('is noted as done for the write that it shows: the %s', async ([, writes, noted]) => {
    const { run, change, log } = arrange(['a'], { writes: [...writes] })
    const done: [number, unknown][] = []
    const { write } = change
    change.write = (words, current, onBegin) => {
      const number = log.writes.length + 1
      onBegin({ done: async (answer) => void done.push([number, answer]), failed: async () => {} })
      return write(words, current, onBegin)
    }
    await run()
    expect(done).toEqual(noted.map((number) => [number, ['a', 'new']]))
  })

  test('after Ctrl-C is thrown unchanged, without another attempt', async () => {
    const { run, change, log } = arrange(['a'])
    const first = lost(true).error
    change.write = async (words) => {
      log.writes.push(words)
      log.abort.abort()
      throw first
    }
    await expect(run()).rejects.toBe(first)
    expect(log.writes).toHaveLength(1)
  })
})

describe('A failure', () => {
  test('of the first read or write is thrown unchanged', async () => {
    const failure = problem('unavailable')
    await expect(arrange(['a'], { reads: [{ error: failure }] }).run()).rejects.toBe(failure)
    const { run, log } = arrange(['a'], { writes: [{ error: failure }] })
    await expect(run()).rejects.toBe(failure)
    expect(log).toMatchObject({ reads: 1, pauses: [] })
  })

  const verifyWith = async (code: ErrorCode, write?: Failure) => {
    const { run, change, log } = arrange(['a'], { writes: write ? [write] : [] })
    const { look } = change
    change.look = () => (log.writes.length === 0 ? look() : Promise.reject(problem(code)))
    return run().catch((error: unknown) => error)
  }

  test('of the verification makes the outcome unknown', async () => {
    expect(await verifyWith('unavailable')).toMatchObject({
      code: 'outcome_unknown',
      message: 'it is unavailable; the change was accepted, but skyctl could not verify it',
      details: { hint: 'Check the current state' },
    })
  })

  test('of the verification with a final error reports that the change was made', async () => {
    expect(await verifyWith('not_found')).toMatchObject({
      code: 'not_found',
      message: 'it is not_found, after the words were changed',
    })
  })

  test('of the pause before the verification reports that the change was made', async () => {
    const { change, account } = arrange(['a'])
    const clock = { ...account.clock, sleep: () => Promise.reject(problem('interrupted')) }
    await expect(optimisticUpdate(change, { ...account, clock } as unknown as Account)).rejects.toMatchObject({
      code: 'interrupted',
      message: 'it is interrupted, after the words were changed',
    })
  })

  test('of the verification after a lost answer is named, and thrown only if it decides', async () => {
    const write = lost(true)
    for (const code of ['unavailable', 'interrupted', 'not_allowed'] as const)
      expect(await verifyWith(code, write)).toMatchObject({
        code: 'outcome_unknown',
        message: `it is outcome_unknown; the check failed: it is ${code}`,
        cause: { code },
      })
    expect(await verifyWith('not_found', write)).toMatchObject({ code: 'not_found', message: 'it is not_found' })
  })

  test('by an internal error is thrown unchanged', async () => {
    const defect = new TypeError('x')
    const { run, change, log } = arrange(['a'])
    const { look } = change
    change.look = () => (log.writes.length === 0 ? look() : Promise.reject(defect))
    await expect(run()).rejects.toBe(defect)
  })
})

describe('A replacement', () => {
  const refusals: [string, string][] = []
  const replacement = (before: string | undefined) =>
    replacing<string>({
      before,
      after: 'new',
      same: (one, other) => one === other,
      refuse(standing, when) {
        refusals.push([standing, when])
        return problem('refused')
      },
    })
  const attemptOn = (standing: string, isLost = false): Attempt<string> => ({
    ...{ before: standing, desired: 'new' },
    ...(isLost && { lost: problem('outcome_unknown') }),
  })

  test('is visible if the current state is the new one', () => {
    expect(replacement('a').holds('new', attemptOn('a'))).toBe(true)
    expect(replacement('a').holds('a', attemptOn('a'))).toBe(false)
  })

  test.for<[string, string | undefined, string, Attempt<string> | undefined, string | undefined]>([
    ['if the current state is the expected one', 'a', 'a', undefined, 'new'],
    ['over any state if none is expected', undefined, 'b', undefined, 'new'],
    ['only if it is not yet visible', 'a', 'new', undefined, undefined],
    [
      'again after a lost answer, if the current state is still the expected one',
      'a',
      'a',
      attemptOn('a', true),
      'new',
    ],
    [
      'again after a lost answer, if the state is still the same as before it',
      undefined,
      'b',
      attemptOn('b', true),
      'new',
    ],
  ])('is written %s', async ([, before, standing, last, expected]) => {
    expect(await replacement(before).make(standing, last)).toBe(expected)
  })

  test.for<[string | undefined, string, Attempt<string> | undefined, string]>([
    ['a', 'b', undefined, 'before'],
    ['a', 'b', attemptOn('a'), 'after'],
    ['a', 'a', attemptOn('a'), 'after'],
    ['a', 'b', attemptOn('a', true), 'lost'],
    [undefined, 'c', attemptOn('b', true), 'lost'],
  ])('of %s is given up if the current state is %s', async ([before, standing, last, when]) => {
    refusals.length = 0
    await expect(replacement(before).make(standing, last)).rejects.toMatchObject({ code: 'refused' })
    expect(refusals).toEqual([[standing, when]])
  })
})
