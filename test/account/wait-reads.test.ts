/** Reads of the objects that are waited for: how many requests, and when. */
import { describe, expect, test, vi } from 'vitest'
import type { Account } from '../../src/account/account'
import type { Id, Item } from '../../src/account/resource'
import { active, attachedTo, volumeResource } from '../../src/account/resources/volume'
import { waitUntil } from '../../src/account/wait'
import { keepingPlace, WaitLimit } from '../../src/account/wait-limit'
import { sharedReadsOf } from '../../src/account/wait-reads'
import { Problem } from '../../src/errors'

interface Read {
  /** Time in milliseconds. */
  at: number
  /** `list`, `filter`, or the id of an object that is read by itself. */
  what: string | Id
}

interface Service {
  /** Answers a list, filtered by these ids; the service has the volumes 1 to 9 by default. */
  list?(ids: readonly Id[] | undefined): Item[] | Promise<Item[]>
  view?(id: Id): Item | Promise<Item>
}

/** A pause of this length ends only when it is interrupted. */
const endlessMs = 600_000

const volume = (id: Id, status = 'creating'): Item => ({ id: Number(id), label: `v${id}`, status, compute_id: null })
const nine = () => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => volume(id))

/** Returns an account of this service, whose time passes only in pauses, its reads, and the signals of its pauses. */
function accountOf({ list = nine, view = volume }: Service) {
  const reads: Read[] = []
  const pauses: (AbortSignal | undefined)[] = []
  const interruption = new AbortController()
  let time = 0
  const client = {
    async call(_: unknown, { path }: { path: { volumeId: Id } }) {
      reads.push({ at: time, what: path.volumeId })
      return view(path.volumeId)
    },
    async *pages(_: unknown, { filter }: { filter?: { '+or': { id: Id }[] } }) {
      reads.push({ at: time, what: filter ? 'filter' : 'list' })
      yield await list(filter?.['+or'].map(({ id }) => id))
    },
  }
  const clock = {
    monotonic: () => time,
    random: () => 0.5,
    whileWaiting: keepingPlace,
    async sleep(ms: number, signal?: AbortSignal) {
      pauses.push(signal)
      if (ms >= endlessMs) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      time += ms
    },
  }
  const account = {
    ...{ signal: interruption.signal, client: async () => client },
    clock: { ...clock, waitLimit: new WaitLimit(60_000, clock) },
    access: { context: async () => undefined },
    reporter: { status: async () => {}, progress: async () => ({ shown: true, done() {} }) },
  } as unknown as Account
  const look = async (id: number, within = 0, isAlone = false) =>
    (await sharedReadsOf(volumeResource, account)).look({
      ...{ id, field: 'status', due: time + within, isAlone, account, resource: volumeResource },
    })
  return { account, reads, look, pauses, interrupt: () => interruption.abort(new Error('interrupted')) }
}

const whats = (reads: readonly Read[]) => reads.map(({ what }) => what)
const three = [1, 2, 3] as const

describe('Looks at a few objects', () => {
  test('are requests for each of them, when they are due', async () => {
    const { look, reads } = accountOf({})
    await Promise.all([look(1), look(2, 700)])
    expect(reads).toEqual([
      { at: 0, what: 1 },
      { at: 700, what: 2 },
    ])
  })
})

describe('Looks at many objects', () => {
  test('are one request for all of them, when the first is due', async () => {
    const { look, reads } = accountOf({ list: () => nine().slice(0, 3) })
    const sightings = await Promise.all([look(1, 400), look(2, 500), look(3, 4000)])
    expect(sightings.map(({ record }) => record?.id)).toEqual([1, 2, 3])
    expect(reads).toEqual([{ at: 400, what: 'filter' }])
  })

  test('share the next list for half a second', async () => {
    const { look, reads } = accountOf({ list: () => nine().slice(0, 3) })
    await Promise.all(three.map((id) => look(id)))
    await Promise.all(three.map((id, index) => look(id, 100 * index)))
    expect(reads.map(({ at }) => at)).toEqual([0, 500])
  })

  test('are requests for each of the last two, when they are due', async () => {
    const { look, reads } = accountOf({ list: () => nine().slice(0, 3) })
    await Promise.all(three.map((id) => look(id)))
    await Promise.all([look(1, 100, true), look(2, 200), look(3, 200)])
    expect(reads).toEqual([
      { at: 0, what: 'filter' },
      { at: 100, what: 1 },
      { at: 200, what: 2 },
      { at: 200, what: 3 },
    ])
  })

  test('end with an interruption, and so does the pause before them', async () => {
    const { look, reads, pauses, interrupt } = accountOf({})
    const looks = three.map((id) => look(id, endlessMs))
    // The first pause lets waits that begin together share a read.
    await vi.waitUntil(() => pauses.length > 1)
    interrupt()
    const results = await Promise.allSettled(looks)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect({ isEnded: pauses.at(-1)?.aborted, reads }).toEqual({ isEnded: true, reads: [] })
  })

  test('read no list before the time that the service asks for', async () => {
    let isLimited = true
    const { look, reads } = accountOf({
      list() {
        if (!isLimited) return nine().slice(0, 3)
        isLimited = false
        throw new Problem('rate_limited', 'too many', { retryAfterMs: 7000 })
      },
    })
    await Promise.allSettled(three.map((id) => look(id)))
    await Promise.all(three.map((id) => look(id, 500)))
    expect(reads.map(({ at }) => at)).toEqual([0, 7000])
  })

  test('send a filter only once to a service that then finds nothing', async () => {
    const { look, reads } = accountOf({ list: (ids) => (ids ? [] : nine()) })
    for (const _ of [1, 2, 3]) await Promise.all(three.map((id) => look(id)))
    expect(whats(reads)).toEqual(['filter', 'list', 'list', 'list'])
  })

  test('keep a filter that has found them, though a later list lacks them', async () => {
    let count = 0
    const { look, reads } = accountOf({
      list() {
        count += 1
        return count === 2 ? [] : nine().slice(0, 3)
      },
    })
    for (const _ of [1, 2, 3]) await Promise.all(three.map((id) => look(id)))
    expect(whats(reads)).toEqual(['filter', 'filter', 'filter'])
  })

  test('name at most a hundred objects in a filter', async () => {
    const { look, reads } = accountOf({ list: (ids = []) => ids.map((id) => volume(id)) })
    await Promise.all(Array.from({ length: 201 }, (_, index) => look(index + 1)))
    expect(whats(reads)).toEqual(['filter', 'filter', 'filter'])
  })

  test('do not wait for one that takes long', async () => {
    const { look, reads } = accountOf({
      list: () => nine().slice(0, 3),
      view: () => new Promise<Item>(() => {}),
    })
    void look(9, 0, true)
    await Promise.all(three.map((id) => look(id)))
    expect(whats(reads).toSorted()).toEqual([9, 'filter'])
  })

  test('read one list at a time', async () => {
    let release = () => {}
    const { look, reads } = accountOf({
      list: () =>
        new Promise<Item[]>((resolve) => {
          release = () => resolve(nine().slice(0, 6))
        }),
    })
    const first = three.map((id) => look(id))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const second = [4, 5, 6].map((id) => look(id))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(reads.length).toBe(1)
    release()
    await Promise.all(first)
    await new Promise((resolve) => setTimeout(resolve, 20))
    release()
    await Promise.all(second)
    expect(reads.length).toBe(2)
  })
})

describe('The answer to a change', () => {
  test('that shows the state already is no proof of it', async () => {
    let count = 0
    const { account, reads } = accountOf({
      view(id) {
        count += 1
        return { ...volume(id, 'active'), compute_id: count < 3 ? null : 5 }
      },
    })
    const answer = { ...volume(1, 'active'), compute_id: 5 }
    const waited = { id: 1, resource: volumeResource, account, answer }
    expect(await waitUntil(attachedTo(5), waited)).toMatchObject({ compute_id: 5 })
    expect(whats(reads)).toEqual([1, 1, 1])
  })

  test('that shows the state already is no proof of it, if the lists are older', async () => {
    let count = 0
    const changed = (id: Id) => ({ ...volume(id), updated: '2026-01-15T12:00:05' })
    const { account, reads } = accountOf({
      list: () => three.map((id) => ({ ...volume(id), updated: '2026-01-15T12:00:00' })),
      view(id) {
        count += 1
        return { ...changed(id), compute_id: count > 3 ? 5 : null }
      },
    })
    const waits = three.map((id) =>
      waitUntil(attachedTo(5), { id, resource: volumeResource, account, answer: { ...changed(id), compute_id: 5 } }),
    )
    expect(await Promise.all(waits)).toMatchObject(three.map((id) => ({ id, compute_id: 5 })))
    expect(reads.filter(({ what }) => typeof what === 'number').length).toBe(6)
  })

  test('that shows another state takes the place of the first look', async () => {
    const { account, reads } = accountOf({ view: (id) => volume(id, 'active') })
    const waited = { id: 1, resource: volumeResource, account, answer: volume(1) }
    await waitUntil(active, waited)
    expect(reads).toEqual([{ at: 500, what: 1 }])
  })
})
