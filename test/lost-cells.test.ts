/** A part of the ways to lose a request or its answer, by every command; bench/lost-answers.mjs takes all of them. */
import { expect, test } from 'vitest'
import { type Cell, cells, nameOf, playCell } from './support/lost-cells'

/** A prime, so that every way comes up, with other commands. */
const stride = 79

const chosen = new Map<string, Cell>()
let turn = 0
for await (const cell of cells()) if (turn++ % stride === 0) chosen.set(`${cell.line}: ${nameOf(cell)}`, cell)

test.for([...chosen.keys()])('the truth is told by %s', async (name) => {
  const cell = chosen.get(name)
  expect(cell && (await playCell(cell))).toEqual([])
})
