/** What stands in the fields of an answer, as it is known from its schema. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/catalogue/field-types'
import { integer } from '../../src/catalogue/fields'

test('a number is an integer only where its schema says so', () => {
  const described = v.pipe(v.number(), v.description('In USD'))
  const returns = v.looseObject({ count: integer('How many'), credit: described, plain: v.number() })
  expect(fieldsOf({ returns }).map(({ path, kind }) => [path, kind])).toEqual([
    ['count', 'integer'],
    ['credit', 'number'],
    ['plain', 'number'],
  ])
})
