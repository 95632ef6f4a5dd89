/** Waiting for a lock: the polling intervals, and when not to wait. */
import fs, { rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLock, tryLock, withLock } from '../../src/files/lock'
import { self } from '../../src/files/process-id'
import { temporaryFolder } from '../support/temporary-folder'

let folder: string
let path: string
/** Length of each pause in milliseconds, and whether an abort signal can end it. */
let pauses: { ms: number; isAbortable: boolean }[]
/** Actions during the next pauses. */
let events: (() => void)[]

beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder, 'x.lock')
  pauses = []
  events = []
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.spyOn(timers, 'setTimeout').mockImplementation((async (
    ms = 0,
    _: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    pauses.push({ ms, isAbortable: signal !== undefined })
    vi.advanceTimersByTime(ms)
    events.shift()?.()
    signal?.throwIfAborted()
  }) as typeof timers.setTimeout)
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  syncBuiltinESMExports()
})

const elsewhere = { pid: 1, host: 'elsewhere.example.net', mark: '0123456789abcdef' }
const writeLock = (owner: object = elsewhere) => writeFileSync(path, JSON.stringify(owner))
const lengths = () => pauses.map(({ ms }) => ms)

test('A free lock is acquired at once', async () => {
  for (const _ of [1, 2]) (await holdLock(path, { waitMs: 1000 })).release()
  expect(pauses).toEqual([])
})

test.for([
  [0, 0.5],
  [0.999_999, 1],
])(
  'A lock of a local process is polled after 4 ms at first, finally every 25 ms, times $1',
  async ([random = 0, times = 0]) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const other = tryLock(path)
    await expect(holdLock(path, { waitMs: 90 * times })).rejects.toThrow(
      `is held by process ${process.pid} on ${self().host}`,
    )
    expect(lengths().map((ms) => Math.round(100 * ms))).toEqual([4, 8, 16, 25, 25, 25].map((ms) => 100 * ms * times))
    other?.release()
  },
)

test('Waiting ends when the time is over', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  writeLock()
  await expect(holdLock(path, { waitMs: 2 })).rejects.toThrow('is held by')
  expect(lengths()).toEqual([2])
  pauses = []
  await expect(holdLock(path)).rejects.toThrow('is held by')
  expect(pauses).toEqual([])
})

test('Waiting goes on if another process acquires the lock between two polls', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  writeLock()
  events = [() => {}, () => writeLock({ ...elsewhere, mark: 'f'.repeat(16) })]
  await expect(holdLock(path, { waitMs: 7 })).rejects.toThrow('is held by')
  expect(lengths()).toEqual([2, 4, 8])
})

test('Waiting takes the whole time for each holder', async () => {
  writeLock()
  const hold = (mark: string) => () => {
    vi.advanceTimersByTime(9_000)
    writeLock({ ...elsewhere, mark: mark.repeat(16) })
  }
  events = [hold('b'), hold('c'), hold('d'), () => rmSync(path)]
  expect(await withLock(path, () => 'done')).toBe('done')
  writeLock()
  events = [hold('b'), () => vi.advanceTimersByTime(10_001)]
  await expect(withLock(path, () => 'done')).rejects.toThrow('is held by process 1 on elsewhere.example.net')
})

test('Waiting goes on if a lock vanishes during a poll and is acquired again', async () => {
  const { openSync } = fs
  let attempts = 0
  vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
    // Between the poll, which found no lock, and the attempt to create it.
    if (Number(flags) & fs.constants.O_EXCL && attempts++ === 0) writeLock()
    return openSync(file, flags, mode)
  })
  syncBuiltinESMExports()
  events = [() => {}, () => rmSync(path)]
  const lock = await holdLock(path, { waitMs: 1000 })
  expect(pauses).toHaveLength(2)
  lock.release()
})

test('An abort ends a pause, and its reason is thrown', async () => {
  const abort = new AbortController()
  writeLock()
  events = [() => abort.abort(new Error('enough'))]
  await expect(holdLock(path, { waitMs: 1000, signal: abort.signal })).rejects.toThrow('enough')
  expect(pauses).toEqual([{ ms: expect.any(Number), isAbortable: true }])
})

test('A process that acquires a lock again and again pauses once in 250 ms, for others', async () => {
  for (let taken = 0; taken < 10; taken += 1) {
    await withLock(path, () => {})
    vi.advanceTimersByTime(50)
  }
  expect(pauses).toHaveLength(1)
  expect(pauses[0]?.ms).toBeGreaterThanOrEqual(12.5)
  expect(pauses[0]?.ms).toBeLessThanOrEqual(25)
})

test('The lock of a running process is not claimed', async () => {
  const opened: unknown[] = []
  const { openSync } = fs
  const other = tryLock(path)
  vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
    opened.push(file)
    return openSync(file, flags, mode)
  })
  syncBuiltinESMExports()
  expect(tryLock(path)).toBeUndefined()
  expect(new Set(opened)).toEqual(new Set([path]))
  other?.release()
})
