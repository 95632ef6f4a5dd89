/** Tasks in parallel: their limit, their results and their failures. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { atOnce, itemsOf, mostReads } from '../../src/account/concurrency'

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

  test('start with the first page, while others are read', async () => {
    const log: string[] = []
    async function* pages() {
      yield ['a', 'b']
      await setImmediate()
      log.push('second page')
      yield ['c']
    }
    const act = async (item: string) => {
      log.push(item)
      await setImmediate()
      return item
    }
    expect(await atOnce(itemsOf(pages()), act)).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a', 'b', 'second page', 'c'])
  })

  test('fail with the failure of a page', async () => {
    async function* pages() {
      yield ['a']
      throw new Error('second page')
    }
    await expect(atOnce(itemsOf(pages()), async () => {})).rejects.toThrow('second page')
  })
})
