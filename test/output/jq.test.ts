/** Expressions of jq: a translation is a query that compiles and means the same, or there is none. */
import { compile } from '@jmespath-community/jmespath'
import { expect, test } from 'vitest'
import { queryFromJq } from '../../src/output/jq'

test.for([
  ['.', '@'],
  ['.[].label', '[].label'],
  ['.[] | .label', '[].label'],
  ['[.[] | .label]', '[].label'],
  ['map(.label)', '[].label'],
  ['.data[].label', '[].label'],
  ['.[0].label', '[0].label'],
  ['length', 'length(@)'],
  ['. | length', 'length(@)'],
  ['[].label', '[].label'],
  ['length(@)', 'length(@)'],
  ['.[] | select(.size>100) | .label', undefined],
  ['.[] | {label, size}', undefined],
  ['.[] | length', undefined],
  ['map(select(.size > 100))', undefined],
  ['.[] | "\\(.label)"', undefined],
  ['sort_by(.size)', undefined],
  ['[', undefined],
])('%s is the query %s', ([expression = '', query]) => {
  const translation = queryFromJq(expression)
  expect(translation).toBe(query)
  if (translation !== undefined) expect(() => compile(translation)).not.toThrow()
})

test('The answer of the API has its list in data', () => {
  expect(queryFromJq('.data[].label', true)).toBe('data[].label')
})
