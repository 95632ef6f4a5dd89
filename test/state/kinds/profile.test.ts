/** Plans of the profile (state.md, The file). */
import { describe, expect, test } from 'vitest'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const present = {
  ...{ username: 'ada', uid: 7, email: 'ada@example.net', email_notifications: true, timezone: 'UTC' },
  ...{ shell_auth_method: 'password_keys', authorized_keys: null },
}
const accountWith = (fields: object = {}) => ({ profile: [{ ...present, ...fields }] })
const fileWith = (profile: object) => JSON.stringify({ profile })
const cutsOff = 'cuts off: users of other authentication methods of the remote shell'

describe('the profile', () => {
  test('changes only in the fields that differ', async () => {
    const { username: _name, uid: _uid, ...same } = present
    expect(await stepsOf(fileWith(same), accountWith())).toEqual([])
    expect(await stepsOf(fileWith({}), accountWith())).toEqual([])
    const changes = { email: 'other@example.net', email_notifications: false, timezone: 'Europe/Berlin' }
    for (const [field, value] of Object.entries(changes))
      expect(await stepsOf(fileWith({ ...same, [field]: value }), accountWith())).toEqual([
        ['profile update', { [field]: value }],
      ])
    expect(await stepsOf(fileWith({ ...same, ...changes }), accountWith())).toEqual([['profile update', changes]])
  })

  test('records the replaced values for the history', async () => {
    const file = fileWith({ email_notifications: false, authorized_keys: ['ssh-rsa key'] })
    const [object] = (await planOf(file, accountWith())).objects
    expect(object?.steps.map(({ replaced }) => replaced)).toEqual([
      { email_notifications: true, authorized_keys: null },
    ])
  })

  test.for<[fields: object, ...lines: string[]]>([
    [{ email_notifications: false }, 'email_notifications: true -> false'],
    [{ shell_auth_method: 'keys_only' }, 'shell_auth_method: password_keys -> keys_only', cutsOff],
    [{ authorized_keys: ['ssh-rsa key'] }, 'authorized_keys: none -> ssh-rsa key'],
    [
      { timezone: 'Asia/Tokyo', shell_auth_method: 'disabled' },
      ...['timezone: UTC -> Asia/Tokyo', 'shell_auth_method: password_keys -> disabled', cutsOff],
    ],
  ])('has a plan with its changes, and with users who may lose the remote shell: %j', async ([fields, ...lines]) => {
    expect((await linesOf(fileWith(fields), accountWith())).toSorted()).toEqual(lines.toSorted())
  })

  const [old, other] = ['ssh-rsa key old', 'ssh-rsa other']
  const method = (shell_auth_method: string) => ({ shell_auth_method })
  const keys = (...authorized_keys: string[]) => ({ authorized_keys })

  test.for<[cause: string, before: object, after: object, isCut: boolean]>([
    ['passwords end', method('password_keys'), method('keys_only'), true],
    ['the shell is disabled', method('password_keys'), method('disabled'), true],
    ['the shell is disabled for keys', { ...method('keys_only'), ...keys(old) }, method('disabled'), true],
    ['nobody had access', { ...method('keys_only'), ...keys() }, method('disabled'), false],
    ['passwords are allowed, too', { ...method('keys_only'), ...keys(old) }, method('password_keys'), false],
    ['passwords are allowed again', method('disabled'), method('password_keys'), false],
    ['keys are allowed again', { ...method('disabled'), ...keys(old) }, method('keys_only'), false],
    ['the previous method is unknown', method('new'), method('password_keys'), true],
    ['the first key is added', keys(), keys(old), false],
    ['another key is added', { ...method('new'), ...keys(old) }, keys(old, other), false],
    ['a key is removed', keys(old, other), keys(other), true],
    ['a key without an effect is removed', { ...method('disabled'), ...keys(old) }, keys(), false],
    ['only the comment of a key changes', keys(old), keys('ssh-rsa key new'), false],
    ['a key with options is removed', keys('no-pty ssh-rsa a', 'no-pty ssh-rsa b'), keys('no-pty ssh-rsa a'), true],
  ])('cuts off only who has access to the remote shell now: %s: %j -> %j', async ([, before, after, isCut]) => {
    const lines = await linesOf(fileWith(after), accountWith(before))
    expect(lines.includes(cutsOff), lines.join('\n')).toBe(isCut)
  })

  test.for<[present: string[] | null, authorized_keys: string[] | null, isSame: boolean]>([
    [null, null, true],
    [null, [], true],
    [[], null, true],
    [['ssh-rsa a', 'ssh-rsa b'], ['ssh-rsa b', 'ssh-rsa a'], true],
    [['ssh-rsa a'], ['ssh-rsa b'], false],
    [['ssh-rsa a'], ['ssh-rsa a', 'ssh-rsa b'], false],
    [['ssh-rsa a'], null, false],
    [null, ['ssh-rsa a'], false],
  ])('has keys without an order, and null is an empty list: %j -> %j', async ([keys, authorized_keys, isSame]) => {
    const steps = await stepsOf(fileWith({ authorized_keys }), accountWith({ authorized_keys: keys }))
    expect(steps).toEqual(isSame ? [] : [['profile update', { authorized_keys }]])
  })

  test.for<[key: string, printed: string]>([
    ['k'.repeat(40), 'k'.repeat(40)],
    [`${'k'.repeat(20)}-${'e'.repeat(20)}`, `${'k'.repeat(20)}...${'e'.repeat(20)}`],
  ])('is printed with keys of up to 40 characters, and with the ends of longer ones: %s', async ([key, printed]) => {
    const keys = { authorized_keys: [key] }
    expect((await linesOf(fileWith({ authorized_keys: null }), accountWith(keys)))[0]).toBe(
      `authorized_keys: ${printed} -> none`,
    )
  })

  test('takes keys as ssh-keygen reads them, and no others, unless the account has them', async () => {
    const odd = 'no-pty ssh-rsa AAAA'
    const account = accountWith({ authorized_keys: ['ssh-rsa  a me', odd] })
    expect(await stepsOf(fileWith({ authorized_keys: [' ssh-rsa \t a  me\r\n', odd] }), account)).toEqual([])
    expect(await stepsOf(fileWith({ authorized_keys: ['ssh-rsa\tb', odd] }), account)).toEqual([
      ['profile update', { authorized_keys: ['ssh-rsa b', odd] }],
    ])
    const keys = { authorized_keys: [odd, 'ssh-rsa a\nssh-rsa b'] }
    expect(await refusalsOf(fileWith(keys), accountWith())).toEqual([
      ['a.yaml:1', 'refused', expect.stringContaining('options before it are not kept')],
      ['a.yaml:1', 'refused', expect.stringContaining('Must be one key, not 2')],
    ])
  })

  test('needs a time zone of the IANA list, unless the account has another one already', async () => {
    const unknown = [
      'a.yaml:1',
      'refused',
      'profile.timezone: Must be a time zone of the IANA list, with its capitals, such as Europe/Berlin; a new zone may need a newer Node',
    ]
    const mars = { timezone: 'Mars/Olympus_Mons' }
    expect(await refusalsOf(fileWith(mars), accountWith())).toEqual([unknown])
    expect(await refusalsOf(fileWith({ ...mars, email_notifications: false }), accountWith())).toEqual([unknown])
    expect(await stepsOf(fileWith({ ...mars, email_notifications: false }), accountWith(mars))).toEqual([
      ['profile update', { email_notifications: false }],
    ])
  })
})
