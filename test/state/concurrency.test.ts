/** Tasks in parallel: how many at once, and what becomes of their results. */
import { describe, expect, test } from 'vitest'
import { atOnce, mostReads } from '../../src/state/concurrency'

const items = Array.from({ length: 40 }, (_, index) => index)

/** Counts the tasks that run at the same time; later ones end before earlier ones. */
function counted() {
  const counts = { now: 0, most: 0 }
  const act = async (item: number) => {
    counts.now += 1
    counts.most = Math.max(counts.most, counts.now)
    for (let turn = item % 3; turn < 3; turn += 1) await Promise.resolve()
    counts.now -= 1
    return 2 * item
  }
  return { counts, act }
}

describe('tasks in parallel', () => {
  test.for<[most: number | undefined, wanted: number]>([
    // As in all commands (interface.md, Targets).
    [undefined, 8],
    [mostReads, 16],
    [1, 1],
    [100, 40],
  ])('run at most so many at once (%s: %i), and resolve to the results in order', async ([most, wanted]) => {
    const { counts, act } = counted()
    expect(await atOnce(items, act, most)).toEqual(items.map((item) => 2 * item))
    expect(counts).toEqual({ now: 0, most: wanted })
  })

  test('fail with the first failure', async () => {
    const act = async (item: number) => {
      if (item > 2) throw new Error(`task ${item}`)
    }
    await expect(atOnce(items, act, 1)).rejects.toThrow('task 3')
  })
})
