import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

/** Bodies of clients that send every field of their types, with null for absent ones. */
const completeBodies: [name: string, line: string, body: object][] = [
  [
    'a volume',
    'POST /volumes',
    { label: 'a', size: 20, region: 'us-east', compute_id: null, config_id: null, tags: null },
  ],
  ['a volume for an instance', 'POST /volumes', { label: 'a', region: null, compute_id: 1001, config_id: null }],
  ['a token that never expires', 'POST /profile/tokens', { label: 'a', scopes: '*', expiry: null }],
  ['an address', 'POST /networking/ips', { type: 'ipv4', public: true, compute_id: 1001 }],
  [
    'a firewall without rules',
    'POST /networking/firewalls',
    {
      label: 'fw-1',
      rules: { inbound: null, inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' },
      devices: { computes: [1009], balancers: null },
      tags: null,
    },
  ],
  [
    'a firewall with a rule',
    'POST /networking/firewalls',
    {
      label: 'fw-1',
      rules: {
        inbound: [
          {
            action: 'ACCEPT',
            protocol: 'TCP',
            ports: '22',
            label: null,
            description: null,
            addresses: { ipv4: ['0.0.0.0/0'], ipv6: null },
          },
          { action: 'ACCEPT', protocol: 'ICMP', ports: null, addresses: { ipv4: null, ipv6: ['::/0'] } },
        ],
        inbound_policy: 'DROP',
        outbound: null,
        outbound_policy: 'ACCEPT',
      },
    },
  ],
  [
    'the rules of a firewall',
    'PUT /networking/firewalls/4003/rules',
    { inbound: null, inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' },
  ],
  ['an IPv6 range', 'POST /networking/ipv6/ranges', { prefix_length: 64, compute_id: 1009, route_target: null }],
  ['tags that stay', 'PUT /volumes/3001', { label: 'b', tags: null }],
]

describe('a body with null for absent fields', () => {
  test.for(completeBodies)('is accepted: %s', async ([, line, body], { service: { call } }) => {
    const reply = await call(line, { body })
    expect(reply.body).not.toHaveProperty('errors')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('warning')).toBeNull()
    expect(reply.body).not.toHaveProperty('warnings')
  })

  const withNull = completeBodies.filter(([name]) => name !== 'an address')
  test.for(withNull)('is refused by a strict service: %s', async ([, line, body], { open }) => {
    const { call } = await open({ strict: true })
    expect((await call(line, { body })).status).toBe(400)
  })

  test('means the same as without these fields', async ({ service: { call } }) => {
    const { body } = await call('POST /volumes', { body: { label: 'a', region: 'us-east', size: null, tags: null } })
    expect(body).toMatchObject({ size: 20, tags: [], compute_id: null })
    const unchanged = await call('PUT /volumes/3001', { body: { label: null, tags: null } })
    expect(unchanged.body).toMatchObject({ label: 'data-1', tags: ['production'] })
    const rules = { inbound: null, outbound: null }
    expect((await call('PUT /networking/firewalls/4003/rules', { body: rules })).body.inbound).toHaveLength(2)
  })

  test('stores no key of a rule that was null', async ({ service: { call } }) => {
    const [, line, body] = completeBodies[5] ?? []
    const { inbound } = (await call(line ?? '', { body })).body.rules
    expect(inbound.map((rule: object) => Object.keys(rule))).toEqual([
      ['action', 'protocol', 'addresses', 'ports'],
      ['action', 'protocol', 'addresses'],
    ])
  })

  test('keeps the meaning of null where it has one: reverse DNS is reset', async ({ service: { call } }) => {
    expect((await call('PUT /networking/ips/192.0.2.31', { body: { rdns: null } })).body.rdns).toBe(
      '192-0-2-31.ip.example.net',
    )
  })

  test('is refused if a required field is null', async ({ service: { call } }) => {
    const { status, body } = await call('POST /volumes', { body: { label: null, region: 'us-east' } })
    expect({ status, fields: body.errors.map(({ field }: { field: string }) => field) }).toEqual({
      status: 400,
      fields: ['label'],
    })
  })
})

const create = 'POST /volumes'
const volume = { label: 'a', region: 'us-east' }

describe('an unknown key', () => {
  test('is ignored, and named in a header and in warnings', async ({ service: { call } }) => {
    const { status, headers, body } = await call(create, { body: { ...volume, colour: 'red', encryption: 'enabled' } })
    expect(status).toBe(200)
    expect(headers.get('warning')).toBe('299 - "colour was ignored, encryption was ignored"')
    expect(body).toMatchObject({ label: 'a' })
    expect(body).not.toHaveProperty('colour')
    expect(body.warnings.map(({ title }: { title: string }) => title)).toEqual([
      'colour was ignored',
      'encryption was ignored',
    ])
    expect(body.warnings[0].details).toMatch(/^Keys must be one of: label, size, region, /)
  })

  test('is ignored in objects and lists, and named with its path', async ({ service: { call } }) => {
    const rule = { action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: ['0.0.0.0/0'], ipv8: [] }, form: 1 }
    const rules = { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }
    const { status, body } = await call('POST /networking/firewalls', { body: { label: 'fw-1', rules } })
    expect(status).toBe(200)
    expect(body.warnings.map(({ title }: { title: string }) => title)).toEqual([
      'rules.inbound[0].addresses.ipv8 was ignored',
      'rules.inbound[0].form was ignored',
    ])
    expect(body.rules.inbound[0]).not.toHaveProperty('form')
  })

  test.for(['__proto__', 'constructor', 'toString'])(
    'is ignored even if every JavaScript object has it: %s',
    async (name, { service }) => {
      const body = `{"label":"a","region":"us-east","${name}":{"size":50}}`
      const reply = await service.call(create, { body })
      expect(reply).toMatchObject({ status: 200, body: { size: 20 } })
      expect(reply.headers.get('warning')).toContain(`${name} was ignored`)
    },
  )

  test('is named in a PUT, too, unless it is a field of the changed object', async ({ service: { call } }) => {
    const { body } = await call('PUT /volumes/3001', { body: { label: 'b', status: 'active', colour: 'red' } })
    expect(body.warnings.map(({ title }: { title: string }) => title)).toEqual(['colour was ignored'])
  })

  test('is not reported beside errors', async ({ service: { call } }) => {
    const { status, body } = await call(create, { body: { region: 'us-east', colour: 1 } })
    expect({ status, body }).toEqual(refused(400, 'label is required', 'label'))
  })

  test('can neither inject a header nor make one long', async ({ service: { call } }) => {
    const keys = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`k${index}\r\nX-Evil: "1" ${'ü'.repeat(99)}`, 1]),
    )
    const { status, headers, body } = await call(create, { body: { ...volume, ...keys } })
    expect(status).toBe(200)
    expect(headers.get('x-evil')).toBeNull()
    expect(headers.get('warning')).toMatch(/^299 - "[^"]{1,4000}"$/)
    expect(body.warnings).toHaveLength(3000)
  })

  test('is refused in firewall rules, with the list of valid keys', async ({ service: { call } }) => {
    const { inbound } = (await call('GET /networking/firewalls/4001/rules')).body
    expect(await call('PUT /networking/firewalls/4001/rules', { body: { inbound, fingerprint: 'a' } })).toMatchObject(
      refused(400, 'Keys must be one of: inbound, inbound_policy, outbound, outbound_policy', 'fingerprint'),
    )
    const rule = { ...inbound[0], form: 1 }
    expect(await call('PUT /networking/firewalls/4001/rules', { body: { inbound: [rule] } })).toMatchObject(
      refused(400, expect.stringMatching(/^Keys must be one of: action, /), 'inbound[0].form'),
    )
  })

  test('is refused by a strict service', async ({ open }) => {
    const { call, world } = await open({ strict: true })
    const before = world.volumes.size
    expect(await call(create, { body: { ...volume, colour: 'red' } })).toMatchObject(
      refused(400, expect.stringMatching(/^Keys must be one of: label, size, /), 'colour'),
    )
    expect(world.volumes.size).toBe(before)
  })
})

/** Paths with GET and PUT, and a change for each. */
const records: [path: string, change: object][] = [
  ['/volumes/3001', { label: 'renamed', tags: ['a'] }],
  ['/networking/firewalls/4001', { label: 'renamed', status: 'disabled' }],
  ['/networking/firewalls/4001/rules', { inbound_policy: 'ACCEPT' }],
  ['/networking/ips/192.0.2.31', { rdns: 'other.example.net' }],
  ['/profile', { timezone: 'Europe/Paris' }],
  ['/profile/tokens/9', { label: 'renamed' }],
]

async function changeWhole({ call }: Service, path: string, change: object) {
  const before = (await call(`GET ${path}`)).body
  return { before, reply: await call(`PUT ${path}`, { body: { ...before, ...change } }) }
}

describe('a whole record that is sent back', () => {
  test.for(records)('changes its writable fields without a warning: %s', async ([path, change], { service }) => {
    const { before, reply } = await changeWhole(service, path, change)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    expect(reply.headers.get('warning')).toBeNull()
    const after = (await service.call(`GET ${path}`)).body
    expect(after).toEqual({
      ...before,
      ...change,
      ...('updated' in before && { updated: after.updated }),
      ...('filesystem_path' in before && { filesystem_path: after.filesystem_path }),
    })
  })

  test.for(records.filter(([path]) => !path.endsWith('/rules')))(
    'is refused by a strict service: %s',
    async ([path, change], { open }) => {
      expect((await changeWhole(await open({ strict: true }), path, change)).reply.status).toBe(400)
    },
  )
})

describe('a slash at the end of a path', () => {
  test.for(['/volumes/', '/volumes/3001/', '/regions/us-east/availability/', '/volumes/?page=1'])(
    'is ignored: %s',
    async (path, { service: { call } }) => {
      const { status, body } = await call(`GET ${path}`)
      expect({ status, body }).toEqual({
        status: 200,
        body: (await call(`GET ${path.replace(/\/(?=\?|$)/, '')}`)).body,
      })
    },
  )

  test('is ignored for writes, wrong methods and unknown paths, too', async ({ service: { call } }) => {
    expect((await call('POST /volumes/', { body: volume })).body.label).toBe('a')
    expect((await call('PATCH /volumes/3001/')).status).toBe(405)
    expect((await call('GET /nothing/')).status).toBe(404)
    expect((await call('GET /volumes//')).status).toBe(404)
  })

  test('is refused by a strict service', async ({ open }) => {
    const { call } = await open({ strict: true })
    expect(await call('GET /volumes/')).toMatchObject(refused(400, 'The path must not end with a slash'))
    expect((await call('GET /volumes')).status).toBe(200)
  })
})

describe('a boolean of a query', () => {
  const rdnsOf = (body: { data: { type: string; rdns: unknown }[] }) =>
    body.data.filter(({ type }) => type === 'ipv6').map(({ rdns }) => rdns)

  test.for(['true', 'True'])('may be written %s', async (text, { service: { call, world } }) => {
    const slaac = world.network.slaacOf(1001)
    if (slaac) world.network.addresses.put({ ...slaac, rdns: 'six.example.net' })
    const skipped = await call(`GET /networking/ips?skip_ipv6_rdns=${text}`)
    expect(rdnsOf(skipped.body)).not.toContain('six.example.net')
    const all = await call(`GET /networking/ips?skip_ipv6_rdns=${text === 'true' ? 'false' : 'False'}`)
    expect(rdnsOf(all.body)).toContain('six.example.net')
  })

  test.for(['TRUE', '1', 'yes', ''])('may not be written "%s"', async (text, { service: { call } }) => {
    expect(await call(`GET /networking/ips?skip_ipv6_rdns=${text}`)).toMatchObject(
      refused(400, 'Must be a boolean', 'skip_ipv6_rdns'),
    )
  })

  test.for(['True', 'False'])('is refused by a strict service as %s', async (text, { open }) => {
    const { call } = await open({ strict: true })
    expect((await call(`GET /networking/ips?skip_ipv6_rdns=${text}`)).status).toBe(400)
  })
})

describe('a filter in Latin-1', () => {
  const headers = { 'X-Filter': '{"label":"Grün"}' }

  test('is decoded as Latin-1', async ({ service: { call, world } }) => {
    world.volume({ label: 'Grün' })
    expect((await call('GET /volumes', { headers })).body).toMatchObject({ results: 1, data: [{ label: 'Grün' }] })
  })

  test('is refused by a strict service', async ({ open }) => {
    const { call } = await open({ strict: true })
    expect(await call('GET /volumes', { headers })).toMatchObject(refused(400, 'Filter not valid JSON', 'X-Filter'))
  })
})

describe('an empty filter', () => {
  test.for(['', ' '])('is ignored: "%s"', async (filter, { service: { call } }) => {
    const { status, body } = await call('GET /volumes', { headers: { 'X-Filter': filter } })
    expect({ status, results: body.results }).toEqual({ status: 200, results: 6 })
  })

  test('is refused by a strict service', async ({ open }) => {
    const { call } = await open({ strict: true })
    expect(await call('GET /volumes', { headers: { 'X-Filter': '' } })).toMatchObject(
      refused(400, 'Filter not valid JSON', 'X-Filter'),
    )
  })
})

describe('an integer as decimal text', () => {
  const bodies: [line: string, body: object][] = [
    ['POST /volumes', { label: 'a', size: '20', compute_id: '1001' }],
    ['POST /volumes/3002/resize', { size: '100' }],
    ['POST /networking/firewalls/4003/devices', { id: '1009', type: 'compute' }],
    [
      'POST /networking/firewalls',
      { label: 'fw-1', rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }, devices: { computes: ['1009'] } },
    ],
  ]

  test.for(bodies)('is read as an integer: %s %j', async ([line, body], { service: { call } }) => {
    expect(await call(line, { body })).toMatchObject({ status: 200 })
  })

  test.for(bodies)('is refused by a strict service: %s %j', async ([line, body], { open }) => {
    const { call } = await open({ strict: true })
    const { status, body: answer } = await call(line, { body })
    const reasons = answer.errors.map(({ reason }: { reason: string }) => reason)
    expect({ status, reasons: [...new Set(reasons)] }).toEqual({ status: 400, reasons: ['Must be an integer'] })
  })

  test('is nothing else', async ({ service: { call } }) => {
    for (const size of ['', ' 20', '20.0', '2e1', '0x14', 'twenty', '9'.repeat(16)])
      expect(await call('POST /volumes/3002/resize', { body: { size } })).toMatchObject({ status: 400 })
    expect(await call('PUT /volumes/3002', { body: { label: '12' } })).toMatchObject({ body: { label: '12' } })
  })
})
