/** Bodies from flags: the flags of a schema, their values, and messages about invalid bodies. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { bodyProblem } from '../../src/catalogue/body-problem'
import { boolean, choice, integer, strings, text } from '../../src/catalogue/fields'
import { checkBody, flagsOf, readBody } from '../../src/engine/body'
import type { Flags } from '../../src/engine/command'
import type { Session } from '../../src/engine/session'

const schema = v.strictObject({
  label: text('Name'),
  full_name: v.optional(text('Whole name')),
  size: v.optional(v.pipe(v.number(), v.integer('Must be an integer'), v.description('Size'))),
  kind: v.optional(choice(['a', 'b'], 'Kind')),
  count: v.optional(v.pipe(v.number(), v.values([1, 2]), v.description('Count'))),
  open: v.optional(boolean('Open')),
  firewall_tags: v.optional(strings('Tags')),
  region: v.optional(text('Region')),
  compute_id: v.optional(integer('Id of a Compute')),
  rules: v.optional(v.array(v.object({}))),
  more: v.optional(v.object({})),
})

test('Each field with a textual form has a flag of its type, with its description', () => {
  expect(flagsOf(schema)).toEqual([
    { name: 'label', value: 'text', description: 'Name', required: true },
    { name: 'full-name', value: 'text', description: 'Whole name' },
    { name: 'size', value: 'GiB', description: 'Size' },
    { name: 'kind', value: 'text', description: 'Kind: a, b', values: ['a', 'b'] },
    { name: 'count', value: 'n', description: 'Count', values: ['1', '2'] },
    { name: 'open', description: 'Open', negative: 'also' },
    { name: 'firewall-tag', aliases: ['firewall-tags'], value: 'text', list: 'commas', description: 'Tags' },
    { name: 'firewall-tags', negative: 'only', description: 'Empty the list of firewall-tags' },
    { name: 'region', value: 'text', description: 'Region', values: 'regions' },
    { name: 'compute-id', value: 'id|label', description: 'Id of a Compute', values: 'computes' },
  ])
  const required = v.strictObject({ open: boolean('Open'), tags: strings('Tags'), plain: v.string() })
  expect(flagsOf(required)).toEqual([
    { name: 'open', description: 'Open', required: true, negative: 'also' },
    expect.objectContaining({ name: 'tag', required: true }),
    { name: 'tags', negative: 'only', description: 'Empty the list of tags' },
    { name: 'plain', value: 'text', description: '', required: true },
  ])
})

describe('Flags', () => {
  // Without a file or a label, the session is not used.
  const read = (flags: Flags) => readBody(schema, flags, {} as Session)

  test.for<[Flags, Record<string, unknown>]>([
    [{}, {}],
    [
      { label: 'a', 'full-name': 'b' },
      { label: 'a', full_name: 'b' },
    ],
    [{ label: '' }, { label: '' }],
    [
      { size: '20', count: '-1' },
      { size: 20, count: -1 },
    ],
    [{ size: '0' }, { size: 0 }],
    [{ size: '9007199254740991' }, { size: 9007199254740991 }],
    [{ open: true }, { open: true }],
    [{ open: false }, { open: false }],
    [{ 'firewall-tag': ['a', 'b'] }, { firewall_tags: ['a', 'b'] }],
    [{ 'firewall-tags': false }, { firewall_tags: [] }],
    [{ 'compute-id': '7' }, { compute_id: 7 }],
    [{ 'compute-id': '-7' }, { compute_id: -7 }],
    [{ other: 'z' }, {}],
  ])('%j set the body %j', async ([flags, body]) => {
    expect(await read(flags)).toEqual(body)
  })

  test.for(['', 'x', '1.0', '1e3', ' 1', '01', '--1', '9007199254740993', '12345678901234567890'])(
    'are rejected if a number is %j',
    async (size) => {
      await expect(read({ size })).rejects.toMatchObject({
        code: 'usage',
        message: `--size: "${size}" is not a whole number`,
        details: { errors: [{ field: 'size', reason: 'Must be an integer' }] },
      })
    },
  )
})

describe('A check of a body', () => {
  /** Returns the message and the hint of the error, if any. */
  const errorOf = async (body: object, flags: Flags = {}, names = {}) => {
    try {
      await checkBody(schema, body, flags, names)
      return []
    } catch (error) {
      const { code, message, details } = error as { code: string; message: string; details: { hint?: string } }
      expect(code).toBe('usage')
      return [message, ...(details.hint ? [details.hint] : [])]
    }
  }
  const inQuotes = 'must be a string, not a number. Put it in quotes'
  const both = { label: 1, full_name: 2 }

  test.for<[what: string, body: object, flags: Flags, ...message: string[]]>([
    ['accepts a valid body', { label: 'a' }, {}],
    ['is skipped with --no-validate', {}, { validate: false }],
    ['names flags', both, {}, '--label: must be a string; --full-name: must be a string'],
    ['names fields of a file', { label: 1 }, { body: 'x' }, `label: ${inQuotes}`],
    [
      'names flags that override a file',
      both,
      { body: 'x', label: 'y' },
      `--label: ${inQuotes}; full_name: ${inQuotes}`,
    ],
    ['names a missing flag', {}, {}, '--label is required'],
    [
      'names a missing field of a file, and the flag that can set it',
      {},
      { body: 'x' },
      'label is required',
      'Set --label',
    ],
    [
      'names an invalid member of a list',
      { label: 'a', firewall_tags: ['a', 1] },
      {},
      'value 2 of --firewall-tag: must be a string',
    ],
    ['names a field without a flag', { label: 'a', rules: 1 }, {}, expect.stringMatching(/^rules: /) as never],
  ])('%s', async ([, body, flags, ...message]) => {
    expect(await errorOf(body, flags)).toEqual(message)
  })

  test('uses the names that a command has for its fields', async () => {
    expect(await errorOf({ label: 1 }, {}, { label: 'LABEL' })).toEqual(['LABEL: must be a string'])
  })

  test('keeps the field names of the API if a command has no names for them', () => {
    const errors = [
      { field: 'label', reason: 'label is required' },
      { field: null, reason: 'No' },
      { field: 'size', reason: 'IP is wrong' },
      { field: 'size', reason: 'A size' },
    ]
    expect(bodyProblem(errors)).toMatchObject({
      message: 'label is required; No; size: IP is wrong; size: a size',
      details: { errors },
    })
    expect(bodyProblem(errors, { hint: 'Do that' }).details.hint).toBe('Do that')
  })
})
