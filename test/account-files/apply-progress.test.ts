/** Lines below the counter of apply: the objects in progress. */
import { expect, test } from 'vitest'
import { openProgressBoard } from '../../src/commands/account-file/apply-progress'

/** Opens a board with so many objects that wait for their turn. */
function boardOf(count: number) {
  let time = 0
  const board = openProgressBoard(() => time)
  const rows = Array.from({ length: count }, (_, index) => board.begin(`v-${index}`))
  for (const row of rows) row.waits(() => 'waits for its turn')
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  return { lines: () => board.lines().map((line) => line.replace(/ +/g, ' ')), rows, pass }
}

test('up to eight objects have a line each, with the time since their work began', () => {
  const { lines, rows, pass } = boardOf(8)
  pass(10)
  rows[0]?.does('20 GiB')
  pass(2)
  rows[0]?.waits(() => 'creating')
  pass(1)
  expect(lines().slice(0, 2)).toEqual(['v-0 3s creating', 'v-1 13s waits for its turn'])
})

test('of more than eight objects, only those whose work is slow have a line, and none that waits', () => {
  const { lines, rows, pass } = boardOf(9)
  rows[0]?.does('20 GiB')
  rows[1]?.does('30 GiB')
  pass(2)
  rows[2]?.does('40 GiB')
  expect(lines()).toEqual([])
  pass(1)
  rows[1]?.waits(() => 'creating')
  expect(lines()).toEqual(['v-0 3s 20 GiB'])
  rows[8]?.end()
  expect(lines().length).toBe(8)
})
