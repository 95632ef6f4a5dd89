/** Places and source texts of the values in a JSON text. */
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
      const [json, yaml] = [jsonPlaces(text), parse(text)]
      for (const path of [...pathsIn(parsed), ['none'], ['a', 'none'], ['0', 'none']])
        expect([path, position(json.placeOf(path)), json.writtenAs(path)]).toEqual([
          ...[path, position(yaml.placeOf(path)), yaml.writtenAs(path)],
        ])
    }),
    { numRuns: runs(500) },
  )
})

test('Numbers are as they were typed', () => {
  const { writtenAs } = jsonPlaces(' [ 1e2 , {"a" : 10.0}, 9007199254740993 ]\n')
  expect([['0'], ['1', 'a'], ['2'], ['1'], ['3']].map(writtenAs)).toEqual([
    ...['1e2', '10.0', '9007199254740993'],
    ...[undefined, undefined],
  ])
})

test.for<[json: string, isUnusual: boolean]>([
  ['[0, -1, 22]', false],
  ['{"a": 1.5}', false],
  ['{"a": "1e2, 1.0, -0"}', false],
  ['{"a":-0}', true],
  ['[1e2]', true],
  ['{"a": 10.0}', true],
  ['[\n9007199254740993\n]', true],
])('A number in an unusual form is noticed: %j', ([json, isUnusual]) => {
  expect(jsonPlaces(json).hasUnusualNumbers).toBe(isUnusual)
})

test('A duplicate key has the place of the first one and the value of the last one', () => {
  const { placeOf, writtenAs } = jsonPlaces('{"a": 1,\n "b": 3,\n "a": 2}')
  expect([placeOf(['a']), writtenAs(['a']), placeOf(['b'])]).toEqual([
    { line: 1, column: 2 },
    '2',
    { line: 2, column: 2 },
  ])
})
