import { describe, expect } from 'vitest'
import { refused, test } from './fixture'

const everyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: everyone }
const rules = '/networking/firewalls/4005/rules'
const many = (count: number) => Array.from({ length: count }, () => ssh)

describe('firewall rules', () => {
  test('are listed as one object', async ({ service: { call } }) => {
    const { body } = await call(`GET ${rules}`)
    expect(body).toEqual({ inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' })
    expect((await call('GET /networking/firewalls/4001')).body.rules).toEqual(
      (await call('GET /networking/firewalls/4001/rules')).body,
    )
  })

  test('are replaced, and keep their order', async ({ service: { call, clock } }) => {
    clock.advance(60_000)
    const body = {
      inbound: [
        { ...ssh, label: 'accept-ssh', description: 'd'.repeat(100) },
        { action: 'DROP', protocol: 'ICMP', addresses: { ipv6: ['2001:db8::/32'] } },
      ],
      inbound_policy: 'ACCEPT',
      outbound: [{ ...ssh, protocol: 'UDP', ports: '53, 853, 5000-6000' }],
      outbound_policy: 'DROP',
    }
    const { status, body: answer } = await call(`PUT ${rules}`, { body })
    expect({ status, answer }).toEqual({ status: 200, answer: body })
    expect((await call(`GET ${rules}`)).body).toEqual(body)
    expect((await call('GET /networking/firewalls/4005')).body.updated).toBe('2026-01-15T12:31:00')
    const none = { ...body, inbound: [], outbound: [] }
    expect((await call(`PUT ${rules}`, { body: none })).body).toEqual(none)
  })

  test('stay unchanged in fields that a request leaves out', async ({ service: { call } }) => {
    await call(`PUT ${rules}`, { body: { inbound: [ssh] } })
    const { body } = await call(`PUT ${rules}`, { body: { outbound_policy: 'DROP' } })
    expect(body).toEqual({ inbound: [ssh], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' })
  })

  test('can be sent back as listed', async ({ service: { call } }) => {
    const { body } = await call('GET /networking/firewalls/4001/rules')
    expect((await call('PUT /networking/firewalls/4001/rules', { body })).body).toEqual(body)
  })

  test('are not nested in a "rules" field', async ({ service: { call } }) => {
    const keys = 'Keys must be one of: inbound, inbound_policy, outbound, outbound_policy'
    expect(await call(`PUT ${rules}`, { body: { rules: { inbound: [] } } })).toMatchObject(refused(400, keys, 'rules'))
  })

  test('without ports have no ports key', async ({ service: { call } }) => {
    const { body } = await call(`PUT ${rules}`, { body: { inbound: [{ ...ssh, ports: null }] } })
    expect(body.inbound[0]).not.toHaveProperty('ports')
  })

  test.for([
    [25, 0],
    [0, 25],
    [12, 13],
  ])('may be %i inbound and %i outbound', async ([inbound = 0, outbound = 0], { service: { call } }) => {
    const body = { inbound: many(inbound), outbound: many(outbound) }
    expect((await call(`PUT ${rules}`, { body })).status).toBe(200)
  })

  test.for([
    [26, 0],
    [0, 26],
    [13, 13],
  ])('may not be %i inbound and %i outbound', async ([inbound = 0, outbound = 0], { service: { call } }) => {
    const sides = { inbound: many(inbound), outbound: many(outbound) }
    const reason = 'Too many rules submitted. Max allowed is 25'
    expect(await call(`PUT ${rules}`, { body: sides })).toMatchObject(refused(400, reason))
    const body = { label: 'edge', rules: { ...sides, inbound_policy: 'DROP', outbound_policy: 'DROP' } }
    expect(await call('POST /networking/firewalls', { body })).toMatchObject(refused(400, reason, 'rules'))
  })

  test('are counted together with the existing rules of the other direction', async ({ service: { call } }) => {
    await call(`PUT ${rules}`, { body: { inbound: many(20) } })
    expect(await call(`PUT ${rules}`, { body: { outbound: many(6) } })).toMatchObject(
      refused(400, 'Too many rules submitted. Max allowed is 25'),
    )
    expect((await call(`PUT ${rules}`, { body: { outbound: many(5) } })).status).toBe(200)
  })
})

describe('a firewall rule', () => {
  test.for<[change: object, field: string]>([
    [{ action: 'REJECT' }, 'action'],
    [{ protocol: 'GRE' }, 'protocol'],
    [{ label: 'ab' }, 'label'],
    [{ label: 'a'.repeat(33) }, 'label'],
    [{ description: '' }, 'description'],
    [{ description: 'a'.repeat(101) }, 'description'],
    [{ ports: '' }, 'ports'],
    [{ ports: '80-80' }, 'ports'],
    [{ ports: 22 }, 'ports'],
    [{ ports: '22', protocol: 'ICMP' }, 'ports'],
    [{ addresses: {} }, 'addresses'],
    [{ addresses: { ipv4: [] } }, 'addresses.ipv4'],
    [{ addresses: { ipv4: ['10.0.0.0/8'], ipv6: [] } }, 'addresses.ipv6'],
    [{ addresses: { ipv4: '10.0.0.0/8' } }, 'addresses.ipv4'],
    [{ addresses: { ipv4: ['10.0.0.0/8', '10.0.0.0/33'] } }, 'addresses.ipv4[1]'],
    [{ addresses: { ipv4: ['010.0.0.1/8'] } }, 'addresses.ipv4[0]'],
    [{ addresses: { ipv6: ['fe80::1%eth0/64'] } }, 'addresses.ipv6[0]'],
  ])('may not have %j', async ([change, field], { service: { call } }) => {
    const before = (await call(`GET ${rules}`)).body
    expect(await call(`PUT ${rules}`, { body: { outbound: [ssh, { ...ssh, ...change }] } })).toMatchObject(
      refused(400, expect.any(String), `outbound[1].${field}`),
    )
    expect((await call(`GET ${rules}`)).body).toEqual(before)
  })

  test.for<object>([
    { label: 'abc' },
    { label: '--- web ---' },
    { label: 'a'.repeat(32), description: 'x' },
    { addresses: { ipv4: ['203.0.113.7/24'] } },
  ])('may have %j', async (change, { service: { call } }) => {
    const { status, body } = await call(`PUT ${rules}`, { body: { inbound: [{ ...ssh, ...change }] } })
    expect({ status, body }).toMatchObject({ status: 200, body: { inbound: [{ action: 'ACCEPT' }] } })
  })

  const addresses = (ipv4: number, ipv6: number) => ({
    addresses: { ipv4: Array(ipv4).fill('10.0.0.0/8'), ipv6: Array(ipv6).fill('2001:db8::1/128') },
  })

  test('has at most 255 addresses and networks of both families together', async ({ service: { call } }) => {
    const send = (change: object) => call(`PUT ${rules}`, { body: { inbound: [{ ...ssh, ...change }] } })
    expect((await send(addresses(200, 55))).status).toBe(200)
    expect(await send(addresses(200, 56))).toMatchObject(
      refused(400, 'Too many addresses submitted. Max allowed is 255', 'inbound[0].addresses'),
    )
  })

  test('has all its errors reported at once', async ({ service: { call } }) => {
    const { body } = await call(`PUT ${rules}`, {
      body: { inbound: [{ ...ssh, ports: '0', label: 'x' }], outbound: [{ ...ssh, action: 'no' }] },
    })
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'inbound[0].ports',
      'inbound[0].label',
      'outbound[0].action',
    ])
  })
})
