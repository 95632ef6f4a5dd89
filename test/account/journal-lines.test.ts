/** Lines of a journal: valid ones, and the state of each target. */
import { describe, expect, test } from 'vitest'
import {
  isUndone,
  type JournalEntry,
  type PastAttempt,
  parseJournal,
  pastAttempt,
  shortened,
} from '../../src/account/journal-lines'
import type { Operation } from '../../src/catalogue/operation'
import { volumes } from '../../src/catalogue/volumes'
import { type ErrorCode, Problem } from '../../src/errors'

describe('The lines of a journal', () => {
  const header = {
    skyctl_journal: 1,
    command: 'delete',
    account: 'x',
    inputs: { targets: ['1'], bodies: [{ body: {} }] },
  }
  const journal = (...lines: unknown[]) => `${[header, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`

  test.for<[string, unknown]>([
    ['being sent', { target: 1, state: 'sending' }],
    ['being sent after a lookup', { target: 2, state: 'sending', id: 7, before: { label: 'a', items: [{ id: 1 }] } }],
    ['done', { target: 3, state: 'done', answer: {} }],
    ['not done', { target: 4, state: 'undone' }],
  ])('can describe a target that is %s', async ([, line]) => {
    expect(await parseJournal(journal(line), 'x')).toEqual({ text: journal(line), header, lines: [line] })
  })

  test.for<[string, unknown]>([
    ['no target', { state: 'done', answer: {} }],
    ['a fraction as target', { target: 1.5, state: 'done', answer: {} }],
    ['no state', { target: 1 }],
    ['another state', { target: 1, state: 'x' }],
    ['no answer', { target: 1, state: 'done' }],
    ['a list as answer', { target: 1, state: 'done', answer: [] }],
    ['a number as lookup', { target: 1, state: 'sending', before: 1 }],
    ['an empty lookup', { target: 1, state: 'sending', before: {} }],
    ['a lookup without records', { target: 1, state: 'sending', before: { items: [1] } }],
    ['a lookup with a number among the records', { target: 1, state: 'sending', before: { items: [{ id: 1 }, 1] } }],
    ['a list', []],
    ['null', null],
  ])('are damaged with %s', async ([, line]) => {
    await expect(parseJournal(journal({ target: 1, state: 'undone' }, line), 'x.ndjson')).rejects.toMatchObject({
      code: 'local',
      message: 'line 3 of x.ndjson is damaged',
      details: { hint: 'Check the completed targets, and start a new journal with the rest' },
    })
  })

  test('are read without an incomplete last one', async () => {
    const whole = journal({ target: 1, state: 'undone' })
    expect(await parseJournal(`${whole}{"target":2,"sta`, 'x')).toEqual({
      text: whole,
      header,
      lines: [{ target: 1, state: 'undone' }],
    })
  })

  test.for<[string, unknown]>([
    ['another version', { ...header, skyctl_journal: 0 }],
    ['no command', { ...header, command: undefined }],
    ['no inputs', { ...header, inputs: null }],
    ['targets that are not texts', { ...header, inputs: { targets: [1] } }],
    ['targets that are not a list', { ...header, inputs: { targets: 'x' } }],
    ['bodies that are numbers', { ...header, inputs: { bodies: [1] } }],
    ['bodies without a body', { ...header, inputs: { bodies: [{ body: 1 }] } }],
    ['bodies that are not a list', { ...header, inputs: { bodies: {} } }],
    ['a number', 7],
  ])('are not a journal if the first is invalid: %s', async ([, first]) => {
    const text = `${JSON.stringify(first)}\n{"target":1,"state":"undone"}\n{"cut`
    expect(await parseJournal(text, 'x')).toEqual({ text, lines: [] })
  })

  test('need neither targets nor bodies', async () => {
    const text = `${JSON.stringify({ ...header, inputs: { more: 1 } })}\n`
    expect((await parseJournal(text, 'x')).header?.inputs).toEqual({ more: 1 })
  })

  test('are reduced to the last line of each target, without targets that were not done', () => {
    const lines = [
      { target: 1, state: 'sending', id: 1 },
      { target: 2, state: 'sending' },
      { target: 1, state: 'done', answer: { id: 1 } },
      { target: 2, state: 'undone' },
      { target: 3, state: 'undone' },
      { target: 3, state: 'sending' },
    ] as const
    expect([...pastAttempt(lines)]).toEqual([
      [1, { state: 'done', answer: { id: 1 } }],
      [3, { state: 'sending' }],
    ])
  })

  test('have only the ids of the records that a lookup found', () => {
    const lookup = { label: 'a', items: [{ id: 1, label: 'a', token: 'geheim' }], serviceTime: 7 }
    expect(shortened(lookup as never)).toEqual({ label: 'a', items: [{ id: 1 }], serviceTime: 7 })
  })
})

const nothing = async () => {}
const entryOf = (past?: PastAttempt): JournalEntry => ({
  past,
  others: () => [],
  sending: async () => '',
  done: nothing,
  failed: nothing,
})
const sending: PastAttempt = { state: 'sending' }

test.for<[what: string, code: ErrorCode, undone: boolean, operation: Operation, past?: PastAttempt]>([
  ['a creation', 'refused', true, volumes.create],
  ['a creation', 'rate_limited', true, volumes.create],
  ['a creation', 'outcome_unknown', false, volumes.create],
  ['a deletion', 'refused', true, volumes.delete],
  ['a deletion', 'not_found', true, volumes.delete],
  ['a deletion', 'unavailable', false, volumes.delete],
  ['a deletion that an earlier run sent', 'refused', false, volumes.delete, sending],
])('The target of %s that ends with %s is certainly not done: %s', ([, code, isNotDone, operation, past]) => {
  expect(isUndone(new Problem(code, 'x'), operation, entryOf(past))).toBe(isNotDone)
})

test('A target that ends with an internal error may be done', () => {
  for (const operation of [volumes.create, volumes.delete])
    expect(isUndone(new TypeError('x'), operation, entryOf())).toBe(false)
})
