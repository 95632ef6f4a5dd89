/** api.md, Resources and their fields: what the column Notes says of a field besides its type. */
import { describe, expect } from 'vitest'
import { refused, type Service, test } from '../sandbox/fixture'

const years = (count: number) => count * 365 * 86_400_000
const slaac = '2001:db8:114:0:f03c:91ff:fe00:3e9'

const assign = ({ call }: Service, address: string, compute_id: number, family = 'ips') =>
  call(`POST /networking/${family}/assign`, { body: { region: 'us-east', assignments: [{ address, compute_id }] } })
const addressOf = async ({ call }: Service, address: string) =>
  (await call(`GET /networking/ips/${encodeURIComponent(address)}`)).body

/** Bits that are set in a mask, which has them all at its beginning. */
function bitsOf(mask: string): number {
  const parts = mask.includes('.') ? mask.split('.').map(Number) : hextets(mask)
  const bits = parts.map((part) => part.toString(2).padStart(mask.includes('.') ? 8 : 16, '0')).join('')
  expect(bits).toMatch(/^1*0*$/)
  return bits.lastIndexOf('1') + 1
}

function hextets(mask: string): number[] {
  const [head = '', tail = ''] = mask.split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const between = Array(8 - parts(head).length - parts(tail).length).fill('0')
  return [...parts(head), ...between, ...parts(tail)].map((part) => Number.parseInt(part, 16))
}

describe('Profile', () => {
  test('Profile: uid is unique, and neither uid nor username ever changes', async ({ service: { call, world } }) => {
    const tokens = [1, 2, 3].map((user) => world.token('*', user))
    const users = async () =>
      Promise.all(
        tokens.map(async (token) => {
          const { uid, username } = (await call('GET /profile', { token })).body
          return { uid, username }
        }),
      )
    const before = await users()
    expect(new Set(before.map(({ uid }) => uid)).size).toBe(3)
    for (const token of tokens) {
      await call('PUT /profile', { token, body: { uid: 4711, username: 'other', timezone: 'Asia/Tokyo' } })
    }
    expect(await users()).toEqual(before)
  })
})

describe('Personal access token', () => {
  test.for([{}, { expiry: null }])(
    'Personal access token: without an expiry (%j) it is valid until it is revoked',
    async (more, { service: { call, clock } }) => {
      const { id, expiry, token } = (await call('POST /profile/tokens', { body: { label: 'a', ...more } })).body
      expect(expiry).toBeNull()
      clock.advance(years(500))
      expect((await call('GET /profile', { token })).status).toBe(200)
      await call(`DELETE /profile/tokens/${id}`)
      expect(await call('GET /profile', { token })).toMatchObject(refused(401, 'Invalid Token'))
    },
  )

  test('Personal access token: it cannot be renewed', async ({ service: { call, clock } }) => {
    const expiry = '2026-01-15T12:31:00'
    const { id, token } = (await call('POST /profile/tokens', { body: { label: 'a', expiry } })).body
    for (const later of ['2027-01-01T00:00:00', null]) {
      await call(`PUT /profile/tokens/${id}`, { body: { label: 'a', expiry: later } })
      expect((await call(`GET /profile/tokens/${id}`)).body.expiry).toBe(expiry)
    }
    clock.advance(60_000)
    expect(await call('GET /profile', { token })).toMatchObject(refused(401, 'Invalid Token'))
  })
})

describe('Region availability', () => {
  test('Region availability: it covers premium and GPU plans, which some regions have', async ({ service }) => {
    const data: { plan: string; region: string; available: boolean }[] = (
      await service.call('GET /regions/availability?page_size=500')
    ).body.data
    expect(new Set(data.map(({ plan }) => /^(premium|gpu)/.exec(plan)?.[0]))).toEqual(new Set(['premium', 'gpu']))
    for (const kind of ['premium', 'gpu']) {
      const available = data.filter(({ plan }) => plan.startsWith(kind)).map((row) => row.available)
      expect(new Set(available)).toEqual(new Set([true, false]))
    }
    const regions: { id: string }[] = (await service.call('GET /regions')).body.data
    const ids = regions.map(({ id }) => id)
    for (const { region } of data) expect(ids).toContain(region)
  })
})

describe('IP address', () => {
  test('IP address: its prefix is the number of bits in its subnet mask', async ({ service }) => {
    const listed: { address: string }[] = (await service.call('GET /networking/ips')).body.data
    for (const { address } of [...listed, { address: '192.168.128.11' }]) {
      const { prefix, subnet_mask }: { prefix: number; subnet_mask: string } = await addressOf(service, address)
      expect({ address, bits: bitsOf(subnet_mask) }).toEqual({ address, bits: prefix })
    }
  })

  test('IP address: an IPv4 address is of the instance it was made for until it is assigned to another', async ({
    service,
  }) => {
    const body = { type: 'ipv4', public: true, compute_id: 1004 }
    const { address } = (await service.call('POST /networking/ips', { body })).body
    expect(await addressOf(service, address)).toMatchObject({ compute_id: 1004, region: 'us-east' })
    await assign(service, address, 1006)
    expect(await addressOf(service, address)).toMatchObject({ compute_id: 1006 })
  })

  test.for(['ips', 'ipv4'])(
    'IP address: a SLAAC or link-local address stays where it is: %s/assign',
    async (family, { service }) => {
      for (const address of [slaac, `${slaac}/64`, `${slaac}/128`, 'fe80::1', 'fe80::1/64']) {
        expect({ address, ...(await assign(service, address, 1002, family)) }).toMatchObject({ address, status: 400 })
      }
      expect(await addressOf(service, slaac)).toMatchObject({ compute_id: 1001 })
    },
  )

  test.for(['ips', 'ipv4'])(
    'IP address: IPv4, public or private, and ranges of /56 and /64 are assigned: %s/assign',
    async (family, { service }) => {
      const range = (address: string, prefix: number, compute_id: number) =>
        service.world.network.address({ address, prefix, type: 'ipv6/range', compute_id })
      range('2001:db8:aaaa::', 56, 1004)
      range('2001:db8:bbbb::', 64, 1004)
      const body = { type: 'ipv4', public: false, compute_id: 1002 }
      const { address } = (await service.call('POST /networking/ips', { body })).body
      for (const [text, compute] of [
        ['192.0.2.31', 1006],
        [address, 1006],
        ['2001:db8:aaaa::/56', 1006],
        ['2001:db8:bbbb::/64', 1008],
      ] as const) {
        expect({ text, ...(await assign(service, text, compute, family)) }).toMatchObject({ text, status: 200 })
        const [plain = ''] = text.split('/')
        expect(await addressOf(service, plain)).toMatchObject({ compute_id: compute })
      }
    },
  )
})
