/** Lines of fields in a file. */
import { expect, test } from 'vitest'
import { sourcePositions } from '../../src/data/yaml'

const yaml = [
  'label: web',
  'inbound:',
  '  - ports: 080',
  '    addresses:',
  '      ipv4:',
  '        - 192.0.2.1',
].concat(Array.from({ length: 10 }, (_, at) => `  - ports: ${at + 1}`))

test.for<[string | null, number | undefined]>([
  ['label', 1],
  ['inbound', 2],
  ['inbound[0]', 3],
  ['inbound[0].ports', 3],
  ['inbound[0].addresses.ipv4[0]', 6],
  ['inbound[10].ports', 16],
  ['inbound.ports', 2],
  ['none', undefined],
  ['', undefined],
])('The field %s is on line %s', async ([field, line]) => {
  expect((await sourcePositions(yaml.join('\n'))).lineOf(field)).toBe(line)
})

test.for([
  ['inbound[0].addresses.ipv6', 4],
  ['inbound[0].addresses.ipv4[3]', 5],
  ['inbound[0].action', 3],
  ['inbound[11].ports', 2],
  ['label.x[1].y', 1],
] as const)('The missing field %s has the line of its nearest parent: %i', async ([field, line]) => {
  expect((await sourcePositions(yaml.join('\n'))).lineOf(field)).toBe(line)
})

test('An error without a field has no line', async () => {
  expect((await sourcePositions('a: 1')).lineOf(null)).toBeUndefined()
})

test('A text in JSON has lines, too', async () => {
  const { lineOf } = await sourcePositions('{\n  "a": [\n    1e2\n  ]\n}')
  expect([lineOf('a'), lineOf('a[0]')]).toEqual([2, 3])
})

test('A text that is neither YAML nor JSON has only the line of its error', async () => {
  const { lineOf } = await sourcePositions('a: 1\nb: [\n')
  expect([lineOf(null), lineOf('a')]).toEqual([3, undefined])
})

test('A duplicate key in JSON has the line of the first one', async () => {
  const { lineOf } = await sourcePositions('{"a": 1,\n "a": 2}')
  expect([lineOf('a'), lineOf(null)]).toEqual([1, undefined])
})

test('A text over the limits has no lines', async () => {
  const { lineOf } = await sourcePositions('['.repeat(501))
  expect([lineOf('a'), lineOf(null)]).toEqual([undefined, undefined])
})
