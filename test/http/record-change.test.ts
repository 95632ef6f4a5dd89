/** What is written down of a change, by how it ended (interface.md, history). */
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

const asked = { method: 'POST', path: '/x', idempotency: 'never' } as const

/** A history that keeps how changes ended. */
function history() {
  const told: Ended[] = []
  const recording = async () => ({
    begin: async () => ({ ended: async (how: Ended) => void told.push(how) }),
    looks: true,
    within: () => expect.fail('nothing else is run'),
  })
  return { told, recording }
}

test('a change that ends in a defect may have been done', async () => {
  const { told, recording } = history()
  const defect = new TypeError('a defect')
  const exchange = () => Promise.reject(defect)
  const read = async () => ({ body: null })
  const change = recordChange({ method: 'POST', path: '/x' }, { recording }, { exchange, read })
  await expect(change).rejects.toBe(defect)
  expect(told).toEqual([{ outcome: 'unknown', code: 'defect' }])
})

test.for<[code: ErrorCode, mayBeDone: boolean, outcome: Ended['outcome']]>([
  ['outcome_unknown', false, 'unknown'],
  ['defect', false, 'unknown'],
  ['unavailable', true, 'unknown'],
  ['unavailable', false, 'failed'],
  ['not_found', false, 'failed'],
  ['refused', false, 'failed'],
])(
  'a change without an answer that ends with %s (may be done: %s) is recorded as %s',
  async ([code, mayBeDone, outcome]) => {
    const { told, recording } = history()
    const problem = new Problem(code, 'failed', { ...(mayBeDone && { mayBeDone }) })
    const exchange = () => Promise.reject(problem)
    const change = recordChange(asked, { recording }, { exchange, read: async () => ({ body: null }) })
    await expect(change).rejects.toBe(problem)
    expect(told).toEqual([{ outcome, code }])
  },
)

test('a success that cannot be read may be a change, unless it comes from another address than the API', async () => {
  const { told, recording } = history()
  const answer = { status: 200, headers: {}, body: Buffer.alloc(0), release() {} }
  const exchange = async (): Promise<RequestResult> => ({ answer, asked, lostBefore: false })
  const unreadable = failing(asked, 200)('it is empty', 'not_the_api')
  const elsewhere = new WrongAddress('https://api.example.net', {
    address: 'https://api.example.net/v4',
    cause: unreadable,
  })
  const read = (error: Error) => recordChange(asked, { recording }, { exchange, read: () => Promise.reject(error) })
  await expect(read(unreadable)).rejects.toMatchObject({ code: 'outcome_unknown', details: { status: 200 } })
  await expect(read(elsewhere)).rejects.toBe(elsewhere)
  expect(told.map(({ outcome }) => outcome)).toEqual(['unknown', 'failed'])
})

describe('a change whose answer was lost', () => {
  const { update, delete: removal } = volumes
  const lost = new Problem('outcome_unknown', 'lost', { hint: 'Look' })
  const put = (sent: unknown, found: unknown, operation: Operation = update) =>
    confirmSuccess(operation, { sent, lost }, async () => found)

  test.for<[string, unknown, unknown, boolean]>([
    ['has every value that was sent', { label: 'a' }, { id: 1, label: 'a' }, true],
    ['has another value', { label: 'a', size: 1 }, { label: 'a', size: 2 }, false],
    ['lacks a value', { label: 'a' }, { id: 1 }, false],
    ['has texts in another order, as tags have none', { tags: ['b', 'a'] }, { tags: ['a', 'b'] }, true],
    ['has another text', { tags: ['a'] }, { tags: ['b'] }, false],
    ['has what is no text in another order', { list: [2, 1] }, { list: [1, 2] }, false],
    ['has it in the same order', { list: [2, 1] }, { list: [2, 1] }, true],
    ['is no object', { label: 'a' }, [], false],
    ['is looked at for what is no object', null, { id: 1 }, false],
  ])('was made or not: the object %s', async ([, sent, found, made]) => {
    expect(await put(sent, found)).toBe(made ? found : undefined)
  })

  test('of which nothing is known must be all that there is', async () => {
    const anything: Operation = { ...preferences.update, idempotency: 'idempotent' }
    expect(await put({ a: 1 }, { a: 1 }, anything)).toEqual({ a: 1 })
    expect(await put({ a: 1 }, { a: 1, b: 2 }, anything)).toBeUndefined()
  })

  test('and that removes was made where nothing is there any more', async () => {
    const gone = new Problem('not_found', 'gone', { missing: '/volumes/1' })
    expect(await confirmSuccess(removal, { sent: undefined, lost }, () => Promise.reject(gone))).toEqual({})
    expect(await confirmSuccess(removal, { sent: undefined, lost }, async () => ({ id: 1 }))).toBeUndefined()
  })

  test('is as unknown as before where the object cannot be read, which is told as its cause', async () => {
    const cause = new Problem('unavailable', 'away')
    const looked = confirmSuccess(update, { sent: {}, lost }, () => Promise.reject(cause))
    await expect(looked).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: 'lost',
      details: { hint: 'Look' },
      cause,
    })
    const defect = new TypeError('a defect')
    await expect(confirmSuccess(update, { sent: {}, lost }, () => Promise.reject(defect))).rejects.toBe(defect)
  })

  test('is not looked for where it makes something, nor where its caller looks, unless the API said it was done', async () => {
    const never = () => expect.fail('nothing is read')
    expect(await confirmSuccess(volumes.create, { sent: {}, lost }, never)).toBeUndefined()
    const checked: Operation = { ...update, idempotency: 'check first' }
    expect(await confirmSuccess(checked, { sent: {}, lost }, never)).toBeUndefined()
    const reported = new Problem('outcome_unknown', 'lost', { status: 200 })
    const refused = new Problem('outcome_unknown', 'lost', { status: 500 })
    expect(await confirmSuccess(checked, { sent: { a: 1 }, lost: reported }, async () => ({ a: 1 }))).toEqual({ a: 1 })
    expect(await confirmSuccess(checked, { sent: {}, lost: refused }, never)).toBeUndefined()
  })
})
