/** Helpers of guided flows. */
import { expect, test } from 'vitest'
import { sentence, withStateInProblem } from '../../src/commands/flows/problem-texts'
import { isRefusal, Problem } from '../../src/errors'

test('A sentence of the API loses only its final full stop', () => {
  const text = (message: string) => sentence(new Problem('refused', message))
  expect(text('Must be 1.2 or later.')).toBe('Must be 1.2 or later')
  expect(text('Must be 1.2')).toBe('Must be 1.2')
})

test('Only an answer that the API rejected can be prompted for again', () => {
  const errors = [new Problem('refused', ''), new Problem('unavailable', ''), { code: 'refused' }, undefined]
  expect(errors.map(isRefusal)).toEqual([true, false, false, false])
})

test('An error of a flow keeps its details, and reports the state and how to continue', async () => {
  const errors = [{ field: 'otp_code', reason: 'Must be 6 digits' }]
  const failure = new Problem('refused', 'otp_code: Must be 6 digits', { status: 400, errors, hint: 'Try again' })
  const left = { state: 'no number is verified', hint: 'Go on' }
  const failing = withStateInProblem(left, () => Promise.reject(failure))
  await expect(failing).rejects.toMatchObject({
    code: 'refused',
    message: 'otp_code: Must be 6 digits; no number is verified',
    details: { status: 400, errors, hint: 'Go on' },
    cause: failure,
  })
  const defect = new TypeError('x is not a function')
  await expect(withStateInProblem(left, () => Promise.reject(defect))).rejects.toBe(defect)
})
