import { expect, test } from 'vitest'
import { isUndone, type JournalEntry, type PastAttempt } from '../../src/account/journal-lines'
import type { Operation } from '../../src/catalogue/operation'
import { volumes } from '../../src/catalogue/volumes'
import { type ErrorCode, Problem } from '../../src/errors'

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
  expect(isUndone(new TypeError('x'), volumes.create, entryOf())).toBe(false)
  expect(isUndone(new TypeError('x'), volumes.delete, entryOf())).toBe(false)
})
