/** A sample of all lost requests and responses, with every command; bench/lost-answers.mjs tries all. */
import { expect, test } from 'vitest'
import { type Cell, cells, nameOf, playCell } from './support/lost-answer-cases'

/** A prime, so that the sample has every kind of loss, with different commands. */
const stride = 79

const sample = new Map<string, Cell>()
let turn = 0
for await (const cell of cells()) if (turn++ % stride === 0) sample.set(`${cell.line}: ${nameOf(cell)}`, cell)

test.for([...sample.keys()])('every outcome is reported correctly: %s', async (name) => {
  const cell = sample.get(name)
  expect(cell && (await playCell(cell))).toEqual([])
})
