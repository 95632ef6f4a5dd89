import { expect, test } from 'vitest'
import { didYouMean } from '../../src/rules/nearest'

test('a name is told once, however many objects have it', () => {
  expect(didYouMean('data-2', ['data-1', 'data-1', 'data'])).toBe('Did you mean "data-1" or "data"?')
})

test('nothing is told where nothing is near', () => {
  expect(didYouMean('web', ['database', 'mail'])).toBeUndefined()
})
