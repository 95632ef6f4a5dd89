/** World files: printed ones can be loaded again, and others can be written by hand. */
import { describe, expect } from 'vitest'
import { seedFrom, worldFile } from '../../src/sandbox/restore-world'
import { declarations } from '../../src/sandbox/tables/index'
import type { WorldDescription } from '../../src/sandbox/world'
import { lineOf, rows } from '../operations'
import { refused, type Service, test } from './fixture'

/** Converts a world to JSON and back, like a file. */
const reread = (world: WorldDescription): unknown => JSON.parse(JSON.stringify(world))

/** Sends requests that fill most tables, delete records and start transitions. */
async function makeChanges({ call }: Service): Promise<void> {
  const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
  const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'x' }))
  const lines: [line: string, body?: object][] = [
    ['POST /volumes', { label: 'a', compute_id: 1002, tags: ['x'] }],
    ['POST /volumes', { label: 'b', region: 'us-east' }],
    ['DELETE /volumes/3008'],
    ['POST /networking/firewalls', { label: 'new-one', rules, devices: { computes: [1009] } }],
    ['DELETE /networking/firewalls/4005'],
    ['POST /networking/ips', { type: 'ipv4', public: true, compute_id: 1001 }],
    ['POST /profile/tokens', { label: 'mine', scopes: 'volumes:read_only' }],
    ['POST /profile/phone-number', { iso_code: 'US', phone_number: '+1 555 123 4567' }],
    ['POST /profile/security-questions', { security_questions: answers }],
    ['POST /profile/tfa-enable'],
    ['PUT /profile/preferences', { colour: 'red' }],
    ['DELETE /profile/sshkeys/2'],
  ]
  for (const [line, body] of lines) expect(await call(line, body && { body })).toMatchObject({ status: 200 })
}

/** Keys in files of earlier versions; none is ever renamed. */
const earlierKeys = [
  'computes',
  'balancers',
  'users',
  'tokens',
  'volumes',
  'firewalls',
  'addresses',
  'vlans',
  'apps',
  'trusted_devices',
  'logins',
  'sshkeys',
  'security_answers',
  'preferences',
  'phone_codes',
  'tfa_secrets',
  'messages',
  'events',
  'spent_ids',
]

/** Keys of a world: its tables that are not nested in another one, and the used ids. */
const keys = [...Object.entries(declarations).flatMap(([key, { form }]) => (form ? [key] : [])), 'spent_ids']

/** Sends each POST of the document once; earlier requests may make it fail. */
async function post({ call }: Service): Promise<void> {
  for (const [, row] of rows) {
    const { line, send: body, arrange } = row
    if (line.startsWith('POST ') && !arrange) await call(lineOf(row), body && { body })
  }
}

const contentsOf = ({ world }: Service) => structuredClone(world.tables.saved)

describe('the tables of the sandbox', () => {
  test('are printed in this order, and are the keys that a file can have', ({ service }) => {
    expect(Object.keys(service.sandbox.describe())).toEqual(keys)
    expect(Object.keys(worldFile.entries).sort()).toEqual([...keys].sort())
  })

  test('include all earlier ones, in the same order', () => {
    expect(keys.filter((key) => earlierKeys.includes(key))).toEqual(earlierKeys)
  })

  test('are restored with every record, including nested ones', async ({ service, open }) => {
    await makeChanges(service)
    await post(service)
    const filledTables = Object.entries(contentsOf(service)).filter(([, { records }]) => records.length > 0)
    // VLANs are fixed, so their table has no records.
    const names = Object.values(declarations).flatMap(({ name }) => (name === 'vlans' ? [] : [name]))
    expect(filledTables.map(([name]) => name).sort()).toEqual(names.sort())
    const again = await open({ seed: seedFrom(reread(service.sandbox.describe())) })
    expect(contentsOf(again)).toEqual(contentsOf(service))
  })
})

describe('a printed world', () => {
  test('is the same after loading, including tokens', async ({ service, open }) => {
    await makeChanges(service)
    const world = service.sandbox.describe()
    const again = await open({ seed: seedFrom(reread(world)) })
    expect(again.sandbox.describe()).toEqual(world)
    const token = world.tokens.find(({ label }) => label === 'mine')?.token ?? ''
    expect((await again.call('GET /volumes', { token })).body.results).toBe(7)
    expect((await again.call('POST /volumes', { token, body: {} })).status).toBe(401)
  })

  test('answers the same requests like the original', async ({ service, open }) => {
    await makeChanges(service)
    const again = await open({ seed: seedFrom(reread(service.sandbox.describe())) })
    const requests: [line: string, body?: object][] = [
      ['GET /volumes'],
      ['POST /volumes', { label: 'c', region: 'us-east' }],
      ['POST /networking/firewalls/4001/devices', { id: 1010, type: 'compute' }],
      ['POST /networking/ips', { type: 'ipv4', public: true, compute_id: 1003 }],
      ['POST /profile/tokens', { label: 'next' }],
      ['POST /profile/tfa-enable'],
      ['GET /networking/firewalls'],
      ['GET /account/events'],
      ['GET /profile/preferences'],
    ]
    for (const [line, body] of requests) {
      const [first, second] = [await service.call(line, body && { body }), await again.call(line, body && { body })]
      expect(second.body).toEqual(first.body)
      expect(second.status).toBe(first.status)
    }
  })
})

describe('a world written by hand', () => {
  test('can have users and tokens of its own', async ({ open }) => {
    const { call, sandbox } = await open({
      seed: seedFrom({
        users: [
          { uid: 7, username: 'ci', restricted: true },
          { uid: 8, username: 'free' },
        ],
        tokens: [
          { label: 'ci', user: 'ci', scopes: 'volumes:read_write' },
          { label: 'free', user: 'free', scopes: '*' },
        ],
        apps: [],
        trusted_devices: [],
        logins: [],
        sshkeys: [],
        security_answers: [],
      }),
    })
    const [token = '', free = ''] = sandbox.describe().tokens.map((one) => one.token)
    expect((await call('GET /profile', { token })).body).toMatchObject({ uid: 7, username: 'ci', restricted: true })
    expect((await call('GET /volumes', { token })).body.results).toBe(0)
    expect((await call('GET /profile/grants', { token })).body).toMatchObject({ volume: [], compute: [], firewall: [] })
    expect((await call('GET /profile', { token: free })).body).toMatchObject({ uid: 8, restricted: false })
    expect((await call('GET /profile')).status).toBe(401)
  })

  test('can have ids from 1 and times from 1970', async ({ open }) => {
    const { call } = await open({ seed: seedFrom({ volumes: [{ id: 1, size: 1, status: 'creating', ready_at: 0 }] }) })
    expect((await call('GET /volumes/1')).body).toMatchObject({ id: 1, size: 1, status: 'active' })
  })

  test('is printed with null for a missing user, whose token is invalid', async ({ open }) => {
    const { call, sandbox } = await open({ seed: seedFrom({ users: [{ uid: 7, username: 'ci' }] }) })
    expect(sandbox.describe()).toMatchObject({
      tokens: expect.arrayContaining([expect.objectContaining({ label: 'owner', user: null })]),
      security_answers: [{ user: null }],
    })
    expect(await call('GET /profile')).toMatchObject(refused(401, 'Invalid Token'))
  })

  test('has empty lists for omitted rules and devices of a firewall', async ({ open }) => {
    const rules = { inbound_policy: 'ACCEPT', outbound_policy: 'DROP' }
    const { call } = await open({ seed: seedFrom({ firewalls: [{ label: 'bare', rules }] }) })
    const [{ id }] = (await call('GET /networking/firewalls')).body.data
    expect((await call(`GET /networking/firewalls/${id}/rules`)).body).toEqual({ inbound: [], outbound: [], ...rules })
    expect((await call(`GET /networking/firewalls/${id}/devices`)).body.data).toEqual([])
  })

  test('is refused with all errors, with the first in the message, and a hint how to print one', () => {
    const load = (input: object) => () => seedFrom(input)
    const wrong = { volumes: [{ size: '20' }, { region: 'nowhere' }] }
    expect(load(wrong)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'this is not a sandbox world: volumes[0].size: Must be an integer (and 1 more)',
        details: expect.objectContaining({
          hint: 'skyctl sandbox world --json prints one. If a newer version of skyctl printed this one, update skyctl',
          errors: ['volumes[0].size', 'volumes[1].region'].map((field) => expect.objectContaining({ field })),
        }),
      }),
    )
    expect(load({ volumes: [{ label: 7 }] })).toThrow(
      expect.objectContaining({ message: 'this is not a sandbox world: volumes[0].label: Must be a string' }),
    )
  })

  test.for<[input: unknown, message: string]>([
    [[], ': Must be an object'],
    [{ preferences: [{ user: 'owner', app: null, text: '{' }] }, 'preferences[0].text: Must be a JSON object'],
    [{ preferences: [{ user: 'owner', app: null, text: '[]' }] }, 'preferences[0].text: Must be a JSON object'],
    [{ volume: [] }, 'volume: Keys must be one of: computes, '],
    [{ volumes: {} }, 'volumes: Must be an array'],
    [{ volumes: [{ size: '20' }] }, 'volumes[0].size: Must be an integer'],
    [{ volumes: [{ size: 0 }] }, 'volumes[0].size: Must be 1 or greater'],
    [{ volumes: [{ ready_at: -1 }] }, 'volumes[0].ready_at: Must be 0 or greater'],
    [{ volumes: [{ region: 'nowhere' }] }, 'volumes[0].region: region is not valid'],
    [{ firewalls: [{ rules: { inbound: [{}] } }] }, 'firewalls[0].'],
    [
      { tokens: [{ label: 'a', user: 'owner', token: 'a'.repeat(64) }] },
      'tokens[0].token: Must be a token of the sandbox',
    ],
    ...['volumes', 'volumes:all', 'nothing:read_only', 'volumes:read_only,nothing:read_only', ''].map(
      (scopes): [object, string] => [
        { tokens: [{ label: 'a', user: 'owner', scopes }] },
        'tokens[0].scopes: Must be scopes, separated by one space',
      ],
    ),
    [{ sshkeys: [{ user: 'nobody', label: 'a', ssh_key: 'b' }] }, 'sshkeys[0].user: there is no user "nobody"'],
    [{ nothing: [] }, `nothing: Keys must be one of: ${Object.keys(worldFile.entries).join(', ')}`],
    [
      { users: [{ uid: 1, username: 'a', id: 1 }] },
      'users[0].id: Keys must be one of: uid, username, email, proxy, restricted, grants, authentication_type, ',
    ],
    [
      { firewalls: [{ devices: [{ type: 'compute', id: 1001, entity: 1001 }] }] },
      'firewalls[0].devices[0].entity: Keys must be one of: device_id, type, id, created, updated',
    ],
    [{ tokens: [{ id: 1, user: 1, label: 'a' }] }, 'tokens[0].user: Must be a string'],
    [{ phone_codes: [{ id: 1, user: 'owner', phone_number: '+1', code: '1', expires: 1 }] }, 'phone_codes[0].id: Keys'],
    [{ security_answers: [{ user: 'nobody', answers: [] }] }, 'security_answers[0].user: there is no user "nobody"'],
  ])('is refused if it is invalid: %j', async ([input, message], { open }) => {
    const opening = (async () => open({ seed: seedFrom(input) }))()
    await expect(opening).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) })
  })
})
