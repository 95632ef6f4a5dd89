import { expect, test } from 'vitest'
import { didYouMean, nearest } from '../../src/rules/nearest'
import { expectUnder } from '../support/fastest'

test('A name is suggested once, even if several objects have it', () => {
  expect(didYouMean('data-2', ['data-1', 'data-1', 'data'])).toBe('Did you mean "data-1" or "data"?')
})

test('Nothing is suggested if no name is similar', () => {
  expect(didYouMean('web', ['database', 'mail'])).toBeUndefined()
})

test.for([
  ['an additional letter', 'volumess'],
  ['a missing letter', 'volmes'],
  ['another letter', 'volunes'],
  ['swapped neighbours', 'voulmes'],
  ['swapped neighbours at the beginning', 'ovlumes'],
  ['swapped neighbours at the end', 'volumse'],
  ['capitals', 'VOLUMES'],
  ['two typos in seven letters', 'voulme'],
  ['two swaps in seven letters', 'ovulmes'],
])('A name is suggested despite %s', ([, input = '']) => {
  expect(nearest(input, ['volumes'])).toEqual(['volumes'])
})

test.for([
  ['three typos in seven letters', 'vxlxmxs', 'volumes'],
  ['two letters changed', 'xyc', 'abc'],
  ['two letters changed, one of them moved to the front', 'bxc', 'abc'],
  ['two letters changed, one of them moved back', 'xac', 'abc'],
  ['letters swapped across another', 'abc', 'cba'],
  ['four letters in another order', 'dcba', 'abcd'],
  ['another beginning of the same length', 'web', 'box'],
  ['the end of a long name', 'work', 'private-network'],
  ['a part of a long name that is not its beginning', 'net', 'tenworks-of-others'],
])('A name is not suggested for %s', ([, input = '', name = '']) => {
  expect(nearest(input, [name])).toEqual([])
})

test('An input of one letter may lack one', () => {
  expect(nearest('a', ['xa'])).toEqual(['xa'])
})

test('The first three letters of a name suffice, two do not', () => {
  expect(nearest('pri', ['private-network'])).toEqual(['private-network'])
  expect(nearest('pr', ['private-network'])).toEqual([])
})

test('The most similar name comes first, and a longer name before one with a changed letter', () => {
  expect(nearest('volume', ['vollumme', 'volvme', 'volumes'])).toEqual(['volumes', 'volvme', 'vollumme'])
})

test('At most three names are suggested', () => {
  expect(nearest('web-1', ['web-2', 'web-3', 'web-4', 'web-5'])).toEqual(['web-2', 'web-3', 'web-4'])
})

test.each(['volumes', 'v'.repeat(100)])('A name of 1 MB is compared in under 50 ms: "%s"', (input) => {
  const long = 'x'.repeat(1_000_000)
  expect(nearest(input, [long, input])).toEqual([input])
  expectUnder(50, () => nearest(input, [long]), 3)
})

test('Only the first hundred letters are compared', () => {
  expect(nearest('a'.repeat(200), ['a'.repeat(100)])).toEqual(['a'.repeat(100)])
})
