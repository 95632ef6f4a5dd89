/** Names of fields in messages: the flag or argument, or the path of a field from a file. */
import { expect, test } from 'vitest'
import { type FieldSource, fieldName, typedReason } from '../../src/engine/field-names'

const names = {
  'rules.inbound': '--inbound',
  rules: '--rules',
  'rules.inbound_policy': '--inbound-policy',
  tags: '--tag',
  assignments: 'ADDRESS=INSTANCE',
  route_target_id: '--route-target',
}
const sourceOf = (flags: FieldSource['flags'] = {}): FieldSource => ({ flags, names, files: ['body'] })

test.for([
  ['rules.inbound', '--inbound'],
  ['rules.inbound.x', '--inbound'],
  ['rules.inbound[0]', 'value 1 of --inbound'],
  ['rules.inbound[11].ports', 'value 12 of --inbound'],
  ['rules.inbound_policy', '--inbound-policy'],
  ['rules', '--rules'],
  ['rules.outbound', '--rules'],
  ['rules.outbound[0]', '--rules'],
  ['rulesx', 'rulesx'],
  ['assignments', 'ADDRESS=INSTANCE'],
  ['tags[0]', 'value 1 of --tag'],
  ['tags[x]', '--tag'],
  ['tag', 'tag'],
  ['assignments[0]', 'value 1 of ADDRESS=INSTANCE'],
  ['other', 'other'],
] as const)('The field %s is named %s', ([field, name]) => {
  expect(fieldName(field, sourceOf())).toBe(name)
})

test('A field of a file is named by its path, unless its flag is set', () => {
  expect(fieldName('tags[1]', sourceOf({ body: '-' }))).toBe('tags[1]')
  expect(fieldName('tags[1]', sourceOf({ body: '-', tag: ['a', 'b'] }))).toBe('value 2 of --tag')
  expect(fieldName('rules', sourceOf({ body: '-', tag: ['a'] }))).toBe('rules')
  expect(fieldName('tags', sourceOf({ file: 'x' }))).toBe('--tag')
})

test('Field names within a reason are replaced, but not parts of other words', () => {
  expect(typedReason('Needs route_target_id or tags, not x_y or my_route_target_id_x', sourceOf())).toBe(
    'Needs --route-target or tags, not x_y or my_route_target_id_x',
  )
})
