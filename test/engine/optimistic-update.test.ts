/** A change of what others change at the same time (reliability.md): made again until it stands, or given up. */
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { type Attempt, type OptimisticUpdate, optimisticUpdate, replacing } from '../../src/account/optimistic-update'
import { type ErrorCode, Problem } from '../../src/errors'
import { temporaryFolder } from '../support/temporary-folder'

const problem = (code: ErrorCode) => new Problem(code, `it is ${code}`)

/** A list of words, and what becomes of each look and write in turn: done, or failed before or after it was done. */
function arrange(standing: readonly string[], plan: { looks?: Fate[]; writes?: Fate[]; others?: string[][] } = {}) {
  const state = temporaryFolder()
  const { looks = [], writes = [], others = [] } = plan
  const abort = new AbortController()
  const told = { now: [...standing], written: [] as string[][], looks: 0, slept: [] as number[], abort }
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
      now: () => time,
      async sleep(ms: number) {
        told.slept.push(ms)
        // Somebody else has written what was made of an older state.
        told.now = others.shift() ?? told.now
      },
    },
  } as unknown as Account
  const change: OptimisticUpdate<string[], string[]> = {
    what: ['words', 1],
    name: 'the words',
    async look() {
      told.looks += 1
      time += 10
      const fate = looks.shift()
      if (fate) throw fate.error
      return [...told.now]
    },
    async make(now, _last) {
      return now.includes('new') ? undefined : [...now, 'new']
    },
    async write(wanted) {
      told.written.push(wanted)
      time += 30
      const fate = writes.shift()
      if (!fate || fate.done) told.now = wanted
      if (fate) throw fate.error
    },
    holds: (now) => now.includes('new'),
  }
  return { told, account, change, run: () => optimisticUpdate(change, account) }
}

interface Fate {
  error: Error
  /** It was written all the same. */
  done?: boolean
}

const lost = (done: boolean): Fate => ({ error: problem('outcome_unknown'), done })

describe('a change', () => {
  test('is written once, and looked for', async () => {
    const { told, run } = arrange(['a'])
    expect(await run()).toEqual({ standing: ['a', 'new'], written: true })
    expect(told).toMatchObject({ written: [['a', 'new']], looks: 2 })
  })

  test('that stands already is not written', async () => {
    const { told, run } = arrange(['new'])
    expect(await run()).toEqual({ standing: ['new'], written: false })
    expect(told).toMatchObject({ written: [], looks: 1, slept: [] })
  })

  test('counts as written where a later change of others leaves nothing to write', async () => {
    const { change, account, told } = arrange(['a'])
    change.holds = () => false
    expect(await optimisticUpdate(change, account)).toEqual({ standing: ['a', 'new'], written: true })
    expect(told.written).toHaveLength(1)
  })

  test('is looked for after as long as it took', async () => {
    const { told, run } = arrange(['a'])
    await run()
    expect(told.slept).toEqual([40])
  })

  test('that others have written over is made again of what stands then', async () => {
    const { told, run } = arrange(['a'], { others: [['b'], ['c']] })
    expect(await run()).toEqual({ standing: ['c', 'new'], written: true })
    expect(told.written).toEqual([
      ['a', 'new'],
      ['b', 'new'],
      ['c', 'new'],
    ])
  })

  test('is given up after sixteen times', async () => {
    const { told, run } = arrange(['a'], { others: Array.from({ length: 20 }, () => ['a']) })
    await expect(run()).rejects.toMatchObject({
      code: 'changed',
      message: 'others changed the words during each of 16 attempts',
      details: { hint: 'Check the current state, and run the command again' },
    })
    expect(told.written).toHaveLength(16)
  })

  test('waits two seconds at most, however long a write took', async () => {
    const { told, change, account } = arrange(['a'])
    const times = [0, 5000, 10_000, 15_000]
    const slow = { ...account.clock, now: () => times.shift() }
    await optimisticUpdate(change, { ...account, clock: slow } as unknown as Account)
    expect(told.slept).toEqual([2000])
  })
})

describe('a lost answer', () => {
  test.for([
    [true, 1],
    [false, 2],
  ] as const)('of what was written (%s) is settled by what stands: %i writes', async ([done, count]) => {
    const { told, run } = arrange(['a'], { writes: [lost(done)] })
    expect(await run()).toEqual({ standing: ['a', 'new'], written: true })
    expect(told.written).toHaveLength(count)
  })

  test('is settled by what stands also where the second is lost', async () => {
    const { told, run } = arrange(['a'], { writes: [lost(false), lost(true)] })
    expect(await run()).toEqual({ standing: ['a', 'new'], written: true })
    expect(told.written).toHaveLength(2)
  })

  test.for<ErrorCode>(['outcome_unknown', 'unavailable', 'rate_limited'])(
    'that a second one with %s does not settle is thrown',
    async (code) => {
      const first = lost(false)
      const { run } = arrange(['a'], { writes: [first, { error: problem(code) }] })
      await expect(run()).rejects.toBe(first.error)
    },
  )

  test('is thrown where a second is lost, and nothing can be seen', async () => {
    const first = lost(false)
    const { run, change, told } = arrange(['a'], { writes: [first, lost(false)] })
    const { look } = change
    change.look = () => (told.written.length < 2 ? look() : Promise.reject(problem('unavailable')))
    await expect(run()).rejects.toBe(first.error)
  })

  test('is thrown where a second is lost, and the rest of the change cannot be seen', async () => {
    const first = lost(false)
    const { run, change } = arrange(['a'], { writes: [first, lost(true)] })
    change.holds = (now, { lost }) => now.includes('new') && !lost
    await expect(run()).rejects.toBe(first.error)
  })

  test('tells nothing where the second is refused', async () => {
    const refused = problem('refused')
    const { run } = arrange(['a'], { writes: [lost(false), { error: refused }] })
    await expect(run()).rejects.toBe(refused)
  })

  test('after Ctrl-C is told as it is, and nothing is sent again', async () => {
    const { run, change, told } = arrange(['a'])
    const first = lost(true).error
    change.write = async (wanted) => {
      told.written.push(wanted)
      told.abort.abort()
      throw first
    }
    await expect(run()).rejects.toBe(first)
    expect(told.written).toHaveLength(1)
  })
})

describe('a failure', () => {
  test('of the first look or write is told as it is', async () => {
    const gone = problem('unavailable')
    await expect(arrange(['a'], { looks: [{ error: gone }] }).run()).rejects.toBe(gone)
    const { run, told } = arrange(['a'], { writes: [{ error: gone }] })
    await expect(run()).rejects.toBe(gone)
    expect(told).toMatchObject({ looks: 1, slept: [] })
  })

  const second = async (code: ErrorCode, write?: Fate) => {
    const { run, change, told } = arrange(['a'], { writes: write ? [write] : [] })
    const { look } = change
    change.look = () => (told.written.length === 0 ? look() : Promise.reject(problem(code)))
    return run().catch((error: unknown) => error)
  }

  test('to look for what was written leaves its outcome open', async () => {
    expect(await second('unavailable')).toMatchObject({
      code: 'outcome_unknown',
      message: 'it is unavailable; the change was accepted, but skyctl could not verify it',
      details: { hint: 'Check the current state' },
    })
  })

  test('to look, that is a verdict, says after what', async () => {
    expect(await second('not_found')).toMatchObject({
      code: 'not_found',
      message: 'it is not_found, after the words were changed',
    })
  })

  test('to wait for that look, as on Ctrl-C, says after what', async () => {
    const { change, account } = arrange(['a'])
    const clock = { ...account.clock, sleep: () => Promise.reject(problem('interrupted')) }
    await expect(optimisticUpdate(change, { ...account, clock } as unknown as Account)).rejects.toMatchObject({
      code: 'interrupted',
      message: 'it is interrupted, after the words were changed',
    })
  })

  test('to look after a lost answer leaves that, unless it is a verdict', async () => {
    const write = lost(true)
    expect(await second('unavailable', write)).toBe(write.error)
    expect(await second('not_found', write)).toMatchObject({ code: 'not_found', message: 'it is not_found' })
  })

  test('of ours is told as it is', async () => {
    const defect = new TypeError('x')
    const { run, change, told } = arrange(['a'])
    const { look } = change
    change.look = () => (told.written.length === 0 ? look() : Promise.reject(defect))
    await expect(run()).rejects.toBe(defect)
  })
})

describe('a change that was made of one state', () => {
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
  const written = (standing: string, isLost = false): Attempt<string, string> => ({
    ...{ standing, wanted: 'new' },
    ...(isLost && { lost: problem('outcome_unknown') }),
  })

  test('holds where what it makes stands', () => {
    expect(replacement('a').holds('new', written('a'))).toBe(true)
    expect(replacement('a').holds('a', written('a'))).toBe(false)
  })

  test.for<[string, string | undefined, string, Attempt<string, string> | undefined, string | undefined]>([
    ['where that stands', 'a', 'a', undefined, 'new'],
    ['whatever stands, where nothing is expected', undefined, 'b', undefined, 'new'],
    ['not where it stands already', 'a', 'new', undefined, undefined],
    ['again after a lost answer, where that stands still', 'a', 'a', written('a', true), 'new'],
    ['again after a lost answer, where what stood then stands still', undefined, 'b', written('b', true), 'new'],
  ])('is written %s', async ([, before, standing, last, expected]) => {
    expect(await replacement(before).make(standing, last)).toBe(expected)
  })

  test.for<[string | undefined, string, Attempt<string, string> | undefined, string]>([
    ['a', 'b', undefined, 'before'],
    ['a', 'b', written('a'), 'after'],
    ['a', 'a', written('a'), 'after'],
    ['a', 'b', written('a', true), 'lost'],
    [undefined, 'c', written('b', true), 'lost'],
  ])('of %s is given up where %s stands', async ([before, standing, last, when]) => {
    refusals.length = 0
    await expect(replacement(before).make(standing, last)).rejects.toMatchObject({ code: 'refused' })
    expect(refusals).toEqual([[standing, when]])
  })
})
