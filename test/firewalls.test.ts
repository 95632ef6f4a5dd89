/** Firewalls and their devices: the real command line, client, and sandbox on a socket. */
import { describe, expect } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

const ssh: FirewallRule = {
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: '22, 80-90',
  addresses: { ipv4: ['203.0.113.0/24'], ipv6: ['2001:db8::/32'] },
  label: 'ssh',
  description: 'The office',
}
const ping: FirewallRule = { action: 'DROP', protocol: 'ICMP', addresses: { ipv4: ['0.0.0.0/0'] } }
const rules: FirewallRules = { inbound: [ssh, ping], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

function firewall({ network }: Fixtures['world'], more: Parameters<Fixtures['world']['network']['firewall']>[0] = {}) {
  return network.firewall({ label: 'edge', rules: rules as never, tags: ['prod'], ...more })
}

describe('firewalls list', () => {
  test('prints policies with the number of their rules', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    const { stdout } = await skyctl('firewalls list --filter label=edge')
    expect(stdout).toBe(
      `  ID  LABEL  STATUS   INBOUND        OUTBOUND         TAGS\n${id}  edge   enabled  DROP, 2 rules  ACCEPT, 0 rules  prod\n`,
    )
  })

  test('prints complete objects as JSON', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    const [record] = json((await skyctl(`firewalls list --filter id=${id} --json`)).stdout)
    expect(record).toMatchObject({ id, label: 'edge', status: 'enabled', rules, tags: ['prod'] })
  })
})

describe('firewalls view', () => {
  test('prints several screens with a blank line between them', async ({ skyctl, world }) => {
    for (const [id, label] of [
      [9101, 'one'],
      [9102, 'other'],
    ] as const)
      firewall(world, { id, label })
    const screens = []
    for (const label of ['one', 'other']) screens.push((await skyctl(`firewalls view ${label}`)).stdout)
    expect(screens.map((screen) => screen.split('\n')[0])).toEqual(['Firewall "one" (9101)', 'Firewall "other" (9102)'])
    expect(await skyctl('firewalls view one nowhere other')).toMatchObject({ exit: 9, stdout: screens.join('\n') })
  })

  test('wraps values on a narrow terminal', async ({ skyctl, world }) => {
    firewall(world, { tags: ['production', 'frankfurt', 'customers'] })
    expect((await skyctl('firewalls view edge', { columns: 36 })).stdout).toContain(
      '\n  tags     production, frankfurt,\n           customers\n',
    )
  })

  test('prints rules, access and services on one screen', async ({ skyctl, world }) => {
    const { id } = firewall(world, { created: '2026-01-01T00:00:00', updated: '2026-01-02T00:00:00' })
    world.compute({ id: 9001, label: 'app' })
    const device = world.network.device(id, 'compute', 9001)
    expect(await skyctl('firewalls view edge')).toEqual({
      exit: 0,
      stdout: `Firewall "edge" (${id})
  status   enabled
  tags     prod
  created  2026-01-01T00:00:00
  updated  2026-01-02T00:00:00

Who gets in
  tcp/22,80-90     203.0.113.0/24, 2001:db8::/32
  everything else  blocked (rules and policy DROP)

Inbound: DROP if no rule matches
   1  ACCEPT TCP 22, 80-90 "ssh"
      The office
      from 203.0.113.0/24, 2001:db8::/32
   2  DROP ICMP
      from 0.0.0.0/0

Outbound: ACCEPT if no rule matches

Protects
  compute 9001 "app" (device ${device.id})
`,
      stderr: '',
    })
  })

  const addresses = Array.from({ length: 255 }, (_, index) => `203.0.113.${index}/32`)
  const full = Array.from({ length: 25 }, (_, index) => ({
    ...ssh,
    label: `rule-${index}`,
    addresses: { ipv4: index === 12 ? addresses : ['192.0.2.0/24'] },
  }))

  test.for([80, 40])(
    'fits 25 rules and 255 addresses in %i columns without cutting',
    async (columns, { skyctl, world }) => {
      firewall(world, { rules: { ...rules, inbound: full } as never })
      const { stdout } = await skyctl('firewalls view edge', { columns, env: { NO_COLOR: '1' } })
      expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([])
      expect(stdout).not.toMatch(/…|\.\.\./)
      for (const address of addresses) expect(stdout).toContain(address)
      for (let number = 1; number <= 25; number += 1)
        expect(stdout).toMatch(new RegExp(`^ +${number}  ACCEPT TCP`, 'm'))
    },
  )

  test('breaks no line in a pipe', async ({ skyctl, world }) => {
    firewall(world, { rules: { ...rules, inbound: full } as never })
    expect((await skyctl('firewalls view edge')).stdout).toContain(`from ${addresses.join(', ')}\n`)
  })

  test('escapes text of the API', async ({ skyctl, world }) => {
    const evil = { ...ssh, label: 'a\u001b[2Jb', description: 'x\ny\u202e' }
    firewall(world, { label: 'edge', rules: { ...rules, inbound: [evil] } as never })
    const { stdout } = await skyctl('firewalls view edge')
    expect(stdout).toContain('"a\\x1b[2Jb"')
    expect(stdout).toContain('x\\ny\\u202e')
  })

  test('prints that the rules of a disabled firewall have no effect', async ({ skyctl, world }) => {
    firewall(world, { status: 'disabled' })
    expect((await skyctl('firewalls view edge')).stdout).toContain('disabled: its rules have no effect')
  })

  test('prints the object of the API as JSON', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    expect(Object.keys(json((await skyctl(`firewalls view ${id} --json`)).stdout)).sort()).toEqual([
      'created',
      'id',
      'label',
      'rules',
      'status',
      'tags',
      'updated',
    ])
  })
})

describe('firewalls create', () => {
  test('sends policies, devices and tags from flags', async ({ skyctl, world }) => {
    world.compute({ id: 9001 })
    const line =
      '--label edge --inbound-policy drop --outbound-policy ACCEPT --compute-id 9001 --balancer-id 2002 --tag a,b'
    const { exit, stdout } = await skyctl(`firewalls create ${line} --yes --json`)
    expect({ exit, status: json(stdout).status }).toEqual({ exit: 0, status: 'enabled' })
    expect(world.requests('POST')[0]?.body).toEqual({
      label: 'edge',
      rules: { inbound: [], outbound: [], inbound_policy: 'DROP', outbound_policy: 'ACCEPT' },
      devices: { computes: [9001], balancers: [2002] },
      tags: ['a', 'b'],
    })
  })

  test('reads rules from a file, whose policies flags override', async ({ skyctl, world }) => {
    const { exit } = await skyctl('firewalls create --label edge --file - --inbound-policy accept', {
      stdin: JSON.stringify(rules),
    })
    expect(exit).toBe(0)
    expect(world.requests('POST')[0]?.body).toMatchObject({ rules: { ...rules, inbound_policy: 'ACCEPT' } })
  })

  test('reads the body from a file', async ({ skyctl, world }) => {
    const body = { label: 'edge', rules, tags: ['x'] }
    await skyctl('firewalls create --body -', { stdin: JSON.stringify(body) })
    expect(world.requests('POST')[0]?.body).toEqual(body)
  })

  test.for([
    ['--label ab', '3-32 characters'],
    [`--label ${'a'.repeat(33)}`, '3-32 characters'],
    ['--label -web', 'begin and end'],
    ['--label web.', 'begin and end'],
    ['--label web--1', '--'],
    ['--label edge --compute-id 1.5', 'compute instance id'],
    ['', '--label is required'],
  ])('rejects %s before any request', async ([flags, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`firewalls create ${flags} --inbound-policy drop --outbound-policy accept`)
    expect(exit).toBe(2)
    expect(stderr).toContain(message)
    expect(world.requests()).toEqual([])
  })

  test('rejects two balancers before any request', async ({ skyctl, world }) => {
    const stdin = JSON.stringify({ label: 'edge', rules, devices: { balancers: [2001, 2002] } })
    const { exit, stderr } = await skyctl('firewalls create --body -', { stdin })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('devices.balancers: only one balancer can be assigned to a firewall')
  })

  test('rejects a list as devices before any request', async ({ skyctl, world }) => {
    const stdin = JSON.stringify({ label: 'edge', rules, devices: [] })
    const { exit, stderr } = await skyctl('firewalls create --body -', { stdin })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('devices: must be an object')
  })

  test('rejects 080 as ports in a body, which does not mean 80', async ({ skyctl, world }) => {
    const stdin =
      'label: edge\nrules:\n  inbound_policy: DROP\n  outbound_policy: DROP\n  inbound: [{action: DROP, protocol: TCP, ports: 080, addresses: {ipv4: [10.0.0.0/8]}}]\n'
    const { exit, stderr } = await skyctl('firewalls create --body -', { stdin })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('rules.inbound[0].ports: "080" is neither a port nor a range of ports')
  })

  test('needs a policy', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('firewalls create --label edge')
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('--inbound-policy is required')
  })

  test('reports field and line of a mistake in the file', async ({ skyctl, world }) => {
    const stdin =
      'inbound_policy: DROP\noutbound_policy: ACCEPT\ninbound:\n  - action: ACCEPT\n    protocol: TCP\n    ports: 22a\n    addresses: {ipv4: [10.0.0.0/8]}\n'
    const { exit, stderr } = await skyctl('firewalls create --label edge --file -', { stdin })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toMatch(/rules\.inbound\[0\]\.ports: .*22a.*\(line 6\)/)
  })

  test("reports the API's reason for an existing label", async ({ skyctl, world }) => {
    firewall(world)
    const { exit, stderr } = await skyctl(
      'firewalls create --label edge --inbound-policy drop --outbound-policy accept',
    )
    expect(exit).toBe(6)
    expect(stderr).toContain('Label must be unique among your Cloud Firewalls')
  })
})

describe('firewalls update, enable, disable, delete', () => {
  test('update changes label and tags', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    expect((await skyctl('firewalls update edge --label rim --add-tag new')).exit).toBe(0)
    expect(world.network.firewalls.get(id)).toMatchObject({ label: 'rim', tags: ['prod', 'new'] })
  })

  test('update prints the replaced tags', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    const { exit, stderr } = await skyctl('firewalls update edge --tag new')
    const note = '--tag replaces the tags prod; --add-tag keeps them'
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `${note}\nUpdated firewall "edge" (${id}); tags: prod -> new\n`,
    })
  })

  test.for(['ab', 'web--1'])('update rejects the label %s before any request', async (label, { skyctl, world }) => {
    const { exit, stderr } = await skyctl(['firewalls', 'update', '4001', '--label', label])
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toMatch(/^skyctl: --label: must /)
  })

  test('update rejects the status deleted before any request', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('firewalls update 4001 --status deleted')
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('must be one of: enabled, disabled')
  })

  test('disable and enable accept several firewalls', async ({ skyctl, world }) => {
    const ids = [firewall(world).id, firewall(world, { label: 'other' }).id]
    const { exit, stderr } = await skyctl(`firewalls disable ${ids.join(' ')} --yes`)
    expect({ exit, stderr: stderr.split('\n')[0] }).toEqual({
      exit: 0,
      stderr: `Disabled firewall "edge" (${ids[0]}): its rules protect nothing`,
    })
    expect(ids.map((id) => world.network.firewalls.get(id)?.status)).toEqual(['disabled', 'disabled'])
    await skyctl('firewalls enable edge other')
    expect(ids.map((id) => world.network.firewalls.get(id)?.status)).toEqual(['enabled', 'enabled'])
  })

  test('enable fails if another firewall protects the same service', async ({ skyctl, world }) => {
    world.compute({ id: 9001 })
    for (const more of [{}, { label: 'second', status: 'disabled' as const }]) {
      world.network.device(firewall(world, more).id, 'compute', 9001)
    }
    expect((await skyctl('firewalls enable second --yes')).exit).toBe(6)
  })

  test.for(['disable edge', 'delete edge', 'update edge --status disabled', 'devices delete edge 1'])(
    '%s needs --yes without a terminal',
    async (line, { skyctl, world }) => {
      firewall(world)
      const { exit, stderr } = await skyctl(`firewalls ${line}`)
      expect(exit).toBe(2)
      expect(stderr).toContain('--yes')
      expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  test.for<[line: string, consequence: string, question: string]>([
    ['delete', 'Everything it protects will be open to all traffic. ', 'Delete firewall "edge" (9100) and its rules?'],
    ['disable', 'Its rules will protect nothing. ', 'Disable firewall "edge" (9100)?'],
    ['update --status disabled', 'Its rules will protect nothing. ', 'Disable firewall "edge" (9100)?'],
  ])('%s warns of ended protection only if there is any', async ([verb, consequence, question], { skyctl, world }) => {
    const firewall = world.network.firewall({ id: 9100, label: 'edge' })
    const ask = async () => {
      const { stderr } = await skyctl(`firewalls ${verb} edge`, {
        ...{ interactive: true, stdin: 'n\n', env: { TERM: 'dumb' } },
      })
      return stderr.replaceAll(/\s+/g, ' ')
    }
    const bare = await ask()
    expect(bare).toContain(question)
    expect(bare).not.toContain(consequence)
    world.network.device(firewall.id, 'compute', 1004)
    expect(await ask()).toContain(`${consequence}${question}`)
  })

  test('delete deletes the firewall', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    expect(await skyctl('firewalls delete edge --yes --json')).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect(world.network.firewalls.get(id)).toBeUndefined()
  })
})

describe('firewalls devices', () => {
  test('add assigns a compute instance or a balancer', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    world.compute({ id: 9001 })
    const { exit, stdout } = await skyctl('firewalls devices add edge --compute-id 9001 --yes --json')
    expect({ exit, entity: json(stdout).entity }).toMatchObject({ exit: 0, entity: { id: 9001, type: 'compute' } })
    await skyctl('firewalls devices add edge --balancer-id 2002 --yes')
    expect(world.requests('POST').map(({ path, body }) => ({ path, body }))).toEqual([
      { path: `/networking/firewalls/${id}/devices`, body: { id: 9001, type: 'compute' } },
      { path: `/networking/firewalls/${id}/devices`, body: { id: 2002, type: 'balancer' } },
    ])
  })

  test.for(['--compute-id 0', '--compute-id 1.5'])(
    'add rejects %s before any request',
    async (flags, { skyctl, world }) => {
      const { exit } = await skyctl(`firewalls devices add 4001 ${flags}`)
      expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    },
  )

  test.for<[flag: string, message: string, exit?: number]>([
    ['--compute-id 7', 'Invalid Compute ID 7', 5],
    ['--balancer-id 7', 'Invalid Balancer ID 7', 5],
    ['--compute-id 1001', 'Compute 1001 already has an active firewall: web (4001)'],
    ['--balancer-id 2001', 'Balancer 2001 already has an active firewall: web (4001)'],
    ['--compute-id 1007', 'ompute busy'],
  ])('%s is refused by the API: %s', async ([flag, message, code = 6], { skyctl, world }) => {
    const create = `create --label edge --inbound-policy drop --outbound-policy accept ${flag}`
    for (const line of [create, `devices add 4005 ${flag}`]) {
      const { exit, stderr } = await skyctl(`firewalls ${line} --yes`)
      expect({ line, exit }).toEqual({ line, exit: code })
      expect(stderr).toContain(message)
      if (message.includes('already has')) expect(stderr).toContain(`: skyctl firewalls devices delete 4001 ${flag}\n`)
    }
    expect(world.network.devicesOf(4005)).toEqual([])
  })

  test('add --dry-run prints the request', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('firewalls devices add 4001 --compute-id 1003 --dry-run --json')
    expect(json(stdout)).toEqual({
      method: 'POST',
      path: '/networking/firewalls/4001/devices',
      body: { id: 1003, type: 'compute' },
    })
    expect(world.requests()).toEqual([])
  })

  test('list, view and delete need the firewall first', async ({ skyctl, world }) => {
    const { id } = firewall(world)
    world.compute({ id: 9001, label: 'app' })
    const device = world.network.device(id, 'compute', 9001)
    expect((await skyctl('firewalls devices list edge -q')).stdout).toBe(`${device.id}\n`)
    expect(json((await skyctl(`firewalls devices view edge ${device.id} --json`)).stdout).entity.label).toBe('app')
    const { exit, stderr } = await skyctl(`firewalls devices delete edge ${device.id} --yes`)
    expect(exit).toBe(0)
    expect(stderr).toMatch(new RegExp(`^newly allowed at app: .*\nDeleted device ${device.id}\n$`))
    expect(world.requests('DELETE')[0]?.path).toBe(`/networking/firewalls/${id}/devices/${device.id}`)
  })

  test('an unknown device is exit 5, an invalid id exit 2', async ({ skyctl, world }) => {
    firewall(world)
    for (const line of ['view edge 999999', 'delete edge 999999 --yes']) {
      const stderr = 'skyctl: device 999999 not found\n'
      expect(await skyctl(`firewalls devices ${line}`)).toEqual({ exit: 5, stdout: '', stderr })
    }
    const before = world.requests().length
    expect((await skyctl('firewalls devices view edge app')).exit).toBe(2)
    expect(world.requests()).toHaveLength(before)
  })
})
