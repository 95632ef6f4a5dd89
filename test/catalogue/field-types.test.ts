/** What stands in the fields of an answer, as it is known from its schema. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/catalogue/field-types'
import { integer, open } from '../../src/catalogue/fields'

test('a number is an integer only where its schema says so', () => {
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
