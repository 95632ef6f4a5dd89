import { expect, test } from 'vitest'
import { didYouMean, nearest } from '../../src/rules/nearest'
import { fastest } from '../support/fastest'

test('a name is told once, however many objects have it', () => {
  expect(didYouMean('data-2', ['data-1', 'data-1', 'data'])).toBe('Did you mean "data-1" or "data"?')
})

test('nothing is told where nothing is near', () => {
  expect(didYouMean('web', ['database', 'mail'])).toBeUndefined()
})

test.for([
  ['a letter too many', 'volumess'],
  ['a letter too few', 'volmes'],
  ['another letter', 'volunes'],
  ['neighbours that are swapped', 'voulmes'],
  ['neighbours that are swapped at the beginning', 'ovlumes'],
  ['neighbours that are swapped at the end', 'volumse'],
  ['capitals', 'VOLUMES'],
  ['two faults in seven letters', 'voulme'],
  ['two swaps in seven letters', 'ovulmes'],
])('%s is near', ([, typed = '']) => {
  expect(nearest(typed, ['volumes'])).toEqual(['volumes'])
})

test.for([
  ['three faults in seven letters', 'vxlxmxs', 'volumes'],
  ['two letters changed', 'xyc', 'abc'],
  ['two letters changed, of which one stands where the other was', 'bxc', 'abc'],
  ['two letters changed, of which the other stands where one was', 'xac', 'abc'],
  ['letters that are swapped over another', 'abc', 'cba'],
  ['four letters in another order', 'dcba', 'abcd'],
  ['another beginning of the same length', 'web', 'box'],
  ['the end of a long name', 'work', 'private-network'],
  ['a long name of which it is not the beginning', 'net', 'tenworks-of-others'],
])('%s is not near', ([, typed = '', known = '']) => {
  expect(nearest(typed, [known])).toEqual([])
})

test('a word of one letter may miss one', () => {
  expect(nearest('a', ['xa'])).toEqual(['xa'])
})

test('a beginning of three letters stands for the whole name, one of two does not', () => {
  expect(nearest('pri', ['private-network'])).toEqual(['private-network'])
  expect(nearest('pr', ['private-network'])).toEqual([])
})

test('the nearest comes first, and a name that begins so before one with a letter changed', () => {
  expect(nearest('volume', ['vollumme', 'volvme', 'volumes'])).toEqual(['volumes', 'volvme', 'vollumme'])
})

test('three names are told at most', () => {
  expect(nearest('web-1', ['web-2', 'web-3', 'web-4', 'web-5'])).toEqual(['web-2', 'web-3', 'web-4'])
})

test.each(['volumes', 'v'.repeat(100)])('a name of a megabyte is compared with "%s" at once', (typed) => {
  const long = 'x'.repeat(1_000_000)
  expect(nearest(typed, [long, typed])).toEqual([typed])
  expect(fastest(() => nearest(typed, [long]), 3)).toBeLessThan(50)
})

test('only the first hundred letters are looked at', () => {
  expect(nearest('a'.repeat(200), ['a'.repeat(100)])).toEqual(['a'.repeat(100)])
})
