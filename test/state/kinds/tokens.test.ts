/** Expected tokens: a plan compares them with the account, and changes none (gaps.md, Scopes). */
import { describe, expect, test } from 'vitest'
import { kindsToRead } from '../../../src/account-file/kinds-to-read'
import { planOf, refusalsOf } from '../../support/pure-plans'

const now = Date.UTC(2026, 6, 1)
const token = (more: object = {}) => ({
  ...{ id: 7, label: 'ci', scopes: 'volumes:read_only', token: '0123456789abcdef' },
  ...{ created: '2026-06-01T00:00:00', expiry: '2026-08-30T00:00:00', ...more },
})
const expecting = (fields: string, label = 'ci') =>
  `tokens:\n  ${label}:${fields === '' ? '' : `\n    ${fields.split('; ').join('\n    ')}`}`
const both = 'scopes: [volumes:read_only]; longest_life: 90d'

const unmetBy = async (text: string, ...tokens: object[]) =>
  (await planOf(text, { tokens }, { now })).unmet?.flatMap(({ differences, fix }) => [
    ...differences.map(({ place, field, text }) => `${place} ${field}: ${text}`),
    fix,
  ])

describe('a token', () => {
  test.for<[what: string, fields: string, more: object]>([
    ['with its scopes and a shorter life', both, {}],
    [
      'with scopes in any order, and scopes that others include',
      'scopes: ips:read_write, volumes:read_only',
      {
        scopes: 'volumes:read_only ips:read_write ips:read_only',
      },
    ],
    ['with an entry without fields, which only expects it to exist', '', { scopes: '*', expiry: null }],
    ['with the expected full scope', 'scopes: "*"', { scopes: '*' }],
    ['with a life that is longer only by a clock difference', both, { expiry: '2026-08-30T00:59:00' }],
    ['without an expiry if none is expected', 'scopes: volumes:read_only', { expiry: null }],
  ])('%s is as expected, and counts as unchanged', async ([, fields, more]) => {
    const plan = await planOf(expecting(fields), { tokens: [token(more)] }, { now })
    expect(plan).toMatchObject({ objects: [], same: 1, unmet: [] })
  })

  const create = 'skyctl tokens create --label ci --scope volumes:read_only --expiry 90d'
  const another = `Create another one, then revoke this one: ${create} && skyctl tokens revoke 7`
  const rotate = 'Replace it: skyctl tokens rotate 7 --expiry 90d'
  const endless = '4 longest_life: it never expires, and should live 90d at most'
  const expiring = (expiry: string | null) => ({ expiry })

  test.for<[what: string, more: object, difference: string, fix: string]>([
    ['wider scopes', { scopes: '*' }, '3 scopes: it has wider scopes: *, not volumes:read_only', another],
    [
      'narrower scopes',
      { scopes: 'ips:read_only' },
      '3 scopes: it has other scopes: ips:read_only, not volumes:read_only',
      another,
    ],
    ['no expiry', expiring(null), endless, rotate],
    ['an expiry in more than a hundred years', expiring('2199-01-01T00:00:00'), endless, rotate],
    [
      'a longer life',
      expiring('2026-09-01T00:00:00'),
      '4 longest_life: it lives 92 days, until 2026-09-01T00:00:00 UTC, not 90d at most',
      rotate,
    ],
    [
      'an expiry that is over',
      expiring('2026-07-01T00:00:00'),
      '2 null: The token with this label expired at 2026-07-01T00:00:00 UTC',
      `Create it: ${create}`,
    ],
    ['another label', { label: 'deploy' }, '2 null: No token has this label', `Create it: ${create}`],
    [
      'no scopes in its answer',
      { scopes: undefined },
      '3 scopes: it came without its scopes, so they are unknown',
      another,
    ],
  ])('with %s is not as expected', async ([, more, difference, fix]) => {
    expect(await unmetBy(expecting(both), token(more))).toEqual([`a.yaml:${difference}`, fix])
  })

  test('should only be revoked if another token with its label is as expected', async () => {
    const plan = await planOf(expecting(both), { tokens: [token({ scopes: '*' }), token({ id: 8 })] }, { now })
    expect(plan.unmet).toMatchObject([
      {
        differences: [{ field: 'scopes', text: 'token 7 has wider scopes: *, not volumes:read_only' }],
        fix: 'Another one is as expected, so revoke this one: skyctl tokens revoke 7',
      },
    ])
  })

  test.for<[left: string, expiry: string, text: string | undefined]>([
    ['more time than in the file', '2026-07-15T00:00:01', undefined],
    ['14 days', '2026-07-15T00:00:00', 'it expires in 14 days, at 2026-07-15T00:00:00 UTC'],
    ['a day', '2026-07-02T12:00:00', 'it expires in 1 day, at 2026-07-02T12:00:00 UTC'],
    ['an hour', '2026-07-01T01:00:00', 'it expires in less than a day, at 2026-07-01T01:00:00 UTC'],
  ])('should be replaced if it expires within renew_before: %s left', async ([, expiry, text]) => {
    const unmet = await unmetBy(expecting('renew_before: 14d'), token({ expiry }))
    expect(unmet).toEqual(
      text === undefined ? [] : [`a.yaml:3 renew_before: ${text}`, 'Replace it: skyctl tokens rotate 7'],
    )
    expect(await unmetBy(expecting(''), token({ expiry }))).toEqual([])
  })

  test('without an expiry needs no replacement', async () => {
    expect(await unmetBy(expecting('renew_before: 14d'), token({ expiry: null }))).toEqual([])
  })

  test('is reported as having narrower scopes', async () => {
    expect((await unmetBy(expecting('scopes: [volumes:read_write, ips:read_only]'), token()))?.[0]).toBe(
      'a.yaml:3 scopes: it has narrower scopes: volumes:read_only, not volumes:read_write, ips:read_only',
    )
  })

  test('is named by its id if several have the label, and an expired one does not count', async () => {
    const others = [
      token(),
      token({ id: 8, scopes: '*' }),
      token({ id: 9, scopes: '*', expiry: '2026-06-02T00:00:00' }),
    ]
    expect((await unmetBy(expecting(both), ...others))?.[0]).toBe(
      'a.yaml:3 scopes: token 8 has wider scopes: *, not volumes:read_only',
    )
  })

  test('is not reported if no file names it', async () => {
    expect(await unmetBy(expecting(both), token(), token({ id: 8, label: 'other', scopes: '*' }))).toEqual([])
  })

  test('is not created, changed or revoked by any step, even with --prune', async () => {
    const plan = await planOf(
      `owner: team\n${expecting(both)}`,
      { tokens: [token({ scopes: '*' })] },
      { now, prune: true },
    )
    expect(plan).toMatchObject({ objects: [], left: [], same: 0 })
  })

  test('is not checked without permission to read tokens, and counts neither as expected nor as unexpected', async () => {
    const plan = await planOf(expecting(both), {}, { now })
    expect(plan).toMatchObject({
      same: 0,
      unmet: [
        {
          isChecked: false,
          differences: [{ field: null, place: 'a.yaml:2', text: 'Not checked: the token may not read tokens' }],
        },
      ],
    })
    const entries = new Map([['tokens', new Map()]])
    const { required, optional } = kindsToRead(
      { settings: { owner: undefined, defaults: {} }, entries },
      { prune: false },
    )
    expect([required, optional].map((kinds) => kinds.map(({ key }) => key))).toEqual([[], ['tokens']])
  })

  test.for<[fields: string, line: number, message: string]>([
    [
      'scopes: [volumes:write]',
      3,
      'scopes[0]: "volumes:write" is not a scope: write it as volumes:read_only or volumes:read_write',
    ],
    ['scopes: [volume:read_only]', 3, 'scopes[0]: "volume:read_only" is not a known scope. Did you mean "volumes"?'],
    ['scopes: []', 3, 'scopes: Must not be empty'],
    ['longest_life: 90', 3, 'longest_life: Must be a string, not a number. Put it in quotes'],
    ['longest_life: "90"', 3, 'longest_life: Must be a duration such as 90d or 12h'],
    ['renew_before: soon', 3, 'renew_before: Must be a duration such as 90d or 12h'],
    ['longest_life: 0d', 3, 'longest_life: Must be a duration such as 90d or 12h'],
  ])('is rejected with %s', async ([fields, line, message]) => {
    expect(await refusalsOf(expecting(fields), { tokens: [] })).toEqual([
      [`a.yaml:${line}`, 'usage', `tokens.ci.${message}`],
    ])
  })

  test('is rejected with a secret, and with a label that no token can have', async () => {
    expect(await refusalsOf(expecting('token: 0123'), { tokens: [] })).toMatchObject([
      ['a.yaml:3', 'usage', expect.stringContaining('tokens.ci.token: unknown key')],
    ])
    expect(await refusalsOf(expecting('', 'x'.repeat(101)), { tokens: [] })).toMatchObject([
      ['a.yaml:2', 'usage', expect.stringMatching(/^tokens\.x+: /)],
    ])
  })
})
