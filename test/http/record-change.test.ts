/** What is written down of a change, by how it ended (interface.md, history). */
import { expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../src/errors'
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
  const elsewhere = new WrongAddress('https://api.example.net', unreadable)
  const read = (error: Error) => recordChange(asked, { recording }, { exchange, read: () => Promise.reject(error) })
  await expect(read(unreadable)).rejects.toMatchObject({ code: 'outcome_unknown', details: { status: 200 } })
  await expect(read(elsewhere)).rejects.toBe(elsewhere)
  expect(told.map(({ outcome }) => outcome)).toEqual(['unknown', 'failed'])
})
