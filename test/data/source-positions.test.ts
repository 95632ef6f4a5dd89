/** Lines of fields in a file, and their source texts. */
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

test.for<[string | null, number | undefined, string | undefined]>([
  ['label', 1, 'web'],
  ['inbound', 2, undefined],
  ['inbound[0]', 3, undefined],
  ['inbound[0].ports', 3, '080'],
  ['inbound[0].addresses.ipv4[0]', 6, '192.0.2.1'],
  ['inbound[10].ports', 16, '10'],
  ['inbound.ports', 2, undefined],
  ['none', undefined, undefined],
  ['', undefined, undefined],
])('The field %s is on line %s as %s', async ([field, line, written]) => {
  const { lineOf, writtenAs } = await sourcePositions(yaml.join('\n'))
  expect(lineOf(field)).toBe(line)
  expect(writtenAs(field ?? '')).toBe(written)
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
  const { lineOf, writtenAs } = await sourcePositions('{\n  "a": [\n    1e2\n  ]\n}')
  expect([lineOf('a'), lineOf('a[0]'), writtenAs('a[0]')]).toEqual([2, 3, '1e2'])
})

test('A text that is neither YAML nor JSON has only the line of its error', async () => {
  const { lineOf, writtenAs } = await sourcePositions('a: 1\nb: [\n')
  expect([lineOf(null), writtenAs('a')]).toEqual([3, undefined])
  expect(lineOf('a')).toBeUndefined()
})

test('A duplicate key in JSON has the line of the first one', async () => {
  const { lineOf } = await sourcePositions('{"a": 1,\n "a": 2}')
  expect([lineOf('a'), lineOf(null)]).toEqual([1, undefined])
})

test('A text over the limits has no lines', async () => {
  const { lineOf } = await sourcePositions('['.repeat(501))
  expect([lineOf('a'), lineOf(null)]).toEqual([undefined, undefined])
})
