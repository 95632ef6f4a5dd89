/** A request's body from flags: which flags a schema has, what they hold, and what is said where something is wrong. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { boolean, choice, integer, strings, text } from '../../src/catalogue/fields'
import { wrongBody } from '../../src/catalogue/wrong-body'
import { checkBody, flagsOf, readBody } from '../../src/engine/body'
import type { Flags } from '../../src/engine/command'
import type { Session } from '../../src/session'

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

test('each field that a text can hold has a flag, as its kind and its description say', () => {
  expect(flagsOf(schema)).toEqual([
    { name: 'label', value: 'text', description: 'Name', required: true },
    { name: 'full-name', value: 'text', description: 'Whole name' },
    { name: 'size', value: 'n', description: 'Size' },
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

describe('flags', () => {
  // Nothing of a session is asked for where neither a file nor a label is named.
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
  ])('%j hold %j', async ([flags, body]) => {
    expect(await read(flags)).toEqual(body)
  })

  test.for(['', 'x', '1.0', '1e3', ' 1', '01', '--1', '9007199254740993', '12345678901234567890'])(
    'hold no whole number in %j',
    async (size) => {
      await expect(read({ size })).rejects.toMatchObject({
        code: 'usage',
        message: `--size: "${size}" is not a whole number`,
        details: { errors: [{ field: 'size', reason: 'Must be an integer' }] },
      })
    },
  )
})

describe('a body that may not be sent', () => {
  /** The message and the hint of the mistake; nothing where there is none. */
  const refused = (body: object, flags: Flags = {}, names = {}) => {
    try {
      checkBody(schema, body, flags, names)
      return []
    } catch (error) {
      const { code, message, details } = error as { code: string; message: string; details: { hint?: string } }
      expect(code).toBe('usage')
      return [message, ...(details.hint ? [details.hint] : [])]
    }
  }
  const inQuotes = 'must be a string, not a number. Put it in quotes'
  const both = { label: 1, full_name: 2 }

  test.for<[what: string, body: object, flags: Flags, ...told: string[]]>([
    ['is one that may', { label: 'a' }, {}],
    ['is left to the service', {}, { validate: false }],
    ['is told by its flags', both, {}, '--label: must be a string; --full-name: must be a string'],
    ['is told by its fields, where they come from a file', { label: 1 }, { body: 'x' }, `label: ${inQuotes}`],
    [
      'is told by its flags, where they win over a file',
      both,
      { body: 'x', label: 'y' },
      `--label: ${inQuotes}; full_name: ${inQuotes}`,
    ],
    ['lacks a flag', {}, {}, '--label is required'],
    ['lacks a field of a file, which a flag could give', {}, { body: 'x' }, 'label is required', 'Set --label'],
    [
      'has a wrong part of a list',
      { label: 'a', firewall_tags: ['a', 1] },
      {},
      'value 2 of --firewall-tag: must be a string',
    ],
    ['has what has no flag', { label: 'a', rules: 1 }, {}, expect.stringMatching(/^rules: /) as never],
  ])('%s', ([, body, flags, ...told]) => {
    expect(refused(body, flags)).toEqual(told)
  })

  test('is told by the names that a command gives its fields', () => {
    expect(refused({ label: 1 }, {}, { label: 'LABEL' })).toEqual(['LABEL: must be a string'])
  })

  test('is told without names as the service would', () => {
    const errors = [
      { field: 'label', reason: 'label is required' },
      { field: null, reason: 'No' },
      { field: 'size', reason: 'IP is wrong' },
      { field: 'size', reason: 'A size' },
    ]
    expect(wrongBody(errors)).toMatchObject({
      message: 'label is required; No; size: IP is wrong; size: a size',
      details: { errors },
    })
    expect(wrongBody(errors, { hint: 'Do that' }).details.hint).toBe('Do that')
  })
})
