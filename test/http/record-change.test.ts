/** The recorded outcome of a change (interface.md, history). */
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/catalogue/operation'
import { preferences } from '../../src/catalogue/profile/preferences'
import { volumes } from '../../src/catalogue/volumes'
import { type ErrorCode, Problem } from '../../src/errors'
import { confirmSuccess } from '../../src/http/confirm-success'
import { failing, WrongAddress } from '../../src/http/problems'
import { recordChange } from '../../src/http/record-change'
import type { Ended } from '../../src/http/recording'
import type { RequestResult } from '../../src/http/retrying-request'

const request = { method: 'POST', path: '/x', idempotency: 'never' } as const

/** A history that collects the outcomes of changes. */
function history() {
  const outcomes: Ended[] = []
  const recording = async () => ({
    begin: async () => ({ ended: async (outcome: Ended) => void outcomes.push(outcome) }),
    looks: true,
    within: () => expect.fail('nothing else is run'),
  })
  return { outcomes, recording }
}

test('A change that ends with an internal error is recorded as unknown', async () => {
  const { outcomes, recording } = history()
  const defect = new TypeError('a defect')
  const exchange = () => Promise.reject(defect)
  const read = async () => ({ body: null })
  const change = recordChange({ method: 'POST', path: '/x' }, { recording }, { exchange, read })
  await expect(change).rejects.toBe(defect)
  expect(outcomes).toEqual([{ outcome: 'unknown', code: 'defect' }])
})

test.for<[code: ErrorCode, mayBeDone: boolean, outcome: Ended['outcome']]>([
  ['outcome_unknown', false, 'unknown'],
  ['defect', false, 'unknown'],
  ['unavailable', true, 'unknown'],
  ['unavailable', false, 'failed'],
  ['not_found', false, 'failed'],
  ['refused', false, 'failed'],
])('A change that ends with %s (may be done: %s) is recorded as %s', async ([code, mayBeDone, outcome]) => {
  const { outcomes, recording } = history()
  const problem = new Problem(code, 'failed', { ...(mayBeDone && { mayBeDone }) })
  const exchange = () => Promise.reject(problem)
  const change = recordChange(request, { recording }, { exchange, read: async () => ({ body: null }) })
  await expect(change).rejects.toBe(problem)
  expect(outcomes).toEqual([{ outcome, code }])
})

test('An unreadable success is recorded as unknown, or as failed if the API is at another address', async () => {
  const { outcomes, recording } = history()
  const answer = { status: 200, headers: {}, body: Buffer.alloc(0), release() {} }
  const exchange = async (): Promise<RequestResult> => ({ answer, summary: request, lostBefore: false })
  const unreadable = failing(request, 200)('it is empty', 'not_the_api')
  const elsewhere = new WrongAddress('https://api.example.net', {
    address: 'https://api.example.net/v4',
    cause: unreadable,
  })
  const read = (error: Error) => recordChange(request, { recording }, { exchange, read: () => Promise.reject(error) })
  await expect(read(unreadable)).rejects.toMatchObject({ code: 'outcome_unknown', details: { status: 200 } })
  await expect(read(elsewhere)).rejects.toBe(elsewhere)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unknown', 'failed'])
})

describe('A change whose answer was lost', () => {
  const { update, delete: removal } = volumes
  const lost = new Problem('outcome_unknown', 'lost', { hint: 'Look' })
  const put = (sent: unknown, current: unknown, operation: Operation = update) =>
    confirmSuccess(operation, { sent, lost }, async () => current)

  test.for<[string, unknown, unknown, boolean]>([
    ['has every value that was sent', { label: 'a' }, { id: 1, label: 'a' }, true],
    ['has another value', { label: 'a', size: 1 }, { label: 'a', size: 2 }, false],
    ['lacks a value', { label: 'a' }, { id: 1 }, false],
    ['has texts in another order, like tags', { tags: ['b', 'a'] }, { tags: ['a', 'b'] }, true],
    ['has another text', { tags: ['a'] }, { tags: ['b'] }, false],
    ['has numbers in another order', { list: [2, 1] }, { list: [1, 2] }, false],
    ['has numbers in the same order', { list: [2, 1] }, { list: [2, 1] }, true],
    ['is not an object', { label: 'a' }, [], false],
    ['is compared with a body that is not an object', null, { id: 1 }, false],
  ])('counts as done or not if the object %s', async ([, sent, current, isDone]) => {
    expect(await put(sent, current)).toBe(isDone ? current : undefined)
  })

  test('of preferences counts as done only if they have no other field', async () => {
    const anything: Operation = { ...preferences.update, idempotency: 'idempotent' }
    expect(await put({ a: 1 }, { a: 1 }, anything)).toEqual({ a: 1 })
    expect(await put({ a: 1 }, { a: 1, b: 2 }, anything)).toBeUndefined()
  })

  test('counts as done if it is a deletion and the object is gone', async () => {
    const notFound = new Problem('not_found', 'gone', { missing: '/volumes/1' })
    expect(await confirmSuccess(removal, { sent: undefined, lost }, () => Promise.reject(notFound))).toEqual({})
    expect(await confirmSuccess(removal, { sent: undefined, lost }, async () => ({ id: 1 }))).toBeUndefined()
  })

  test('stays unknown if the object cannot be read, with that error as cause', async () => {
    const cause = new Problem('unavailable', 'away')
    const confirmation = confirmSuccess(update, { sent: {}, lost }, () => Promise.reject(cause))
    await expect(confirmation).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: 'lost; the check failed: away',
      details: { hint: 'Look' },
      cause,
    })
    const defect = new TypeError('a defect')
    await expect(confirmSuccess(update, { sent: {}, lost }, () => Promise.reject(defect))).rejects.toBe(defect)
  })

  test('is not confirmed for a creation, or if the caller checks, except after a success status', async () => {
    const never = () => expect.fail('nothing is read')
    expect(await confirmSuccess(volumes.create, { sent: {}, lost }, never)).toBeUndefined()
    const checked: Operation = { ...update, idempotency: 'check first' }
    expect(await confirmSuccess(checked, { sent: {}, lost }, never)).toBeUndefined()
    const successful = new Problem('outcome_unknown', 'lost', { status: 200 })
    const failed = new Problem('outcome_unknown', 'lost', { status: 500 })
    expect(await confirmSuccess(checked, { sent: { a: 1 }, lost: successful }, async () => ({ a: 1 }))).toEqual({
      a: 1,
    })
    expect(await confirmSuccess(checked, { sent: {}, lost: failed }, never)).toBeUndefined()
  })
})
