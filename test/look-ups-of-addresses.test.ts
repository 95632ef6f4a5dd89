/**
 * From ten objects on, one list serves what commands need to know about addresses, as about other objects
 * (./look-ups.test.ts), and what concerns all targets is read once.
 */
import { describe, expect } from 'vitest'
import { countRequests, pageWithout, withPages } from './support/looked-up-pages'
import { test as base, type Fixtures } from './support/skyctl'

type World = Fixtures['world']

const count = 12
const addresses = Array.from({ length: count }, (_, place) => `198.18.0.${place + 1}`)
const stdin = addresses.join('\n')
const nameOf = (address: string) => `h${address.split('.').at(-1)}.example.net`
const namings = (named = addresses) =>
  named.map((address) => JSON.stringify({ address, rdns: nameOf(address) })).join('\n')
const resets = addresses.map((address) => JSON.stringify({ address, rdns: null })).join('\n')

const test = base.extend<{ arranged: World }>({
  arranged: async ({ world }, use) => {
    for (const address of addresses)
      world.network.address({ address, compute_id: 1001, type: 'ipv4', public: true, rdns: `old-${nameOf(address)}` })
    await use(world)
  },
})

const rdnsIn = (world: World) => addresses.map((address) => world.network.findAddress(address)?.rdns)

type ListedAddress = { address: string; rdns: string | null }

describe('many addresses need one list', () => {
  test('to be shown, as single views show them', async ({ skyctl, arranged }) => {
    const { exit, stdout } = await skyctl('ips view - --json', { stdin })
    expect({ exit, counts: countRequests(arranged) }).toEqual({ exit: 0, counts: { 'GET /networking/ips': 1 } })
    for (const shown of JSON.parse(stdout)) {
      const single = await skyctl(`ips view ${shown.address} --json`)
      expect(shown).toEqual({ ok: true, ...JSON.parse(single.stdout) })
    }
  })

  test('and a request each to get names', async ({ skyctl, arranged }) => {
    const { exit, stderr } = await skyctl('ips rdns --body -', { stdin: namings() })
    expect({ exit, rdns: rdnsIn(arranged) }, stderr).toEqual({ exit: 0, rdns: addresses.map(nameOf) })
    expect(countRequests(arranged)).toEqual({ 'GET /networking/ips': 1, 'PUT /networking/ips/ID': count })
  })

  test('and a request each to lose their names, which the history keeps', async ({ skyctl, arranged }) => {
    const before = rdnsIn(arranged)
    expect(await skyctl('ips rdns --body - --yes', { stdin: resets })).toMatchObject({ exit: 0 })
    expect(countRequests(arranged)).toEqual({ 'GET /networking/ips': 1, 'PUT /networking/ips/ID': count })
    expect(rdnsIn(arranged)).not.toEqual(before)
    for (const _ of addresses) expect(await skyctl('history undo --yes')).toMatchObject({ exit: 0 })
    expect(rdnsIn(arranged)).toEqual(before)
  })

  test('if it spells them otherwise, too', async ({ skyctl, world, meanwhile }) => {
    const ipv6 = Array.from({ length: count }, (_, place) => `2001:db8:aa::${place + 1}`)
    for (const address of ipv6) world.network.address({ address, compute_id: 1001, type: 'ipv6', public: true })
    const spelled = (text: string) => text.replace('2001:db8:aa::', '2001:0DB8:00AA:0::')
    await meanwhile(
      withPages<ListedAddress>((page) => ({
        ...page,
        data: page.data.map((one) => ({ ...one, address: spelled(one.address) })),
      })),
    )
    const { exit, stderr } = await skyctl('ips view -', { stdin: ipv6.map(spelled).join('\n') })
    expect({ exit, counts: countRequests(world) }, stderr).toEqual({ exit: 0, counts: { 'GET /networking/ips': 1 } })
  })

  test('of one page; several are read twice, as an address has no time of its creation', async ({
    skyctl,
    arranged,
  }) => {
    for (let place = 0; place < 500; place += 1)
      arranged.network.address({
        address: `198.19.${Math.floor(place / 250)}.${1 + (place % 250)}`,
        compute_id: 1001,
        type: 'ipv4',
        public: true,
      })
    expect(await skyctl('ips rdns --body -', { stdin: namings() })).toMatchObject({ exit: 0 })
    expect(countRequests(arranged)).toEqual({ 'GET /networking/ips': 4, 'PUT /networking/ips/ID': count })
  })

  test('unless that takes more requests than they do', async ({ skyctl, arranged, meanwhile }) => {
    await meanwhile(withPages<ListedAddress>((page) => ({ ...page, pages: count / 2 + 1 })))
    expect(await skyctl('ips view -', { stdin })).toMatchObject({ exit: 0 })
    expect(countRequests(arranged)).toEqual({ 'GET /networking/ips': 1, 'GET /networking/ips/ID': count })
  })
})

test('A few addresses are read once each before they get names', async ({ skyctl, arranged }) => {
  const few = addresses.slice(0, 3)
  expect(await skyctl('ips rdns --body -', { stdin: namings(few) })).toMatchObject({ exit: 0 })
  expect(countRequests(arranged)).toEqual({ 'GET /networking/ips/ID': 3, 'PUT /networking/ips/ID': 3 })
})

describe('an address is looked up by itself', () => {
  test('if it is private, as the API lists none', async ({ skyctl, arranged }) => {
    arranged.network.address({ address: '192.168.130.5', compute_id: 1001, type: 'ipv4', public: false })
    expect(await skyctl('ips view -', { stdin: `${stdin}\n192.168.130.5` })).toMatchObject({ exit: 0 })
    expect(countRequests(arranged)).toEqual({ 'GET /networking/ips': 1, 'GET /networking/ips/ID': 1 })
  })

  test('if the list does not show it yet', async ({ skyctl, arranged, meanwhile }) => {
    await meanwhile(withPages<ListedAddress>((page) => pageWithout(page, ({ address }) => address === addresses[3])))
    expect(await skyctl('ips rdns --body -', { stdin: namings() })).toMatchObject({ exit: 0 })
    expect(rdnsIn(arranged)).toEqual(addresses.map(nameOf))
  })

  test('and is called missing if it is gone, whether or not the list still shows it', async ({
    skyctl,
    arranged,
    meanwhile,
  }) => {
    const missing = addresses[3] ?? ''
    await meanwhile({
      after({ method, path }) {
        const record = arranged.network.findAddress(missing)
        if (method === 'GET' && path.startsWith('/networking/ips?') && record)
          arranged.network.addresses.delete(record.id)
      },
    })
    for (const last of [`${count - 1} of ${count} updated`, `0 of ${count} updated, ${count - 1} not tried`]) {
      const { exit, stderr } = await skyctl('ips rdns --body -', { stdin: namings() })
      expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ exit: 9, last })
      expect(stderr).toContain(`address ${missing} not found`)
    }
  })

  test('if it is a range: its list does not show its instances', async ({ skyctl, world }) => {
    const ranges = Array.from({ length: count }, (_, place) => `2001:db8:${place + 1}::`)
    for (const address of ranges)
      world.network.address({ address, compute_id: 1001, type: 'ipv6/range', prefix: 64, public: true })
    const { exit, stdout } = await skyctl('ipv6 ranges view - --json', { stdin: ranges.join('\n') })
    expect({ exit, counts: countRequests(world) }).toEqual({
      exit: 0,
      counts: { 'GET /networking/ipv6/ranges/ID': count },
    })
    for (const { computes } of JSON.parse(stdout)) expect(computes).toEqual([1001])
  })
})

describe('what concerns all targets is read once', () => {
  test('the addresses that are assigned, and their region', async ({ skyctl, arranged }) => {
    const pairs = addresses.map((address) => `${address}=1002`)
    expect(await skyctl(`ips assign ${pairs.join(' ')} --yes`)).toMatchObject({ exit: 0 })
    expect(countRequests(arranged)).toEqual({ 'GET /networking/ips': 1, 'POST /networking/ips/assign': 1 })
  })

  test('the firewalls of which screens are shown, with a request for the services of each', async ({
    skyctl,
    world,
  }) => {
    const labels = addresses.map((_, place) => `edge-${place}`)
    for (const label of labels) world.network.firewall({ label })
    expect(await skyctl('firewalls view -', { stdin: labels.join('\n') })).toMatchObject({ exit: 0 })
    expect(countRequests(world)).toEqual({
      ...{ 'GET /networking/firewalls': 1, 'GET /networking/firewalls/ID/devices': count },
    })
  })
})
