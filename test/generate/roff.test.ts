import { expect, test } from 'vitest'
import { section, subsection } from '../../src/generate/roff'

test('a section has a heading where it has lines, and is not there without', () => {
  expect(section('SEE ALSO', ['a', 'b'])).toEqual(['.SH SEE ALSO', 'a', 'b'])
  expect(subsection('Global flags', ['a'])).toEqual(['.SS Global flags', 'a'])
  expect(section('FILES', [])).toEqual([])
  expect(subsection('Flags', [])).toEqual([])
})
