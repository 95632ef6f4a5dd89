/** Reads after a change: a failure tells what was done. */
import { describe, expect, test } from 'vitest'
import { afterChangeProblem, readAfterChange } from '../../src/account/after-change-problem'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)

describe('A read after a change', () => {
  const created = { kind: 'volume' as const, id: 1, label: 'a' }

  test('reports with its failure what was done, and is not retryable', async () => {
    const failure = problem('unavailable', { hint: 'x', retryable: true })
    await expect(
      readAfterChange({ what: 'it was made', created }, () => Promise.reject(failure)),
    ).rejects.toMatchObject({
      ...{ code: 'unavailable', message: 'it is unavailable, after it was made', cause: failure },
      details: { hint: 'x', retryable: false, created },
    })
    expect(afterChangeProblem(failure, { what: 'it was made' }).details).not.toHaveProperty('created')
  })

  test('returns its result, and throws an internal error unchanged', async () => {
    expect(await readAfterChange({ what: '' }, async () => 1)).toBe(1)
    const defect = new TypeError('x')
    await expect(readAfterChange({ what: '' }, () => Promise.reject(defect))).rejects.toBe(defect)
  })
})
