/** Types of the fields of an answer, from its schema. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/catalogue/field-types'
import { integer, open, text } from '../../src/catalogue/fields'

test('a number is an integer only if its schema requires it', () => {
  const described = v.pipe(v.number(), v.description('In USD'))
  const returns = v.looseObject({ count: integer('How many'), credit: described, plain: v.number() })
  expect(fieldsOf({ returns }).map(({ path, kind }) => [path, kind])).toEqual([
    ['count', 'integer'],
    ['credit', 'number'],
    ['plain', 'number'],
  ])
})

test('a text with known values is an enumeration, even if only one is known', () => {
  const returns = v.looseObject({ region: open(['us-east'], 'Region'), free: open([], 'Any text') })
  expect(fieldsOf({ returns }).map(({ path, kind, values }) => [path, kind, values])).toEqual([
    ['region', 'enumeration', ['us-east']],
    ['free', 'text', []],
  ])
})

test('a field can be null if it, or the structure around it, can be missing or null', () => {
  const parts = { always: text('Always'), maybe: v.nullable(text('Perhaps')), other: v.optional(text('Perhaps')) }
  const returns = v.looseObject({ whole: v.looseObject(parts), part: v.nullable(v.looseObject(parts)) })
  expect(fieldsOf({ returns }).map(({ path, nullable, description }) => [path, nullable, description])).toEqual([
    ['whole.always', false, 'Always'],
    ['whole.maybe', true, 'Perhaps'],
    ['whole.other', true, 'Perhaps'],
    ['part.always', true, 'Always'],
    ['part.maybe', true, 'Perhaps'],
    ['part.other', true, 'Perhaps'],
  ])
})
