/** Tags that `--tag` replaces, on a terminal. */
import { expect } from 'vitest'
import { test } from '../support/terminal'

test.for([
  ['volumes update 7001 --tag c', true],
  ['volumes update 7001 --tag a --tag b --tag c', false],
  ['volumes update 7001 --add-tag c', false],
] as const)('"%s" on a terminal names tags that it leaves out: %s', async ([line, isNamed], { terminal, world }) => {
  world.volume({ id: 7001, label: 'data', tags: ['a', 'b'] })
  const { exit, screen } = await terminal(line, { columns: 120 }).end
  expect({ exit, isNamed: screen.includes('--tag replaces the tags a, b; --add-tag keeps them') }).toEqual({
    exit: 0,
    isNamed,
  })
})
