/** What guided flows have in common. */
import { expect, test } from 'vitest'
import { isRefusal, Problem } from '../../src/errors'
import { sentence } from '../../src/flows/dialogue'

test('a sentence of the service goes on: it loses the full stop at its end, and no other', () => {
  const said = (message: string) => sentence(new Problem('refused', message))
  expect(said('Must be 1.2 or later.')).toBe('Must be 1.2 or later')
  expect(said('Must be 1.2')).toBe('Must be 1.2')
})

test('another answer may do where the service has refused one, and nowhere else', () => {
  const errors = [new Problem('refused', ''), new Problem('unavailable', ''), { code: 'refused' }, undefined]
  expect(errors.map(isRefusal)).toEqual([true, false, false, false])
})
