/** Filters: matching records, the filter for the service, and errors in tests (interface.md, Filtering). */
import { describe, expect, test } from 'vitest'
import { isFilterRefusal } from '../../../src/account/filter-refusal'
import { ips } from '../../../src/catalogue/ips'
import type { Operation } from '../../../src/catalogue/operation'
import { vlans } from '../../../src/catalogue/vlans'
import { volumes } from '../../../src/catalogue/volumes'
import { readFilter } from '../../../src/engine/filter'
import { Problem } from '../../../src/errors'

const now = Date.UTC(2026, 10, 18, 9, 30)
const filterOf = (texts: readonly string[], operation: Operation = volumes.list) => readFilter(texts, operation, now)

describe('A record matches', () => {
  test.for<[string, unknown, boolean]>([
    ['label=web', 'web', true],
    ['label=web', 'db', false],
    ['label=""', '', true],
    ['label=""', 'web', false],
    ['label!=""', 'web', true],
    ['label!=web', null, true],
    ['label!=web', undefined, true],
    ['label=web', null, false],
    ['label~e', undefined, false],
    ['label=none', 'none', true],
    ['size>40', 41, true],
    ['size>40', 40, false],
    ['size>=40', 40, true],
    ['size<40', 40, false],
    ['size<40', 39, true],
    ['size<=40', 40, true],
    ['size<=40', 41, false],
    ['size!=40', {}, false],
    ['tags=a', ['b', 'a'], true],
    ['tags=a', ['b'], false],
    ['tags=a', [], false],
    ['tags!=a', ['b'], true],
    ['tags!=a', ['b', 'a'], false],
    ['tags!=a', [], true],
    ['tags~A', ['xay'], true],
    ['tags~A', ['x'], false],
    ['tags~none', ['none'], true],
    ['tags~none', [], false],
    ['tags=none', [], true],
    ['tags=none', null, true],
    ['tags=none', ['none'], false],
    ['tags!=none', ['a'], true],
    ['tags!=none', [], false],
    ['compute_id=none', null, true],
    ['compute_id=none', 0, false],
  ])('%s with the value %j: %s', async ([text, value, passes]) => {
    const [path = ''] = /^\w+/.exec(text) ?? []
    expect((await filterOf([text])).passes({ [path]: value })).toBe(passes)
  })

  test('if all tests are true', async () => {
    const { passes } = await filterOf(['size>10', 'label~e'])
    expect([
      passes({ size: 11, label: 'e' }),
      passes({ size: 10, label: 'e' }),
      passes({ size: 11, label: 'x' }),
    ]).toEqual([true, false, false])
    expect((await filterOf([])).passes({})).toBe(true)
  })

  test.for<[string, unknown, boolean]>([
    ['other=a', 'a', true],
    ['other=a', 'b', false],
    ['other=none', undefined, true],
    ['other!=none', 1, true],
    ['other=5', 5, true],
    ['other>4', 5, true],
    ['other>4', 4, false],
    ['other>4', [5], false],
    ['other=5', [1, 5], true],
    ['other~x', [5], false],
  ])('an unknown field by its type: %s with %j: %s', async ([text, value, passes]) => {
    expect((await filterOf([text])).passes({ other: value })).toBe(passes)
  })
})

describe('An unknown field', () => {
  test('is returned for a later check with records', async () => {
    expect((await filterOf(['other=a', 'size>1', 'more=none'])).doubts).toEqual([
      { flag: '--filter', name: 'other' },
      { flag: '--filter', name: 'more' },
    ])
    expect(await filterOf(['size>1'])).not.toHaveProperty('doubts')
  })

  test('is checked with the values of records', async () => {
    const { meet } = await filterOf(['size>1', 'inner.other>1'])
    expect(() => meet([{ inner: { other: 'a' } }])).toThrow('--filter: inner.other is a text, which > cannot compare')
    expect(() => meet([{ inner: { other: [1] } }])).toThrow(
      '--filter: inner.other is a list, each member a text, which > cannot compare',
    )
    const filter = await filterOf(['inner.other>1'])
    filter.meet([{ inner: { other: 3 } }])
    expect(() => filter.meet([{ inner: { other: 'a' } }])).not.toThrow()
  })

  test('that is only tested with none accepts any value', async () => {
    const { meet } = await filterOf(['other=none'])
    expect(() => meet([{ other: {} }])).not.toThrow()
  })
})

describe('The filter for the service', () => {
  test('has tests of equality, and the last one of each field', async () => {
    expect((await filterOf(['label=web', 'size>4'])).serviceFilter).toEqual({ label: 'web' })
    expect((await filterOf(['label=web', 'label=db'])).serviceFilter).toEqual({ label: 'db' })
  })

  test.for(['label!=web', 'label~web', 'size>4', 'tags=none', 'compute_id=none', 'other=a'])(
    'is missing for %s',
    async (text) => {
      expect(await filterOf([text])).not.toHaveProperty('serviceFilter')
    },
  )

  test('is missing for a list without filters', async () => {
    const { filterable: _, ...list } = volumes.list
    expect(await filterOf(['label=web'], list)).not.toHaveProperty('serviceFilter')
  })

  test.for<[unknown, boolean]>([
    [new Problem('refused', 'x', { errors: [{ field: 'X-Filter', reason: 'no' }] }), true],
    [
      new Problem('refused', 'x', {
        errors: [
          { field: 'label', reason: 'no' },
          { field: 'X-Filter', reason: 'no' },
        ],
      }),
      true,
    ],
    [new Problem('refused', 'x', { errors: [{ field: 'label', reason: 'no' }] }), false],
    [new Problem('refused', 'x', { errors: [] }), false],
    [new Problem('refused', 'x'), false],
    [new TypeError('X-Filter'), false],
  ])('is recognized as refused from the error %s: %s', ([error, isRefusal]) => {
    expect(isFilterRefusal(error)).toBe(isRefusal)
  })
})

describe('An invalid test', () => {
  test.for<[string, string, string, Operation?]>([
    ['size', '"size" is not a test', "Quote > and <, as in --filter 'size>=40'; write others as size=VALUE"],
    ['size=', 'no value follows the operator of "size="', 'For a missing value write size=none'],
    ['label=', 'no value follows the operator of "label="', 'For an empty text write label=""'],
    ['label!=', 'no value follows the operator of "label!="', 'For an empty text write label!=""'],
    ['label~', 'no value follows the operator of "label~"', 'Write label~web'],
    ['label~""', 'no value follows the operator of "label~"""', 'Write label~web'],
    ['tags=', 'no value follows the operator of "tags="', 'For a missing value write tags=none'],
    ['size>', 'no value follows the operator of "size>"', 'Write size>40'],
    [
      'size~4',
      'size is a number of GiB, which ~ cannot compare',
      'Write size=40, size!=40, size>40, size>=40, size<40 or size<=40',
    ],
    ['label>a', 'label is a text, which > cannot compare', 'Write label=web, label!=web or label~web'],
    ['tags>a', 'tags is a list, each member a text, which > cannot compare', 'Write tags=web, tags!=web or tags~web'],
    ['size=x', 'size is a number of GiB, and "x" is not', 'Write size=40 or size=40GiB'],
    ['size=null', 'size is a number of GiB, and "null" is not', 'Write size=none'],
    ['created=7d', 'created is a time, and "7d" is not', 'Write created=2026-01-31'],
    ['created>x', 'created is a time, and "x" is not', 'Write created>2026-01-31 or created<7d'],
    [
      'created~2026',
      'created is a time, which ~ cannot compare',
      'Write created=2026-01-31, created!=2026-01-31, created>2026-01-31, created>=2026-01-31, created<2026-01-31 or created<=2026-01-31',
    ],
    ['public=maybe', 'public is true or false, and "maybe" is not', 'Write public=true or public=false', ips.list],
    [
      'address=x',
      'address is an address, and "x" is not',
      'Write address=192.0.2.7, address=192.0.2.0/24 or address=2001:db8::/32',
      ips.list,
    ],
    [
      'computes>1',
      'computes is a list, each member a whole number, which > cannot compare',
      'Write computes=40 or computes!=40',
      vlans.list,
    ],
    ['other=null', 'write none for a missing value', 'Write other=none, or other="null" for the text'],
  ])('is rejected with a correct form: %s', async ([text, message, hint, operation]) => {
    await expect(filterOf([text], operation)).rejects.toMatchObject({
      code: 'usage',
      message: `--filter: ${message}`,
      details: { hint },
    })
  })

  test('has a warning for an unknown value', async () => {
    expect((await filterOf(['status=activ', 'size>1'])).warnings).toHaveLength(1)
    expect((await filterOf(['status=active'])).warnings).toEqual([])
  })
})
