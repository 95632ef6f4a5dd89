/** Tasks in parallel: their limit, their results and their failures. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { atOnce, mostReads, readOfEach } from '../../src/account/concurrency'
import { firewallDevices } from '../../src/catalogue/firewalls'
import type { Client } from '../../src/http/client'

const items = Array.from({ length: 40 }, (_, index) => index)

/** Counts the tasks that run at the same time; later ones end before earlier ones. */
function countingTask() {
  const counts = { now: 0, most: 0 }
  const act = async (item: number) => {
    counts.now += 1
    counts.most = Math.max(counts.most, counts.now)
    for (let turn = item % 3; turn < 3; turn += 1) await setImmediate()
    counts.now -= 1
    return 2 * item
  }
  return { counts, act }
}

describe('tasks in parallel', () => {
  test.for<[most: number | undefined, expected: number]>([
    // The limit of all commands (interface.md, Targets).
    [undefined, 8],
    [mostReads, 16],
    [1, 1],
    [100, 40],
  ])('run with a limit, and return their results in order: limit %s, %i at once', async ([most, expected]) => {
    const { counts, act } = countingTask()
    expect(await atOnce(items, act, most)).toEqual(items.map((item) => 2 * item))
    expect(counts).toEqual({ now: 0, most: expected })
  })

  test('fail with the first failure', async () => {
    const act = async (item: number) => {
      if (item > 2) throw new Error(`task ${item}`)
    }
    await expect(atOnce(items, act, 1)).rejects.toThrow('task 3')
  })
})

describe('reads that follow a list', () => {
  /** Returns a client that notes what is announced, and what runs within the plan. */
  function announcing() {
    const counts = { announced: [] as number[], planned: 0 }
    const client: Pick<Client, 'plan'> = {
      async plan([first]) {
        counts.announced.push(first?.count ?? 0)
        return {
          async run(_, work) {
            counts.planned += 1
            return work()
          },
          drop() {},
        }
      },
    }
    return { counts, client }
  }
  const reads = { operation: firewallDevices.list, noun: 'firewall' }

  test('start with the first page, while others are read', async () => {
    const log: string[] = []
    async function* pages() {
      yield ['a', 'b']
      await setImmediate()
      log.push('second page')
      yield ['c']
    }
    const read = async (item: string) => {
      log.push(item)
      await setImmediate()
      return item
    }
    const { client, counts } = announcing()
    expect(await readOfEach(pages(), reads, { client, read })).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a', 'b', 'second page', 'c'])
    expect(counts).toEqual({ announced: [], planned: 0 })
  })

  test('fail with the failure of a page', async () => {
    async function* pages() {
      yield ['a']
      throw new Error('second page')
    }
    const { client } = announcing()
    await expect(readOfEach(pages(), reads, { client, read: async () => {} })).rejects.toThrow('second page')
  })

  test('are announced page by page from a hundred on, but for objects that need none', async () => {
    async function* pages() {
      yield items
      yield Array.from({ length: 250 }, (_, index) => index)
      yield [1, 2]
    }
    const { client, counts } = announcing()
    const isNeeded = (item: number) => item % 2 === 0
    const results = await readOfEach(pages(), { ...reads, isNeeded }, { client, read: async (item) => item })
    expect(results).toHaveLength(292)
    expect(counts).toEqual({ announced: [125, 1], planned: 126 })
  })
})
