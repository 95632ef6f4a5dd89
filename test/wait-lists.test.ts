/**
 * Waits for many objects, with a service whose lists are late, old, wrong or unreadable: a wait ends when the state is
 * reached, and never before.
 */
import { describe, expect } from 'vitest'
import type { VolumeRecord } from '../src/sandbox/tables/volumes'
import { test as libraryTest } from './support/library'
import { test as base, type Fixtures, type Result } from './support/skyctl'

type Shown = Pick<VolumeRecord, 'id' | 'label' | 'status' | 'size' | 'updated'>

const names = ['a', 'b', 'c', 'd', 'e']
const transitionMs = 3000

const record = ({ id, label, status, size, updated }: Shown) => ({
  ...{ id, label, status, size, updated, region: 'us-east', compute_id: null, compute_label: null, tags: [] },
  ...{ filesystem_path: `/dev/${label}`, hardware_type: 'nvme', created: '2026-01-01T00:00:00' },
})
interface Refusal {
  errors: readonly object[]
}

const isRefusal = (answer: object | undefined): answer is Refusal => answer !== undefined && 'errors' in answer

const page = (data: readonly object[], more = {}) => ({ data, page: 1, pages: 1, results: data.length, ...more })
const refused = (reason: string, field?: string): Refusal => ({ errors: [{ reason, ...(field && { field }) }] })

/** The volumes that are waited for, as they are and as they were before the change. */
interface Volumes {
  now: readonly Shown[]
  before: readonly Shown[]
}

interface Reading extends Volumes {
  isFiltered: boolean
  /** Number of lists that were read before. */
  reads: number
  number: number
  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void
}

const stranger = (id: number): Shown => ({
  id,
  label: `other-${id}`,
  status: 'active',
  size: 40,
  updated: '2026-01-15T12:00:09',
})

/** Answers to a list; undefined: the service answers. */
type Answer = (reading: Reading) => object | undefined

const lists: Record<string, Answer> = {
  'as they are': () => undefined,
  'as they were before the change': ({ before }) => page(before.map(record)),
  'as they were before a change in the same second': ({ before, now }) =>
    page(before.map((one, index) => record({ ...one, updated: now[index]?.updated ?? '' }))),
  'as they were before the change, for two reads': ({ before, reads }) =>
    reads < 2 ? page(before.map(record)) : undefined,
  'without any of them': () => page([]),
  'without any of them, for two reads': ({ reads }) => (reads < 2 ? page([]) : undefined),
  'without one of them': ({ now }) => page(now.slice(1).map(record)),
  'with others for the filter': ({ isFiltered }) =>
    isFiltered ? page([stranger(1), stranger(2)].map(record)) : undefined,
  'with others in any case': () => page([stranger(1), stranger(2)].map(record)),
  'although the filter is ignored': ({ now }) => page([stranger(1), ...now, stranger(2)].map(record)),
  'although the filter is refused': ({ isFiltered }) =>
    isFiltered ? refused('Cannot filter on id', 'X-Filter') : undefined,
  'without the status': ({ now }) =>
    page(now.map(({ status: _, ...one }) => ({ ...record({ ...one, status: 'active' }), status: undefined }))),
  'with fewer records than promised': ({ now }) => page(now.slice(2).map(record), { results: 5 }),
  'with pages that move while they are read': ({ now, number }) =>
    number === 2
      ? page(now.slice(3).map(record), { page: 2, pages: 2, results: 4 })
      : page(now.slice(0, 2).map(record), { pages: 2, results: 5 }),
  'with older records on a second page': ({ now, before, number }) =>
    page((number === 2 ? before : now).map(record), { page: number, pages: 2, results: 10 }),
  'that are late': ({ now, pass }) => {
    const then = page(now.map(record))
    pass(8000)
    return then
  },
  'with a page that repeats the one before': ({ now, number }) =>
    page(now.map(record), { page: number, pages: 2, results: 10 }),
  'as nonsense': () => ({ volumes: [] }),
  'as a refusal': () => refused('Not today'),
}

const ours = ({ volumes }: Fixtures['world']) => volumes.all().filter(({ label }) => names.includes(label))

/** Runs a line whose waits read such lists; other look-ups in lists have a filter of labels. */
type Run = (
  line: string,
  list: Answer,
  options?: string | { stdin: string; transitionMs: number },
) => Promise<Result & { waited: number; reads: number }>

const test = base.extend<{ run: Run }>({
  run: async ({ skyctl, meanwhile, world, clock }, use) =>
    use(async (line, list, options = '') => {
      const { stdin, ...slow } = typeof options === 'string' ? { stdin: options, transitionMs } : options
      world.transitionMs = slow.transitionMs
      const before = ours(world)
      let reads = 0
      let answer: ReturnType<Answer>
      const { baseUrl } = await meanwhile({
        refuse({ method, path, filter }) {
          // A change takes a moment, so waits begin one after the other.
          if (method === 'POST') clock.advance(90)
          const isWait = method === 'GET' && path.startsWith('/volumes?') && !filter?.includes('label')
          const number = Number(/[?&]page=(\d+)/.exec(path)?.[1])
          answer = isWait
            ? list({ now: ours(world), before, isFiltered: filter !== undefined, reads, number, pass: clock.advance })
            : undefined
          if (isWait) reads += 1
          return isRefusal(answer) ? answer : undefined
        },
        answer: () => answer,
      })
      const began = clock.now()
      const result = await skyctl(line, { stdin, env: { SKYCTL_BASE_URL: baseUrl } })
      return { ...result, waited: clock.now() - began, reads }
    }),
})

describe.for(Object.entries(lists))('A wait with lists %s', ([, list]) => {
  test('ends when volumes are resized, not before', async ({ run, world }) => {
    const ids = names.map((label) => world.volume({ label, updated: '2026-01-15T11:00:00' }).id)
    const targets = ids.map((id) => `${id}\n`).join('')
    const line = 'volumes resize - --size 40 --wait --json'
    const { exit, stdout, stderr, waited, reads } = await run(line, list, targets)
    expect(exit, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject(ids.map((id) => ({ id, status: 'active', size: 40, ok: true })))
    expect(waited).toBeGreaterThanOrEqual(transitionMs)
    expect(waited).toBeLessThan(60_000)
    expect(world.requests('POST').length).toBe(names.length)
    expect(reads).toBeGreaterThan(0)
  })

  test('ends when volumes are created, each once', async ({ run, world }) => {
    const bodies = names.map((label) => `${JSON.stringify({ label, region: 'us-east', size: 40 })}\n`).join('')
    const { exit, stdout, stderr, waited } = await run('volumes create --body - --wait --json', list, bodies)
    expect(exit, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject(names.map((label) => ({ label, status: 'active', ok: true })))
    expect(waited).toBeGreaterThanOrEqual(transitionMs)
    expect(
      ours(world)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(names)
  })

  test('reports a volume that is deleted meanwhile', async ({ run, world }) => {
    const ids = names.map((label) => world.volume({ label, status: 'resizing', ready_at: null }).id)
    const [first = 0, ...others] = ids
    const vanishing: Answer = (reading) => {
      world.volumes.delete(first)
      for (const one of ours(world)) world.volumes.put({ ...one, status: 'active' })
      return list(reading)
    }
    const line = `volumes wait ${ids.join(' ')} --wait-timeout 2m --json`
    const { exit, stdout } = await run(line, vanishing)
    expect(exit).toBe(9)
    expect(JSON.parse(stdout)).toMatchObject([
      { id: first, ok: false, error: { code: 'not_found' } },
      ...others.map((id) => ({ id, ok: true })),
    ])
  })
})

test.for(['without any of them', 'as they were before the change'])(
  'Lists %s for long are no reason for many requests',
  async (name, { run, world }) => {
    const ids = names.map((label) => world.volume({ label, updated: '2026-01-15T11:00:00' }).id)
    const targets = ids.map((id) => `${id}\n`).join('')
    const line = 'volumes resize - --size 40 --wait --wait-timeout 15m'
    const list = lists[name] ?? (() => undefined)
    const { exit, waited } = await run(line, list, { stdin: targets, transitionMs: 600_000 })
    expect(exit).toBe(0)
    expect(waited).toBeLessThan(670_000)
    const single = world.requests('GET').filter(({ path }) => /\/volumes\/\d+$/.test(path)).length
    // The last two are read by themselves, every 5 seconds.
    expect(single).toBeLessThan(names.length * 20 + 40)
  },
)

/** Creates ten volumes that take three seconds, and waits for them. */
async function createTen(run: Run, list: Answer) {
  const filtered: boolean[] = []
  const stdin = Array.from({ length: 10 }, (_, index) => `{"label":"many-${index}","region":"us-east"}`).join('\n')
  const watched: Answer = (reading) => {
    filtered.push(reading.isFiltered)
    return list(reading)
  }
  const { exit, stderr } = await run('volumes create --body - --wait --concurrency 1', watched, stdin)
  expect(exit, stderr).toBe(0)
  return filtered
}

const singleReads = (world: Fixtures['world']) =>
  world.requests('GET').filter(({ path }) => /^\/volumes\/\d+$/.test(path)).length

test('Waits that begin one after the other share lists', async ({ run }) => {
  const filtered = await createTen(run, () => undefined)
  expect(filtered.length).toBeLessThan(12)
})

test('A filter that finds nothing is no reason to read each volume by itself', async ({ run, world }) => {
  await createTen(run, ({ isFiltered }) => (isFiltered ? page([]) : undefined))
  expect(singleReads(world)).toBeLessThan(10)
})

test('A filter that is ignored is sent once', async ({ run, world }) => {
  const all = () => page(world.volumes.all().map(record))
  const filtered = await createTen(run, all)
  expect(filtered.filter(Boolean)).toHaveLength(1)
})

test('Two volumes are read by themselves, and never by their list', async ({ run, world }) => {
  const ids = ['a', 'b'].map((label) => world.volume({ label }).id)
  const { exit, reads } = await run('volumes resize - --size 40 --wait', () => undefined, ids.join('\n'))
  expect({ exit, reads }).toEqual({ exit: 0, reads: 0 })
})

test('Each of two volumes that are gone needs one request to prove it', async ({ skyctl, world }) => {
  expect(await skyctl('volumes wait 98 99 --for deleted')).toMatchObject({ exit: 0 })
  expect(world.requests('GET')).toHaveLength(2)
})

test('A deletion is not believed because a list lacks the volume', async ({ run, world }) => {
  const ids = names.map((label) => world.volume({ label }).id)
  const line = `volumes wait ${ids.join(' ')} --for deleted --wait-timeout 20s`
  const { exit } = await run(line, () => page([]))
  expect(exit).toBe(10)
})

libraryTest('Waits of a program share lists, too', async ({ library, meanwhile, world, env }) => {
  const labels = Array.from({ length: 12 }, (_, index) => `own-${index}`)
  const { baseUrl } = await meanwhile({
    after({ method }) {
      if (method !== 'POST') return
      for (const volume of world.volumes.all()) world.volumes.put({ ...volume, status: 'active', ready_at: null })
    },
  })
  const { call } = library({ env: { ...env, SKYCTL_BASE_URL: baseUrl } })
  const results = await Promise.all(
    labels.map((label) => call('volumes.create', { label, region: 'us-east' }, { wait: true })),
  )
  expect(results).toMatchObject(labels.map((label) => ({ outcome: 'done', record: { label, status: 'active' } })))
  const reads = world.requests('GET').map(({ path }) => path)
  expect(reads.filter((path) => /^\/volumes\/\d+$/.test(path)).length).toBeLessThanOrEqual(2)
})
