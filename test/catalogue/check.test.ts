/** Errors of a body, named by the API's field paths (api.md, Errors). */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { checkValue } from '../../src/catalogue/check'
import { integer, text } from '../../src/catalogue/fields'
import { volumes } from '../../src/catalogue/volumes'

const nested = v.strictObject({
  rules: v.optional(v.array(v.strictObject({ ports: text('Ports') }))),
  options: v.nullable(v.looseObject({ size: v.optional(integer('Size')) })),
})

describe('check', () => {
  test('accepts a valid body', () => {
    expect(checkValue(nested, { options: { size: 1, more: 2 } })).toEqual([])
  })

  test('reports all errors of a body at once', () => {
    expect(
      checkValue(volumes.create.body, { label: '', size: '20', tags: [1], colour: 'red', shape: 'round' }),
    ).toEqual([
      { field: 'label', reason: 'Must be 1-32 characters' },
      { field: 'size', reason: 'Must be an integer' },
      { field: 'tags[0]', reason: 'Must be a string' },
      { field: 'region', reason: 'Must provide a region or a Compute ID' },
      ...['colour', 'shape'].map((field) => ({
        field,
        reason: 'Keys must be one of: label, size, region, compute_id, config_id, tags',
      })),
    ])
  })

  test.each(['__proto__', 'constructor', 'toString'])('reports the key %s as unknown', (key) => {
    const body = JSON.parse(`{"label":"data","${key}":{}}`)
    expect(checkValue(volumes.clone.body, body)).toEqual([{ field: key, reason: 'Keys must be one of: label' }])
  })

  test('names unknown keys of objects and lists with their path', () => {
    const rules = [{ ports: '22' }, { ports: '80', proto: 'TCP', label: 'web' }]
    expect(checkValue(nested, { options: null, rules, extra: 1 })).toEqual([
      { field: 'rules[1].proto', reason: 'Keys must be one of: ports' },
      { field: 'rules[1].label', reason: 'Keys must be one of: ports' },
      { field: 'extra', reason: 'Keys must be one of: rules, options' },
    ])
  })

  test('reports missing fields at every level', () => {
    expect(checkValue(nested, { rules: [{}] })).toEqual([
      { field: 'rules[0].ports', reason: 'rules[0].ports is required' },
      { field: 'options', reason: 'options is required' },
    ])
  })

  test.each([[[]], [['text']], ['text'], [1]])('refuses %j instead of an object, at any depth', (value) => {
    expect(checkValue(nested, { options: value, rules: [{ ports: '22' }, value] })).toEqual([
      { field: 'rules[1]', reason: 'Must be an object' },
      { field: 'options', reason: 'Must be an object' },
    ])
  })

  test.each([[[]], [null], ['text'], [undefined]])('refuses %j instead of a body', (body) => {
    expect(checkValue(nested, body)).toEqual([{ field: null, reason: 'Must be an object' }])
  })
})
