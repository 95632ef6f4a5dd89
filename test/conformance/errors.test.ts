/** api.md, Errors. Reason texts and most status codes are not shown there; gaps.md has them. */
import { describe, expect } from 'vitest'
import { refused, type Service, test } from '../sandbox/fixture'

describe('Errors 1-3: the body of an error', () => {
  test.for<[line: string, options?: object]>([
    ['GET /nothing'],
    ['GET /volumes', { token: null }],
    ['PATCH /volumes'],
    ['POST /volumes', { body: '{' }],
    ['GET /volumes?page=0'],
    ['GET /volumes', { headers: { 'X-Filter': '{"updated":1}' } }],
    ['POST /networking/firewalls', { body: {} }],
    ['DELETE /volumes/3001'],
  ])('is errors, each with field (text or null) and reason (text): %s', async ([line, options], { service }) => {
    const { status, headers, body } = await service.call(line, options)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(Object.keys(body)).toEqual(['errors'])
    expect(body.errors.length).toBeGreaterThan(0)
    for (const { field, reason, ...more } of body.errors) {
      expect(field === null || (typeof field === 'string' && field !== '')).toBe(true)
      expect(reason).toMatch(/\S/)
      expect(more).toEqual({})
    }
  })

  test('Errors 2: a nested field is named by a path with periods', async ({ service: { call } }) => {
    const rules = { inbound: [{ action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: [] } }], outbound: [] }
    const policies = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }
    expect(
      await call('POST /networking/firewalls', { body: { label: 'new', rules: { ...rules, ...policies } } }),
    ).toMatchObject({ status: 400, body: { errors: [{ field: 'rules.inbound[0].addresses.ipv4' }] } })
  })
})

const rule = (change: object = {}) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  addresses: { ipv4: ['192.0.2.0/24'] },
  ports: '22',
  ...change,
})
const rulesOf = (...inbound: object[]) => ({
  inbound,
  inbound_policy: 'DROP',
  outbound: [],
  outbound_policy: 'ACCEPT',
})
const updateRules = 'PUT /networking/firewalls/4005/rules'
const createFirewall = (label: string) => ({ label, rules: rulesOf() })
const answers = (...ids: number[]) => ({
  security_questions: ids.map((question_id) => ({ question_id, response: 'x' })),
})
const manyNetworks = Array.from({ length: 256 }, (_, index) => `192.0.2.${index}/32`)

interface Condition {
  line: string
  body?: unknown
  /** Which of the world's tokens is used; the owner's unless named. */
  token?: string
  arrange?: (service: Service) => unknown
  status?: number
}

/** Errors 4: the conditions that must produce an error, in the order of the document. */
const conditions: [title: string, condition: Condition][] = [
  [
    'a firewall label that breaks the label rules',
    { line: 'POST /networking/firewalls', body: createFirewall('a--b') },
  ],
  ['a firewall label that is not unique', { line: 'POST /networking/firewalls', body: createFirewall('web') }],
  ['more than 25 rules', { line: updateRules, body: rulesOf(...Array(26).fill(rule())) }],
  [
    'a rule with more than 255 addresses',
    { line: updateRules, body: rulesOf(rule({ addresses: { ipv4: manyNetworks } })) },
  ],
  ['an empty address list', { line: updateRules, body: rulesOf(rule({ addresses: { ipv4: [] } })) }],
  ['ports that break the ports rules', { line: updateRules, body: rulesOf(rule({ ports: '90-80' })) }],
  ['ports with ICMP', { line: updateRules, body: rulesOf(rule({ protocol: 'ICMP' })) }],
  ['ports with IPENCAP', { line: updateRules, body: rulesOf(rule({ protocol: 'IPENCAP' })) }],
  [
    'enabling a firewall while another active one is assigned to the same service',
    { line: 'PUT /networking/firewalls/4002', body: { status: 'enabled' } },
  ],
  ['a firewall update during a live migration', { line: 'PUT /networking/firewalls/4004', body: { tags: [] } }],
  [
    'a firewall rules update during a live migration',
    { line: 'PUT /networking/firewalls/4004/rules', body: rulesOf() },
  ],
  [
    'a firewall device of an instance with a live migration',
    { line: 'POST /networking/firewalls/4005/devices', body: { id: 1007, type: 'compute' } },
  ],
  ['removing a firewall device during a live migration', { line: 'DELETE /networking/firewalls/4004/devices/4106' }],
  [
    'creating a firewall for an instance with a live migration',
    { line: 'POST /networking/firewalls', body: { ...createFirewall('new'), devices: { computes: [1007] } } },
  ],
  ['setting a firewall to deleted', { line: 'PUT /networking/firewalls/4005', body: { status: 'deleted' } }],
  ['cloning a volume that is not active', { line: 'POST /volumes/3006/clone', body: { label: 'a' } }],
  ['resizing a volume that is not active', { line: 'POST /volumes/3006/resize', body: { size: 50 } }],
  ['resizing a volume to a smaller size', { line: 'POST /volumes/3001/resize', body: { size: 30 } }],
  ['deleting a volume that migrates', { line: 'DELETE /volumes/3006' }],
  ['attaching a volume across regions', { line: 'POST /volumes/3002/attach', body: { compute_id: 1003 } }],
  ['creating a volume without compute_id and region', { line: 'POST /volumes', body: { label: 'a' } }],
  [
    'creating an IPv6 range with both compute_id and route_target',
    {
      line: 'POST /networking/ipv6/ranges',
      body: { prefix_length: 64, compute_id: 1009, route_target: '2001:db8::1' },
    },
  ],
  ['creating an IPv6 range with neither', { line: 'POST /networking/ipv6/ranges', body: { prefix_length: 64 } }],
  [
    'creating a second IPv6 range in a region',
    { line: 'POST /networking/ipv6/ranges', body: { prefix_length: 64, compute_id: 1002 } },
  ],
  [
    'creating a second IPv6 range for one instance',
    { line: 'POST /networking/ipv6/ranges', body: { prefix_length: 64, compute_id: 1001 } },
  ],
  [
    'assigning away the only public IPv4 address of an instance',
    {
      line: 'POST /networking/ips/assign',
      body: { region: 'us-east', assignments: [{ address: '192.0.2.14', compute_id: 1001 }] },
    },
  ],
  [
    'assigning a second private IPv4 address',
    {
      line: 'POST /networking/ips/assign',
      body: { region: 'us-east', assignments: [{ address: '192.168.129.2', compute_id: 1001 }] },
      arrange: ({ call }) => call('POST /networking/ips', { body: { type: 'ipv4', public: false, compute_id: 1002 } }),
    },
  ],
  [
    'assigning a second IPv6 range',
    {
      line: 'POST /networking/ips/assign',
      body: { region: 'us-east', assignments: [{ address: '2001:db8:aaaa::/64', compute_id: 1001 }] },
      arrange: ({ world }) =>
        world.network.address({ address: '2001:db8:aaaa::', type: 'ipv6/range', compute_id: 1002 }),
    },
  ],
  ['answering two security questions', { line: 'POST /profile/security-questions', body: answers(1, 2) }],
  ['answering four security questions', { line: 'POST /profile/security-questions', body: answers(1, 2, 3, 4) }],
  ['answering one security question twice', { line: 'POST /profile/security-questions', body: answers(1, 1, 2) }],
  ['a two-factor secret before the security questions', { line: 'POST /profile/tfa-enable' }],
  [
    'a token with wider scopes than the acting one',
    {
      line: 'POST /profile/tokens',
      body: { label: 'a', scopes: 'volumes:read_write' },
      token: 'app dashboard',
    },
  ],
  ['a token of a proxy user', { line: 'POST /profile/tokens', body: { label: 'a' }, token: 'proxy', status: 403 }],
  ['preferences over 65,535 characters', { line: 'PUT /profile/preferences', body: { a: 'x'.repeat(65_535) } }],
]

describe('Errors 4: an error for', () => {
  test.for(conditions)('%s', async ([, { line, body, token: label, arrange, status = 400 }], { service }) => {
    await arrange?.(service)
    const before = service.sandbox.describe()
    const token = label && before.tokens.find((one) => one.label === label)?.token
    const reply = await service.call(line, { ...(body !== undefined && { body }), ...(token && { token }) })
    expect(reply.status).toBe(status)
    expect(service.sandbox.describe()).toEqual(before)
  })
})

describe('Errors 5: status codes', () => {
  test('Errors 5: a revoked token is 401', async ({ service: { call, sandbox } }) => {
    const { id, token } = (await call('POST /profile/tokens', { body: { label: 'a' } })).body
    expect((await call('GET /volumes', { token })).status).toBe(200)
    expect((await call(`DELETE /profile/tokens/${id}`)).status).toBe(200)
    expect(await call('GET /volumes', { token })).toMatchObject(refused(401, 'Invalid Token'))
    expect(sandbox.describe().tokens.some((one) => one.token === token)).toBe(false)
  })

  test('Errors 5: the grants of an unrestricted user are 204 without a body', async ({ service: { call } }) => {
    expect(await call('GET /profile/grants')).toMatchObject({ status: 204, body: undefined })
  })
})

/** Each must be refused with a 4xx that names everything wrong, and the process must go on. */
describe('a request of the wrong shape', () => {
  test.for<[line: string, body: unknown, fields: (string | null)[]]>([
    [
      'POST /volumes',
      { label: null, size: '20', region: 1, tags: 'a', colour: 1 },
      ['colour', 'label', 'region', 'size', 'tags'],
    ],
    ['POST /volumes', { label: { a: 1 }, region: ['us-east'], compute_id: '1001' }, ['compute_id', 'label', 'region']],
    ['PUT /volumes/3002', { label: 5, tags: [1, null, 'a'] }, ['label', 'tags[0]', 'tags[1]']],
    [
      'POST /volumes/3002/attach',
      { compute_id: [1001], persist_across_boots: 'yes' },
      ['compute_id', 'persist_across_boots'],
    ],
    ['POST /volumes/3002/resize', { size: true, force: true }, ['force', 'size']],
    [
      'PUT /profile',
      { email: null, timezone: null, restricted: 0, authorized_keys: {} },
      ['authorized_keys', 'email', 'restricted', 'timezone'],
    ],
    ['POST /profile/tokens', { label: [], scopes: {}, expiry: 5 }, ['expiry', 'label', 'scopes']],
    ['POST /profile/sshkeys', { label: 1, ssh_key: null, x: 1 }, ['label', 'ssh_key', 'x']],
    ['POST /profile/phone-number', { iso_code: 1, phone_number: [] }, ['iso_code', 'phone_number']],
    ['POST /profile/security-questions', { security_questions: {} }, ['security_questions']],
    [
      'POST /networking/firewalls',
      { label: 1, rules: [], devices: [], tags: {} },
      ['devices', 'label', 'rules', 'tags'],
    ],
    ['POST /networking/firewalls/4005/devices', { id: '1009', type: 'vpc' }, ['id', 'type']],
    [
      'PUT /networking/firewalls/4005/rules',
      { inbound: {}, outbound_policy: null, x: 1 },
      ['inbound', 'outbound_policy', 'x'],
    ],
    ['POST /networking/ips', { type: 'ipv6', public: 1, compute_id: null }, ['compute_id', 'public', 'type']],
    [
      'POST /networking/ips/assign',
      { region: null, assignments: [{ address: 1 }, 5] },
      ['assignments[0].address', 'assignments[0].compute_id', 'assignments[1]', 'region'],
    ],
    ['POST /networking/ips/share', { compute_id: '1', ips: '192.0.2.1' }, ['compute_id', 'ips']],
    ['POST /networking/ipv6/ranges', { prefix_length: '64', compute_id: '1' }, ['compute_id', 'prefix_length']],
    // What only the world knows is told at once as well.
    ['POST /volumes', { label: 'a', size: 5, region: 'nowhere' }, ['region', 'size']],
    [
      'PUT /profile',
      { timezone: 'Mars', authorized_keys: ['x'], two_factor_auth: true },
      ['authorized_keys[0]', 'timezone', 'two_factor_auth'],
    ],
    [
      'POST /profile/security-questions',
      {
        security_questions: [
          { question_id: 98, response: 'x' },
          { question_id: 99, response: 'x' },
          { question_id: 1, response: 'x' },
        ],
      },
      ['security_questions[0].question_id', 'security_questions[1].question_id'],
    ],
  ])('%s %j names every field at once, where it is strict', async ([line, body, fields], { open }) => {
    const { call } = await open({ strict: true })
    const reply = await call(line, { body })
    expect(reply.status).toBe(400)
    const named = reply.body.errors.map(({ field }: { field: string | null }) => field).sort()
    expect([...new Set(named)]).toEqual(fields)
    expect((await call('GET /regions')).status).toBe(200)
  })
})
