/** How a lock is waited for: how often is looked, and when not at all. */
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLock, tryLock, withLock } from '../../src/files/lock'
import { self } from '../../src/files/process-id'

let folder: string
let path: string
/** In milliseconds, and whether an interruption would end it. */
let pauses: { ms: number; ends: boolean }[]
/** What happens in the next pauses. */
let events: (() => void)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-waiting-'))
  path = join(folder, 'x.lock')
  pauses = []
  events = []
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.spyOn(timers, 'setTimeout').mockImplementation((async (
    ms = 0,
    _: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    pauses.push({ ms, ends: signal !== undefined })
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
  rmSync(folder, { recursive: true, force: true })
})

const elsewhere = { pid: 1, host: 'elsewhere.example.net', mark: '0123456789abcdef' }
const hold = (holder: object = elsewhere) => writeFileSync(path, JSON.stringify(holder))
const lengths = () => pauses.map(({ ms }) => ms)

test('a lock that is free is taken at once', async () => {
  for (const _ of [1, 2]) (await holdLock(path, { waitMs: 1000 })).release()
  expect(pauses).toEqual([])
})

test.for([
  [0, 0.5],
  [0.999_999, 1],
])(
  'a lock of a process that can be asked is looked at again after 4 ms, and every 25 at last, times %f',
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

test('a lock of one that only time tells of is looked at every half second at last', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  hold()
  await expect(holdLock(path, { waitMs: 1000 })).rejects.toThrow('is held by process 1 on elsewhere.example.net')
  expect(lengths()).toEqual([2, 4, 8, 16, 32, 64, 128, 250, 250, 250])
})

test('a lock is waited for until the time is up, and no longer', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  hold()
  await expect(holdLock(path, { waitMs: 2 })).rejects.toThrow('is held by')
  expect(lengths()).toEqual([2])
  pauses = []
  await expect(holdLock(path)).rejects.toThrow('is held by')
  expect(pauses).toEqual([])
})

test('a lock that is taken by another between two looks is waited for as long as by that', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  hold()
  events = [() => {}, () => hold({ ...elsewhere, mark: 'f'.repeat(16) })]
  await expect(holdLock(path, { waitMs: 7 })).rejects.toThrow('is held by')
  expect(lengths()).toEqual([2, 4, 8])
})

test('a lock that vanishes while it is looked at, and is taken again, is waited for', async () => {
  const { openSync } = fs
  let looks = 0
  vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
    // Between the look, which found none, and the try to create it.
    if (Number(flags) & fs.constants.O_EXCL && looks++ === 0) hold()
    return openSync(file, flags, mode)
  })
  syncBuiltinESMExports()
  events = [() => {}, () => rmSync(path)]
  const lock = await holdLock(path, { waitMs: 1000 })
  expect(pauses).toHaveLength(2)
  lock.release()
})

test('a pause ends where it is interrupted, and its reason is thrown', async () => {
  const abort = new AbortController()
  hold()
  events = [() => abort.abort(new Error('enough'))]
  await expect(holdLock(path, { waitMs: 1000, signal: abort.signal })).rejects.toThrow('enough')
  expect(pauses).toEqual([{ ms: expect.any(Number), ends: true }])
})

test('who was asked for the lock while he held it pauses once before he asks for it again', async () => {
  const lock = await holdLock(path)
  events = [() => lock.release()]
  await withLock(path, () => {}, { waitMs: 1000 })
  expect(pauses).toHaveLength(1)
  await withLock(path, () => {})
  expect(pauses).toHaveLength(2)
  expect(pauses[1]?.ms).toBeGreaterThanOrEqual(12.5)
  expect(pauses[1]?.ms).toBeLessThanOrEqual(25)
  await withLock(path, () => {})
  expect(pauses).toHaveLength(2)
})

test('a holder that lives is not claimed', async () => {
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
