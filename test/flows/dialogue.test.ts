/** What guided flows have in common. */
import { expect, test } from 'vitest'
import { isRefusal, Problem } from '../../src/errors'
import { orTell, sentence } from '../../src/flows/dialogue'

test('a sentence of the service goes on: it loses the full stop at its end, and no other', () => {
  const said = (message: string) => sentence(new Problem('refused', message))
  expect(said('Must be 1.2 or later.')).toBe('Must be 1.2 or later')
  expect(said('Must be 1.2')).toBe('Must be 1.2')
})

test('another answer may do where the service has refused one, and nowhere else', () => {
  const errors = [new Problem('refused', ''), new Problem('unavailable', ''), { code: 'refused' }, undefined]
  expect(errors.map(isRefusal)).toEqual([true, false, false, false])
})

test('what fails half way keeps what is known of the failure, and says what is left and how to go on', async () => {
  const errors = [{ field: 'otp_code', reason: 'Must be 6 digits' }]
  const failure = new Problem('refused', 'otp_code: Must be 6 digits', { status: 400, errors, hint: 'Try again' })
  const left = () => ({ state: 'no number is verified', hint: 'Go on' })
  const told = orTell(left, () => Promise.reject(failure))
  await expect(told).rejects.toMatchObject({
    code: 'refused',
    message: 'otp_code: Must be 6 digits; no number is verified',
    details: { status: 400, errors, hint: 'Go on' },
    cause: failure,
  })
  const defect = new TypeError('x is not a function')
  await expect(orTell(left, () => Promise.reject(defect))).rejects.toBe(defect)
})
