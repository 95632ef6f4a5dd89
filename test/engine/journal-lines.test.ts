/** The lines of a journal: which are its own, and what they tell of each target. */
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

describe('the lines of a journal', () => {
  const header = {
    skyctl_journal: 1,
    command: 'delete',
    account: 'x',
    inputs: { targets: ['1'], bodies: [{ body: {} }] },
  }
  const journal = (...lines: unknown[]) => `${[header, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`

  test.for<[string, unknown]>([
    ['sends', { target: 1, state: 'sending' }],
    ['sends, and has looked', { target: 2, state: 'sending', id: 7, before: { label: 'a', items: [{ id: 1 }] } }],
    ['is done', { target: 3, state: 'done', answer: {} }],
    ['is undone', { target: 4, state: 'undone' }],
  ])('tell what %s', async ([, line]) => {
    expect(await parseJournal(journal(line), 'x')).toEqual({ text: journal(line), header, lines: [line] })
  })

  test.for<[string, unknown]>([
    ['no target', { state: 'done', answer: {} }],
    ['half a target', { target: 1.5, state: 'done', answer: {} }],
    ['no state', { target: 1 }],
    ['another state', { target: 1, state: 'x' }],
    ['no answer', { target: 1, state: 'done' }],
    ['an answer that is none', { target: 1, state: 'done', answer: [] }],
    ['a look that is none', { target: 1, state: 'sending', before: 1 }],
    ['a look at nothing', { target: 1, state: 'sending', before: {} }],
    ['a look at other things', { target: 1, state: 'sending', before: { items: [1] } }],
    ['a look at other things besides', { target: 1, state: 'sending', before: { items: [{ id: 1 }, 1] } }],
    ['no object', []],
    ['null', null],
  ])('are damaged with %s', async ([, line]) => {
    await expect(parseJournal(journal({ target: 1, state: 'undone' }, line), 'x.ndjson')).rejects.toMatchObject({
      code: 'local',
      message: 'line 3 of x.ndjson is damaged',
      details: { hint: 'Check the completed targets, and start a new journal with the rest' },
    })
  })

  test('that are cut at the end are taken without what was cut', async () => {
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
    ['targets that are no texts', { ...header, inputs: { targets: [1] } }],
    ['targets that are no list', { ...header, inputs: { targets: 'x' } }],
    ['bodies that are none', { ...header, inputs: { bodies: [1] } }],
    ['bodies without a body', { ...header, inputs: { bodies: [{ body: 1 }] } }],
    ['bodies that are no list', { ...header, inputs: { bodies: {} } }],
    ['no object', 7],
  ])('are none of a journal with %s', async ([, first]) => {
    const text = `${JSON.stringify(first)}\n{"target":1,"state":"undone"}\n{"cut`
    expect(await parseJournal(text, 'x')).toEqual({ text, lines: [] })
  })

  test('need no targets and no bodies', async () => {
    const text = `${JSON.stringify({ ...header, inputs: { more: 1 } })}\n`
    expect((await parseJournal(text, 'x')).header?.inputs).toEqual({ more: 1 })
  })

  test('tell of each target what the last of its lines tells, and nothing of what was not done', () => {
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

  test('keep of a look only what tells what is new', () => {
    const look = { label: 'a', items: [{ id: 1, label: 'a', token: 'geheim' }], serviceTime: 7 }
    expect(shortened(look as never)).toEqual({ label: 'a', items: [{ id: 1 }], serviceTime: 7 })
  })
})

const nothing = async () => {}
const entryOf = (past?: PastAttempt): JournalEntry => ({
  past,
  others: () => [],
  sending: nothing,
  done: nothing,
  undone: nothing,
})
const sending: PastAttempt = { state: 'sending' }

test.for<[what: string, code: ErrorCode, undone: boolean, operation: Operation, past?: PastAttempt]>([
  ['a creation', 'refused', true, volumes.create],
  ['a creation', 'rate_limited', true, volumes.create],
  ['a creation', 'outcome_unknown', false, volumes.create],
  ['a deletion', 'refused', true, volumes.delete],
  ['a deletion', 'not_found', true, volumes.delete],
  ['a deletion', 'unavailable', false, volumes.delete],
  ['a deletion that an earlier run has sent', 'refused', false, volumes.delete, sending],
])('%s that ended with %s is known not to be done: %s', ([, code, undone, operation, past]) => {
  expect(isUndone(new Problem(code, 'x'), operation, entryOf(past))).toBe(undone)
})

test('what failed by a defect is not known not to be done', () => {
  for (const operation of [volumes.create, volumes.delete])
    expect(isUndone(new TypeError('x'), operation, entryOf())).toBe(false)
})
