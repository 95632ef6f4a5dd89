/** Finding a command by a word (interface.md, help). */
import { expect, test } from 'vitest'
import { findPages, pagesOf } from '../../src/commands/help/find'

test('a command without examples, details and operations is found by its other words', () => {
  const command = { name: 'polish', summary: 'Make it shine', flags: [], run: async () => {} }
  const node = { words: ['polish'], aliases: [], summary: command.summary, children: [], command }
  expect(findPages(['shine'], pagesOf([node]))).toEqual([
    { command: 'skyctl polish', summary: 'Make it shine', found_in: ['summary'] },
  ])
})
