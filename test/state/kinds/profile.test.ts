/** Plans of the profile (state.md, The file). */
import { describe, expect, test } from 'vitest'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const present = {
  ...{ username: 'ada', uid: 7, email: 'ada@example.net', email_notifications: true, timezone: 'UTC' },
  ...{ shell_auth_method: 'password_keys', authorized_keys: null },
}
const having = (fields: object = {}) => ({ profile: [{ ...present, ...fields }] })
const wanting = (profile: object) => JSON.stringify({ profile })
const cutsOff = 'cuts off: users of other authentication methods of the remote shell'

describe('the profile', () => {
  test('changes in what differs, and in nothing else', async () => {
    const { username: _name, uid: _uid, ...same } = present
    expect(await stepsOf(wanting(same), having())).toEqual([])
    expect(await stepsOf(wanting({}), having())).toEqual([])
    const changes = { email: 'other@example.net', email_notifications: false, timezone: 'Europe/Berlin' }
    for (const [field, value] of Object.entries(changes))
      expect(await stepsOf(wanting({ ...same, [field]: value }), having())).toEqual([
        ['profile update', { [field]: value }],
      ])
    expect(await stepsOf(wanting({ ...same, ...changes }), having())).toEqual([['profile update', changes]])
  })

  test('says what stood before, for the history', async () => {
    const wanted = wanting({ email_notifications: false, authorized_keys: ['key'] })
    const [object] = (await planOf(wanted, having())).objects
    expect(object?.steps.map(({ replaced }) => replaced)).toEqual([
      { email_notifications: true, authorized_keys: null },
    ])
  })

  test.for<[wanted: object, ...lines: string[]]>([
    [{ email_notifications: false }, 'email_notifications: true -> false'],
    [{ shell_auth_method: 'keys_only' }, 'shell_auth_method: password_keys -> keys_only', cutsOff],
    [{ authorized_keys: ['key'] }, 'authorized_keys: none -> key', cutsOff],
    [
      { timezone: 'Asia/Tokyo', authorized_keys: ['key'] },
      ...['timezone: UTC -> Asia/Tokyo', 'authorized_keys: none -> key', cutsOff],
    ],
  ])('says what changes, and who may lose the remote shell: %j', async ([wanted, ...lines]) => {
    expect((await linesOf(wanting(wanted), having())).toSorted()).toEqual(lines.toSorted())
  })

  test.for<[present: string[] | null, wanted: string[] | null, isSame: boolean]>([
    [null, null, true],
    [null, [], true],
    [[], null, true],
    [['a', 'b'], ['b', 'a'], true],
    [['a'], ['b'], false],
    [['a'], ['a', 'b'], false],
    [['a'], null, false],
    [null, ['a'], false],
  ])('has a set of keys, and none is an empty one: %j, of which %j is wanted', async ([keys, wanted, isSame]) => {
    const steps = await stepsOf(wanting({ authorized_keys: wanted }), having({ authorized_keys: keys }))
    expect(steps).toEqual(isSame ? [] : [['profile update', { authorized_keys: wanted }]])
  })

  test.for<[key: string, shown: string]>([
    ['k'.repeat(40), 'k'.repeat(40)],
    [`${'k'.repeat(20)}-${'e'.repeat(20)}`, `${'k'.repeat(20)}...${'e'.repeat(20)}`],
  ])('is told with keys of up to 40 characters, and the ends of longer ones: %s', async ([key, shown]) => {
    const keys = { authorized_keys: [key] }
    expect((await linesOf(wanting({ authorized_keys: null }), having(keys)))[0]).toBe(
      `authorized_keys: ${shown} -> none`,
    )
  })

  test('has a time zone of the IANA list, unless the service has another one already', async () => {
    const unknown = [
      'a.yaml:1',
      'refused',
      'profile.timezone: Must be a time zone of the IANA list, such as Europe/Berlin',
    ]
    const mars = { timezone: 'Mars/Olympus_Mons' }
    expect(await refusalsOf(wanting(mars), having())).toEqual([unknown])
    expect(await refusalsOf(wanting({ ...mars, email_notifications: false }), having())).toEqual([unknown])
    expect(await stepsOf(wanting({ ...mars, email_notifications: false }), having(mars))).toEqual([
      ['profile update', { email_notifications: false }],
    ])
  })
})
