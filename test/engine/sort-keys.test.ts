/** Whole numbers count by their value, also those that came as a text; no other text is a number. */
import { expect, test } from 'vitest'
import { volumes } from '../../src/catalogue/volumes'
import { sortKeyOf } from '../../src/engine/filter/sort-keys'

test.for([
  ['9', 9n],
  ['-10', -10n],
  ['0090', 90n],
  ['1'.repeat(40), BigInt('1'.repeat(40))],
  ['1'.repeat(41), undefined],
  ['', undefined],
  ['-', undefined],
  ['x9', undefined],
  ['9x', undefined],
  ['9.5', undefined],
  [9, undefined],
] as const)('%j is ordered by %s', async ([value, key]) => {
  expect((await sortKeyOf('size', volumes.list))?.(value)).toBe(key)
})
