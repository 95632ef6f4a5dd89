/** Account events: one for each change, and the filters and the order of their list. */
import { describe, expect } from 'vitest'
import { catalogue } from '../../src/catalogue'
import * as networking from '../../src/sandbox/handlers/networking'
import * as profile from '../../src/sandbox/handlers/profile'
import * as volumes from '../../src/sandbox/handlers/volumes'
import { test } from './fixture'

interface Event {
  id: number
  action: string
  created: string
  entity: { id: number; label: string; type: string; url: string }
}

const list = 'GET /account/events'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE7x6Pz0sOvqsDvrPKSsvVZWZ0lOGJN9FZHkD5kMcSxE work'
const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['0.0.0.0/0'] } }

describe('an event', () => {
  test.for<[action: string, type: string, id: number, line: string, body?: object]>([
    ['volume_update', 'volume', 3002, 'PUT /volumes/3002', { tags: ['x'] }],
    ['volume_attach', 'volume', 3002, 'POST /volumes/3002/attach', { compute_id: 1002 }],
    ['volume_detach', 'volume', 3001, 'POST /volumes/3001/detach'],
    ['volume_resize', 'volume', 3002, 'POST /volumes/3002/resize', { size: 100 }],
    ['volume_clone', 'volume', 3002, 'POST /volumes/3002/clone', { label: 'copy' }],
    ['volume_delete', 'volume', 3002, 'DELETE /volumes/3002'],
    ['firewall_update', 'firewall', 4001, 'PUT /networking/firewalls/4001', { label: 'edge' }],
    ['firewall_disable', 'firewall', 4001, 'PUT /networking/firewalls/4001', { status: 'disabled' }],
    ['firewall_rules_update', 'firewall', 4001, 'PUT /networking/firewalls/4001/rules', { inbound: [rule] }],
    ['firewall_delete', 'firewall', 4001, 'DELETE /networking/firewalls/4001'],
    ['ip_address_create', 'compute', 1003, 'POST /networking/ips', { type: 'ipv4', public: true, compute_id: 1003 }],
    ['ip_address_update', 'compute', 1001, 'PUT /networking/ips/192.0.2.11', { rdns: 'a.example.net' }],
    ['ip_address_share', 'compute', 1001, 'POST /networking/ips/share', { ips: ['192.0.2.12'], compute_id: 1001 }],
    ['profile_update', 'user', 1, 'PUT /profile', { timezone: 'Asia/Tokyo' }],
    ['preferences_update', 'user', 1, 'PUT /profile/preferences', { a: 1 }],
  ])('%s is recorded once, about the %s', async ([action, type, id, line, body], { service: { call } }) => {
    const { status } = await call(line, body && { body })
    expect(status).toBe(200)
    const { data } = (await call(list)).body
    expect(data).toMatchObject([{ action, entity: { type, id } }])
  })

  test('of a new object has its id and label', async ({ service: { call } }) => {
    const created = [
      ['volume', 'POST /volumes', { label: 'a', region: 'us-east' }],
      ['token', 'POST /profile/tokens', { label: 'a' }],
      ['sshkey', 'POST /profile/sshkeys', { label: 'a', ssh_key: key }],
    ] as const
    for (const [type, line, body] of created) {
      const { id } = (await call(line, { body })).body
      const [newest]: Event[] = (await call(list)).body.data
      expect(newest?.entity).toMatchObject({ type, id, label: 'a', url: expect.stringMatching(`/${id}$`) })
      expect((await call(`GET /account/events/${newest?.id}`)).body).toEqual(newest)
    }
    expect((await call('GET /account/events/999999')).status).toBe(404)
  })

  test('is missing for refused requests, and for updates with the present values', async ({ service: { call } }) => {
    const { body: volume } = await call('GET /volumes/3001')
    const { body: profile } = await call('GET /profile')
    for (const [line, body] of [
      ['PUT /volumes/3001', volume],
      ['PUT /profile', { timezone: profile.timezone }],
      ['POST /volumes/3001/attach', { compute_id: 1002 }],
      ['DELETE /volumes/3001', undefined],
    ] as const)
      await call(line, body && { body })
    expect((await call(list)).body.results).toBe(0)
  })

  test('exists for every operation that changes the account', () => {
    const served = [networking, profile, volumes].flatMap((group) => group.served)
    const changing = Object.values(catalogue).flatMap((group) =>
      Object.values(group).filter(({ method }) => method !== 'GET'),
    )
    const unrecorded = changing.filter((operation) => !served.find((one) => one.operation === operation)?.event)
    expect(unrecorded.map(({ method, path }) => `${method} ${path}`)).toEqual([
      // Neither changes anything yet: a code is sent, or a secret is proposed.
      'POST /profile/phone-number',
      'POST /profile/tfa-enable',
    ])
  })
})

describe('the list of events', () => {
  test('is newest first, and can be filtered and ordered', async ({ service: { call, clock } }) => {
    for (const id of [3002, 3003]) {
      await call(`PUT /volumes/${id}`, { body: { tags: [`x${id}`] } })
      clock.advance(1000)
      await call('PUT /networking/firewalls/4001', { body: { tags: [`x${id}`] } })
    }
    const ids = async (filter?: object) => {
      const { body } = await call(list, filter && { headers: { 'X-Filter': JSON.stringify(filter) } })
      return body.data.map(({ id }: Event) => id)
    }
    const all: Event[] = (await call(list)).body.data
    const [last, third, second, first] = all.map(({ id }) => id)
    expect(all.map(({ id }) => id)).toEqual([4, 3, 2, 1].map((number) => (first ?? 0) + number - 1))
    expect(await ids({ 'entity.id': 3003 })).toEqual([third])
    expect(await ids({ 'entity.type': 'firewall' })).toEqual([last, second])
    expect(await ids({ action: 'volume_update', id: { '+gt': first } })).toEqual([third])
    expect(await ids({ created: { '+gte': all[0]?.created } })).toEqual([last])
    expect(await ids({ '+order_by': 'created', '+order': 'asc' })).toEqual([first, second, third, last])
    expect(await ids({ '+order_by': 'created', '+order': 'desc' })).toEqual([last, third, second, first])
    const { status, body } = await call(list, { headers: { 'X-Filter': '{"username":"owner"}' } })
    expect({ status, reason: body.errors[0].reason }).toEqual({ status: 400, reason: 'Cannot filter on username' })
  })
})
