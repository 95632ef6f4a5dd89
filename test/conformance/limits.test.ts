/** api.md, Limits: what is just within each limit is taken, what is just beyond is refused. */
import { describe, expect } from 'vitest'
import { type Service, test } from '../sandbox/fixture'

const rule = (change: object = {}) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  addresses: { ipv4: ['0.0.0.0/0'] },
  ...change,
})
const rulesOf = (inbound: object[], outbound: object[] = []) => ({
  inbound,
  inbound_policy: 'DROP',
  outbound,
  outbound_policy: 'ACCEPT',
})
const networks = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}/32`)
const withRules = (...rules: object[]) => rulesOf(rules)
const withPorts = (ports: string) => withRules(rule({ ports }))
const ports = (pieces: number) => Array.from({ length: pieces }, (_, index) => String(index + 1)).join(',')
const firewall = (label: string) => ({ label, rules: rulesOf([]) })
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA laptop'
const updateRules = 'PUT /networking/firewalls/4005/rules'
const createFirewall = 'POST /networking/firewalls'
const createVolume = 'POST /volumes'
const volume = (label: string) => ({ label, region: 'us-east' })
const key = (length: number) => ({ label: 'a'.repeat(length), ssh_key: sshKey })
const answers = (...ids: number[]) => ({
  security_questions: ids.map((question_id) => ({ question_id, response: 'x' })),
})
/** `{"a":"…"}` has 8 characters besides the text. */
const preferences = (length: number) => ({ a: 'é'.repeat(length - 8) })

type Rows = [row: string, line: string, within: unknown[], beyond: unknown[]][]

const rows: Rows = [
  [
    'Firewall rules',
    updateRules,
    [withRules(...Array(25).fill(rule())), rulesOf(Array(12).fill(rule()), Array(13).fill(rule()))],
    [withRules(...Array(26).fill(rule())), rulesOf(Array(13).fill(rule()), Array(13).fill(rule()))],
  ],
  [
    'Firewall rules at creation',
    createFirewall,
    [{ label: 'new', rules: rulesOf(Array(12).fill(rule()), Array(13).fill(rule())) }],
    [{ label: 'new', rules: rulesOf(Array(13).fill(rule()), Array(13).fill(rule())) }],
  ],
  [
    'Addresses per rule',
    updateRules,
    [withRules(rule({ addresses: { ipv4: networks(254), ipv6: ['::/0'] } }))],
    [withRules(rule({ addresses: { ipv4: networks(255), ipv6: ['::/0'] } }))],
  ],
  [
    'Ports string',
    updateRules,
    [ports(15), '1', '65535', '1-65535', `${ports(13)}, 100-200`].map(withPorts),
    [ports(16), '0', '65536', '022', `${ports(14)}, 100-200`, '80-80', '90-80'].map(withPorts),
  ],
  ['Firewall label', createFirewall, ['abc', 'a'.repeat(32)].map(firewall), ['ab', 'a'.repeat(33)].map(firewall)],
  [
    'Rule label',
    updateRules,
    ['abc', 'a'.repeat(32)].map((label) => withRules(rule({ label }))),
    ['ab', 'a'.repeat(33)].map((label) => withRules(rule({ label }))),
  ],
  [
    'Rule description',
    updateRules,
    ['a', 'a'.repeat(100)].map((description) => withRules(rule({ description }))),
    ['', 'a'.repeat(101)].map((description) => withRules(rule({ description }))),
  ],
  [
    'Balancers per firewall',
    createFirewall,
    [{ ...firewall('one'), devices: { balancers: [2002] } }],
    [{ ...firewall('two'), devices: { balancers: [2001, 2002] } }],
  ],
  [
    'Active firewalls per service',
    createFirewall,
    [{ ...firewall('one'), devices: { computes: [1009] } }],
    [{ ...firewall('two'), devices: { computes: [1001] } }],
  ],
  ['Volume label', createVolume, ['a', 'a'.repeat(32)].map(volume), ['', 'a'.repeat(33)].map(volume)],
  [
    'Volume label at update',
    'PUT /volumes/3002',
    ['a', 'a'.repeat(32)].map((label) => ({ label })),
    ['', 'a'.repeat(33)].map((label) => ({ label })),
  ],
  [
    'Volume label of a clone',
    'POST /volumes/3002/clone',
    ['a', 'a'.repeat(32)].map((label) => ({ label })),
    ['', 'a'.repeat(33)].map((label) => ({ label })),
  ],
  ['SSH key label', 'POST /profile/sshkeys', [0, 1, 64].map(key), [key(65)]],
  ['SSH key label at update', 'PUT /profile/sshkeys/1', [{ label: 'a'.repeat(64) }], [{ label: 'a'.repeat(65) }]],
  [
    'Token label at update',
    'PUT /profile/tokens/7',
    ['a', 'a'.repeat(100)].map((label) => ({ label })),
    ['', 'a'.repeat(101)].map((label) => ({ label })),
  ],
  [
    'Token label',
    'POST /profile/tokens',
    ['a', 'a'.repeat(100)].map((label) => ({ label })),
    ['', 'a'.repeat(101)].map((label) => ({ label })),
  ],
  ['Preferences', 'PUT /profile/preferences', [preferences(65_535)], [preferences(65_536)]],
  [
    'Security question answers',
    'POST /profile/security-questions',
    [answers(1, 2, 3)],
    [answers(), answers(1, 2), answers(1, 2, 2), answers(1, 2, 3, 4)],
  ],
  [
    'IPv6 ranges',
    'POST /networking/ipv6/ranges',
    [{ prefix_length: 64, compute_id: 1009 }],
    [
      { prefix_length: 64, compute_id: 1002 },
      { prefix_length: 56, compute_id: 1001 },
    ],
  ],
  [
    'Private IPv4 per compute instance',
    'POST /networking/ips',
    [{ type: 'ipv4', public: false, compute_id: 1002 }],
    [{ type: 'ipv4', public: false, compute_id: 1001 }],
  ],
]

describe('Limits', () => {
  test.for(rows)('Limits: %s', async ([, line, within, beyond], { open }) => {
    for (const body of within) expect(await (await open()).call(line, { body })).toMatchObject({ status: 200 })
    for (const body of beyond) expect(await (await open()).call(line, { body })).toMatchObject({ status: 400 })
  })

  test('Limits: Volume size is 20 unless given, and only grows', async ({ service: { call } }) => {
    const { body } = await call(createVolume, { body: volume('a') })
    expect(body.size).toBe(20)
    for (const [size, status] of [
      [39, 400],
      [40, 400],
      [41, 200],
    ]) {
      expect((await call('POST /volumes/3001/resize', { body: { size } })).status).toBe(status)
    }
  })

  test.for<[memory: number, persist: boolean, room: number]>([
    [1, true, 1],
    [4, true, 4],
    [16, true, 8],
    [16, false, 16],
    [96, false, 64],
  ])(
    'Limits: Volumes per compute instance: %d GB of RAM, persistent %j: %d',
    async ([memory, persist, room], { service: { call, world } }) => {
      const { id } = world.compute({ memory })
      const attach = () =>
        call(`POST /volumes/${world.volume().id}/attach`, { body: { compute_id: id, persist_across_boots: persist } })
      for (let count = 0; count < room; count += 1) expect((await attach()).status).toBe(200)
      expect((await attach()).status).toBe(400)
    },
  )

  test('Limits: Phone verification code validity is 10 minutes', async ({ open }) => {
    const verifyAfter = async (milliseconds: number) => {
      const { call, clock, sandbox } = await open()
      await call('POST /profile/phone-number', { body: { iso_code: 'US', phone_number: '+1 202 555 0143' } })
      clock.advance(milliseconds)
      return call('POST /profile/phone-number/verify', { body: { otp_code: sandbox.outbox()[0]?.code } })
    }
    expect((await verifyAfter(599_999)).status).toBe(200)
    expect((await verifyAfter(600_000)).status).toBe(400)
  })

  test('Limits: Login history window is 90 days', async ({ service }) => {
    const day = 86_400_000
    expect((await ids(service, '/profile/logins')).includes(6)).toBe(true)
    service.clock.advance(86 * day)
    expect((await ids(service, '/profile/logins')).includes(6)).toBe(true)
    service.clock.advance(1000)
    expect((await ids(service, '/profile/logins')).includes(6)).toBe(false)
    expect((await service.call('GET /profile/logins/6')).status).toBe(404)
  })

  test('Limits: Trusted device session is 30 days', async ({ service }) => {
    const day = 86_400_000
    const { created, expiry } = (await service.call('GET /profile/devices/1')).body
    expect(Date.parse(`${expiry}Z`) - Date.parse(`${created}Z`)).toBe(30 * day)
    service.clock.advance(26 * day)
    expect((await service.call('GET /profile/devices/1')).status).toBe(404)
  })

  test('Limits: IPv6 ranges per compute instance is 1 after assigning', async ({ service: { call, world } }) => {
    world.network.address({ address: '2001:db8:aaaa::', type: 'ipv6/range', compute_id: 1002 })
    const assign = (address: string, compute_id: number) =>
      call('POST /networking/ips/assign', { body: { region: 'us-east', assignments: [{ address, compute_id }] } })
    expect((await assign('2001:db8:aaaa::/64', 1001)).status).toBe(400)
    expect((await assign('2001:db8:aaaa::/64', 1006)).status).toBe(200)
  })

  test.for<[payments: number, shown: boolean]>([
    [24.99, false],
    [25, true],
  ])('Limits: Referral information after %d USD: %j', async ([payments, shown], { service: { call, world } }) => {
    const owner = world.users.get(1)
    if (owner) world.users.put({ ...owner, payments })
    expect('referrals' in (await call('GET /profile')).body).toBe(shown)
  })
})

async function ids({ call }: Service, path: string): Promise<number[]> {
  return (await call(`GET ${path}`)).body.data.map(({ id }: { id: number }) => id)
}
