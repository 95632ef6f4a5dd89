/** api.md, Errors. Reason texts and most status codes are not shown there; gaps.md has them. */
import { describe, expect } from 'vitest'
import { test } from '../sandbox/fixture'

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
  ])('has a list of errors with field (text or null) and reason (text): %s', async ([line, options], { service }) => {
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

const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

/** Each request is refused with a 4xx that names all wrong fields, and the process keeps running. */
describe('an invalid request to a strict service', () => {
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
    // Errors that depend on the world are reported at once, too.
    [
      'POST /networking/ips/assign',
      {
        region: 'us-east',
        assignments: ['192.0.2.250', '192.0.2.251'].map((address) => ({ address, compute_id: 999 })),
      },
      [0, 1].flatMap((index) => ['address', 'compute_id'].map((field) => `assignments[${index}].${field}`)),
    ],
    ['POST /networking/ips/share', { compute_id: 1001, ips: ['192.0.2.250', '192.0.2.251'] }, ['ips[0]', 'ips[1]']],
    [
      'POST /networking/firewalls',
      { label: 'web', rules, devices: { computes: [999, 998], balancers: [997] } },
      ['devices.balancers[0]', 'devices.computes[0]', 'devices.computes[1]', 'label'],
    ],
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
  ])('is refused with all wrong fields at once: %s %j', async ([line, body, fields], { open }) => {
    const { call } = await open({ strict: true })
    const reply = await call(line, { body })
    expect(reply.status).toBe(400)
    const names = reply.body.errors.map(({ field }: { field: string | null }) => field).sort()
    expect([...new Set(names)]).toEqual(fields)
    expect((await call('GET /regions')).status).toBe(200)
  })
})
