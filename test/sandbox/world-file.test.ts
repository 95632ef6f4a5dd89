/** A world that is printed can be loaded again, and one can be written by hand. */
import { describe, expect } from 'vitest'
import type { DeclarationGroup } from '../../src/sandbox/declaration'
import { account, log, network, profile } from '../../src/sandbox/declarations'
import type { World, WorldDescription } from '../../src/sandbox/world'
import { seedFrom, worldFile } from '../../src/sandbox/world-file'
import { lineOf, rows } from '../operations'
import { refused, type Service, test } from './fixture'

/** As it comes out of a file. */
const reread = (world: WorldDescription): unknown => JSON.parse(JSON.stringify(world))

/** Something of most tables, something deleted, and states that time will end. */
async function live({ call }: Service): Promise<void> {
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

/** That a file of an earlier version may hold: none is ever renamed. */
const longSince = [
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

/** But for those that are written within another. */
const namesOf = (group: DeclarationGroup<World>) => Object.keys(group).filter((key) => group[key]?.form)

/** The tables, what never changes, and the ids that were given and deleted. */
const keys = [...namesOf(account), ...namesOf(network), 'vlans', ...namesOf(profile), ...namesOf(log), 'spent_ids']

/** Each POST of the document once; what was done before may forbid it, and need not be done again. */
async function post({ call }: Service): Promise<void> {
  for (const [, row] of rows) {
    const { line, send: body, arrange } = row
    if (line.startsWith('POST ') && !arrange) await call(lineOf(row), body && { body })
  }
}

const kept = ({ world }: Service) => [...world.tables.contents()]

describe('the tables of the sandbox', () => {
  test('are those that a world is printed with, in this order, and those that a file may hold', ({ service }) => {
    expect(Object.keys(service.sandbox.describe())).toEqual(keys)
    expect(Object.keys(worldFile.entries).sort()).toEqual([...keys].sort())
  })

  test('are still all that there ever were, in the same order', () => {
    expect(keys.filter((key) => longSince.includes(key))).toEqual(longSince)
  })

  test('all come back with every record, those included that are written within another', async ({ service, open }) => {
    await live(service)
    await post(service)
    const declared = Object.values({ ...account, ...network, ...log, ...profile })
    const filled = kept(service).flatMap(([table, , record]) => (record ? [table] : []))
    expect([...new Set(filled)].sort()).toEqual(declared.map(({ name }) => name).sort())
    const again = await open({ seed: seedFrom(reread(service.sandbox.describe())) })
    expect(kept(again)).toEqual(kept(service))
  })
})

describe('a world that was printed', () => {
  test('is the same world when it is loaded, tokens included', async ({ service, open }) => {
    await live(service)
    const world = service.sandbox.describe()
    const again = await open({ seed: seedFrom(reread(world)) })
    expect(again.sandbox.describe()).toEqual(world)
    const token = world.tokens.find(({ label }) => label === 'mine')?.token ?? ''
    expect((await again.call('GET /volumes', { token })).body.results).toBe(7)
    expect((await again.call('POST /volumes', { token, body: {} })).status).toBe(401)
  })

  test('goes on as the first would: the same requests get the same answers', async ({ service, open }) => {
    await live(service)
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

describe('a world that was written by hand', () => {
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

  test('may count from 1 and have times from 1970 on', async ({ open }) => {
    const { call } = await open({ seed: seedFrom({ volumes: [{ id: 1, size: 1, status: 'creating', ready_at: 0 }] }) })
    expect((await call('GET /volumes/1')).body).toMatchObject({ id: 1, size: 1, status: 'active' })
  })

  test('prints no user where the world has none, whose token is nobody’s', async ({ open }) => {
    const { call, sandbox } = await open({ seed: seedFrom({ users: [{ uid: 7, username: 'ci' }] }) })
    expect(sandbox.describe()).toMatchObject({
      tokens: expect.arrayContaining([expect.objectContaining({ label: 'owner', user: null })]),
      security_answers: [{ user: null }],
    })
    expect(await call('GET /profile')).toMatchObject(refused(401, 'Invalid Token'))
  })

  test('has empty lists of what a firewall is written without', async ({ open }) => {
    const rules = { inbound_policy: 'ACCEPT', outbound_policy: 'DROP' }
    const { call } = await open({ seed: seedFrom({ firewalls: [{ label: 'bare', rules }] }) })
    const [{ id }] = (await call('GET /networking/firewalls')).body.data
    expect((await call(`GET /networking/firewalls/${id}/rules`)).body).toEqual({ inbound: [], outbound: [], ...rules })
    expect((await call(`GET /networking/firewalls/${id}/devices`)).body.data).toEqual([])
  })

  test('is refused with all that is wrong with it, of which the first is told, and how to see one', () => {
    const load = (given: object) => () => seedFrom(given)
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

  test.for<[given: unknown, message: string]>([
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
  ])('is refused where it is none: %j', async ([given, message], { open }) => {
    const opened = (async () => open({ seed: seedFrom(given) }))()
    await expect(opened).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) })
  })
})
