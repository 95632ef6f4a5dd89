/** Places of the values in a JSON text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPlaces } from '../../src/data/json-places'
import type { TextPlace } from '../../src/data/source-nodes'
import { yamlParser } from '../../src/data/yaml'
import { runs } from '../support/fast-check'

const name = fc.constantFrom('a', 'b-1', 'c d', '192.0.2.7', '', '"', '\\', '[', '}', ',', ':', '\n', 'ä', 'length')
const scalar = fc.oneof(name, fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom(1.5, -2e40))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}))

function pathsIn(parsed: unknown): string[][] {
  if (typeof parsed !== 'object' || parsed === null) return [[]]
  return [[], ...Object.entries(parsed).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))]
}

const position = (place: TextPlace | undefined) => place && [place.line, place.column]

test('A JSON text has the places that a reader of YAML finds', async () => {
  const parse = await yamlParser()
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, 2), (parsed, indent) => {
      const text = JSON.stringify(parsed, null, indent)
      const [json, yaml] = [jsonPlaces(text), parse(text).placeOf]
      for (const path of [...pathsIn(parsed), ['none'], ['a', 'none'], ['0', 'none']])
        expect([path, position(json(path))]).toEqual([path, position(yaml(path))])
    }),
    { numRuns: runs(500) },
  )
})

test('A duplicate key has the place of the first one and the parts of the last one', () => {
  const placeOf = jsonPlaces('{"a": 1,\n "b": 3,\n "a": {"c": 2}}')
  expect([placeOf(['a']), placeOf(['b']), placeOf(['a', 'c'])]).toEqual([
    { line: 1, column: 2 },
    { line: 2, column: 2 },
    { line: 3, column: 8 },
  ])
})
