/** What an audit says of each fault: of what, why, and what mends it (docs/audit.md). */
import { describe, expect } from 'vitest'
import type { Code } from '../src/audit/checks'
import { scopeResources } from '../src/rules/scopes'
import { findingsOf, objectOf, test } from './support/audit-stage'
import {
  app,
  bytes,
  disable,
  everybody,
  guard,
  inDays,
  key,
  many,
  networks,
  rsa,
  sshKey,
  token,
} from './support/audited-world'
import { faultServer, reply } from './support/fault-server'
import { rulesOf, ruleThat } from './support/firewall-rules'
import type { World } from './support/sandbox'

/** Of a finding: `KIND ID` or `KIND ID PART`, the reason, and what mends it. */
type Told = readonly [object: string, reason: string, command: string]

type Row = readonly [code: Code, what: string, arrange: (world: World) => Told[]]

/** What clocks of tests show. */
const now = '2026-01-15T12:00:00'

const anybody = { ipv4: everybody, ipv6: ['::/0'] }

/** Protects 1001, in the place of the one that is there. */
const web = (world: World, ...rules: Parameters<typeof ruleThat>[0][]) => guard(world, 'web', rules.map(ruleThat))

const opened = (id: number, part: string, reason: string): Told => [
  `firewall ${id} ${part}`,
  reason,
  `skyctl firewalls rules edit ${id}`,
]

/** A firewall that protects a balancer, and whatever else is named. */
function balanced(world: World, ...rules: Parameters<typeof ruleThat>[0][]): number {
  const id = guard(world, 'front', rules.map(ruleThat), { compute: 0 })
  world.network.device(id, 'balancer', 2001)
  return id
}

const unprotected = (id: number, reason: string, command: string): Told => [
  `compute ${id}`,
  `no firewall for ${reason}`,
  `skyctl ${command}`,
]

/** An instance with these addresses, and a name for each. */
function reachable(world: World, id: number, ...addresses: string[]): void {
  for (const address of addresses) world.network.address({ address, compute_id: id, rdns: 'a.example.net' })
}

/** Ports that docs/audit.md names, as the reasons do. */
const administration = {
  TCP: 'SSH (22), Telnet (23), SMB (445), Docker (2375), Docker (2376), RDP (3389), VNC (5900), WinRM (5985), WinRM (5986), Kubernetes (6443), kubelet (10250)',
  UDP: 'SNMP (161), IPMI (623)',
}
const databases = {
  TCP: 'SQL Server (1433), Oracle (1521), etcd (2379), MySQL (3306), PostgreSQL (5432), CouchDB (5984), Redis (6379), Cassandra (9042), Elasticsearch (9200), Memcached (11211), MongoDB (27017)',
  UDP: 'Memcached (11211)',
}

const rows: readonly Row[] = [
  [
    'app-write-scopes',
    'with the scopes that let it write',
    (world) => {
      const some = app(world, 'account:read_write volumes:read_only ips:read_write', inDays(1))
      const all = app(world, '*', null)
      app(world, 'account:read_only', null)
      app(world, '*', now)
      return [
        [`app ${some}`, 'may use account:read_write ips:read_write', `skyctl profile apps revoke ${some}`],
        [`app ${all}`, 'may use *', `skyctl profile apps revoke ${all}`],
      ]
    },
  ],
  [
    'token-full-scope',
    'where all scopes are held together, and not where one is',
    (world) => {
      const id = token(world, { scopes: scopeResources.map((resource) => `${resource}:read_write`).join(' ') })
      token(world, { scopes: 'volumes:read_write' })
      return [[`token ${id}`, 'whoever holds it can do everything', `skyctl tokens revoke ${id}`]]
    },
  ],
  [
    'token-never-expires',
    'with the day of its making',
    (world) => {
      const ids = [null, inDays(36_600)].map((expiry) => token(world, { expiry }))
      const reason = 'made on 2026-01-15, valid until it is revoked'
      return ids.map((id) => [`token ${id}`, reason, `skyctl tokens rotate ${id} --expiry 90d`])
    },
  ],
  [
    'token-expires-soon',
    'to the second',
    (world) => {
      const id = token(world, { expiry: '2026-01-29T12:00:00' })
      for (const expiry of [now, '2026-01-29T12:00:01']) token(world, { expiry })
      return [[`token ${id}`, 'ends at 2026-01-29T12:00:00 (UTC)', `skyctl tokens rotate ${id} --expiry 90d`]]
    },
  ],
  [
    'ssh-key-weak',
    'with its weakness',
    (world) => {
      const dsa = sshKey(world, 'dsa', key('ssh-dss', bytes(1, 128)))
      const short = sshKey(world, 'short', rsa(1024))
      return [
        [`sshkey ${dsa}`, 'it is of DSA, which OpenSSH takes no more', `skyctl profile sshkeys delete ${dsa}`],
        [`sshkey ${short}`, 'it is of RSA with 1024 bits, under 2048', `skyctl profile sshkeys delete ${short}`],
      ]
    },
  ],
  [
    'ssh-key-twice',
    'each but the first',
    (world) => {
      const [first, ...others] = ['a', 'b', 'c'].map((label) => sshKey(world, label, rsa(3072)))
      return others.map((id) => [
        `sshkey ${id}`,
        `the same key as "a" (${first})`,
        `skyctl profile sshkeys delete ${id}`,
      ])
    },
  ],
  ...(['admin-port-open', 'database-port-open'] as const).flatMap((code): Row[] => {
    const known = code === 'admin-port-open' ? administration : databases
    const [port, name] = code === 'admin-port-open' ? ['22', 'SSH (22)'] : ['5432', 'PostgreSQL (5432)']
    return [
      [
        code,
        'every port that docs/audit.md names',
        (world) => {
          const id = web(world, { ports: undefined, ...anybody }, { protocol: 'UDP', ports: undefined, ...anybody })
          return [
            opened(id, 'tcp', `${known.TCP} from anywhere by inbound rule 1`),
            opened(id, 'udp', `${known.UDP} from anywhere by inbound rule 2`),
          ]
        },
      ],
      [
        code,
        'not where the firewall is in force for nothing',
        (world) => {
          disable(world, web(world, { ports: port, ...anybody }))
          guard(world, 'spare', [ruleThat({ ports: port, ...anybody })], { compute: 0 })
          return []
        },
      ],
      [
        code,
        'at a balancer',
        (world) => [
          opened(
            balanced(world, { ports: port, ...anybody }),
            `tcp/${port}`,
            `${name} from anywhere by inbound rule 1`,
          ),
        ],
      ],
    ]
  }),
  [
    'admin-port-open',
    'as the entry of the rule that opens it',
    (world) => {
      const id = web(world, { ports: '80, 22, 3000-4000', ipv4: everybody })
      return [
        opened(id, 'tcp/22', 'SSH (22) from any IPv4 address by inbound rule 1'),
        opened(id, 'tcp/3000-4000', 'RDP (3389) from any IPv4 address by inbound rule 1'),
      ]
    },
  ],
  [
    'admin-port-open',
    'with all rules that open it',
    (world) => {
      const id = web(
        world,
        { ports: '443', ipv4: everybody },
        { ports: '20-23', ipv4: everybody },
        { ports: '20-23', ipv4: [], ipv6: ['::/0'] },
      )
      return [opened(id, 'tcp/20-23', 'SSH (22), Telnet (23) from anywhere by inbound rules 2, 3')]
    },
  ],
  [
    'admin-port-open',
    'with the part of the world, from a half on',
    (world) => {
      const id = web(
        world,
        { action: 'DROP', ports: '23', ipv4: ['0.0.0.0/2'], ipv6: ['::/0'] },
        { ports: '22-23', ipv4: everybody },
        { ports: '445', ipv4: ['0.0.0.0/1'], ipv6: ['::/0'] },
        { ports: '3389', ipv4: [], ipv6: ['2000::/4'] },
        { ports: '5900', ipv4: [], ipv6: ['::/0'] },
        { ports: '6443', ipv4: ['0.0.0.0/2', '64.0.0.0/3'] },
      )
      return [
        opened(id, 'tcp/22-23', 'SSH (22), Telnet (23) from any IPv4 address and 75 % of IPv4 by inbound rule 2'),
        opened(id, 'tcp/445', 'SMB (445) from 50 % of IPv4 and 100 % of IPv6 by inbound rule 3'),
        opened(id, 'tcp/3389', 'RDP (3389) from 50 % of IPv6 by inbound rule 4'),
        opened(id, 'tcp/5900', 'VNC (5900) from any IPv6 address by inbound rule 5'),
      ]
    },
  ],
  [
    'admin-port-open',
    'of UDP where an instance is protected besides a balancer',
    (world) => {
      const id = balanced(world, { protocol: 'UDP', ports: '161', ...anybody })
      world.network.device(id, 'compute', 1002)
      return [opened(id, 'udp/161', 'SNMP (161) from anywhere by inbound rule 1')]
    },
  ],
  [
    'unknown-protocol-open',
    'with its rule, where the firewall is in force for something',
    (world) => {
      const all = { protocol: 'ALL', ports: undefined, ...anybody }
      const id = web(world, { ports: '443' }, all)
      disable(world, guard(world, 'off', [ruleThat(all)], { compute: 1002 }))
      return [opened(id, 'all', 'inbound rule 2 accepts protocol ALL from everybody')]
    },
  ],
  [
    'instance-unprotected',
    'with its addresses, and without those that are protected',
    (world) => {
      const [usual] = world.network.firewalls.all()
      reachable(world, 1002, '192.0.2.2')
      reachable(world, 1003, '192.0.2.3', '2001:db8::3')
      reachable(world, 1004, '192.0.2.4', '2001:db8::4', '2001:db8::5')
      const add = (id: number) => `firewalls devices add ${usual?.id} --compute-id ${id}`
      return [
        unprotected(1002, '192.0.2.2', add(1002)),
        unprotected(1003, '192.0.2.3 and 1 other address', add(1003)),
        unprotected(1004, '192.0.2.4 and 2 other addresses', add(1004)),
      ]
    },
  ],
  [
    'instance-unprotected',
    'where the firewall that it has is disabled, which is enabled then',
    (world) => {
      reachable(world, 1002, '192.0.2.2')
      disable(world, guard(world, 'another', [], { compute: 1003 }))
      const id = disable(world, guard(world, 'own', [], { compute: 1002 }))
      return [unprotected(1002, '192.0.2.2', `firewalls enable ${id}`)]
    },
  ],
  [
    'instance-unprotected',
    'with the firewall in force that most instances have',
    (world) => {
      reachable(world, 1002, '192.0.2.2')
      const most = guard(world, 'most', [], { compute: 1003 })
      world.network.device(most, 'compute', 1004)
      guard(world, 'few', [], { compute: 1005 })
      const off = guard(world, 'off', [], { compute: 1006 })
      for (const id of [1007, 1008]) world.network.device(off, 'compute', id)
      disable(world, off)
      return [unprotected(1002, '192.0.2.2', `firewalls devices add ${most} --compute-id 1002`)]
    },
  ],
  [
    'instance-unprotected',
    'with a new firewall, where none protects an instance',
    (world) => {
      for (const { id } of world.network.firewalls.all()) world.network.firewalls.delete(id)
      balanced(world)
      const create = '--inbound-policy drop --outbound-policy accept --compute-id 1001'
      return [unprotected(1001, '192.0.2.1', `firewalls create --label compute-1001 ${create}`)]
    },
  ],
  [
    'instance-unprotected',
    'where a balancer of the same id has a firewall',
    (world) => {
      const [usual] = world.network.firewalls.all()
      world.balancers.add({ id: 1002, label: 'front', region: 'us-east' })
      world.network.device(balanced(world), 'balancer', 1002)
      reachable(world, 1002, '192.0.2.2')
      return [unprotected(1002, '192.0.2.2', `firewalls devices add ${usual?.id} --compute-id 1002`)]
    },
  ],
  [
    'address-without-rdns',
    'with the name of another address of its instance, unless the service gave it',
    (world) => {
      world.network.address({ address: '2001:db8::1', compute_id: 1001 })
      world.network.address({ address: '192.0.2.2', compute_id: 1002 })
      world.network.address({ address: '2001:db8::2', compute_id: 1002 })
      return [
        ['address 2001:db8::1', 'of compute 1001', 'skyctl ips rdns 2001:db8::1 www.example.net'],
        ['address 2001:db8::2', 'of compute 1002', 'skyctl ips rdns 2001:db8::2 NAME'],
      ]
    },
  ],
  [
    'inbound-policy-accept',
    'where the firewall is in force for something',
    (world) => {
      const id = guard(world, 'web', [], { policy: 'ACCEPT' })
      disable(world, guard(world, 'off', [], { policy: 'ACCEPT', compute: 1002 }))
      return [[`firewall ${id}`, 'its inbound policy is ACCEPT', `skyctl firewalls rules edit ${id}`]]
    },
  ],
  [
    'firewall-disabled',
    'with what it would protect',
    (world) => {
      const id = disable(world, guard(world, 'off', [], { compute: 1002 }))
      world.network.device(id, 'balancer', 2001)
      disable(world, guard(world, 'spare', [], { compute: 0 }))
      const reason = 'not in force for compute "web-2", balancer "front-1"'
      return [[`firewall ${id}`, reason, `skyctl firewalls enable ${id}`]]
    },
  ],
  [
    'firewall-disabled',
    'where another one protects some of it, which is taken from it then',
    (world) => {
      world.balancers.add({ id: 1001, label: 'twin', region: 'us-east' })
      const id = guard(world, 'off', [], { compute: 1002 })
      const taken = world.network.device(id, 'compute', 1001).id
      world.network.device(id, 'balancer', 1001)
      disable(world, id)
      const [web] = world.network.firewalls.all()
      world.network.device(web?.id ?? 0, 'compute', 1003)
      const reason = 'not in force for compute "web-2", compute "web-1", balancer "twin"; another one is'
      return [[`firewall ${id}`, reason, `skyctl firewalls devices delete ${id} ${taken}`]]
    },
  ],
  [
    'rule-budget',
    'inbound and outbound together',
    (world) => {
      const rules = { ...rulesOf(many(10)), outbound: many(10) }
      const { id } = world.network.firewall({ label: 'full', rules })
      return [[`firewall ${id}`, '20 of 25 rules are used', `skyctl firewalls rules edit ${id}`]]
    },
  ],
  [
    'address-budget',
    'by the label of the rule where that is its own, and else by its number',
    (world) => {
      const rule = (label?: string, count = 204) => ({
        ...ruleThat({ ipv4: networks(count) }),
        ...(label && { label }),
      })
      const rules = { ...rulesOf([rule('twin'), rule('twin', 1), rule('own')]), outbound: [rule('one', 1), rule()] }
      const { id } = world.network.firewall({ label: 'wide', rules })
      const reason = '204 of 255 addresses are used'
      return ['inbound/1', 'inbound/own', 'outbound/2'].map((part) => opened(id, part, reason))
    },
  ],
]

describe('a finding', () => {
  test.for(rows)('%s tells %s', async ([code, , arrange], { skyctl, world, clean }) => {
    const told = arrange(world)
    const found = findingsOf((await skyctl(`audit --code ${code} --json`)).stdout)
    expect({ found: found.map((one) => [objectOf(one), one.reason, one.command]), clean }).toEqual({ found: told })
  })
})

describe('an instance', () => {
  test('is called as volumes and firewalls call it, and no balancer of its id is meant', async ({
    skyctl,
    world,
    clean,
  }) => {
    for (const [id, address] of [
      [1001, '2001:db8::1'],
      [1002, '2001:db8::2'],
      [1003, '2001:db8::3'],
      [1004, '2001:db8::4'],
    ] as const) {
      world.network.address({ address, compute_id: id })
    }
    world.volume({ label: 'disk', compute_id: 1002 })
    world.balancers.add({ id: 1003, label: 'front', region: 'us-east' })
    world.network.device(balanced(world), 'balancer', 1003)
    guard(world, 'own', [], { compute: 1004 })
    const { stdout } = await skyctl('audit --json')
    const of = (code: Code) => findingsOf(stdout).filter((one) => one.code === code)
    expect({ reasons: of('address-without-rdns').map(({ reason }) => reason), clean }).toEqual({
      reasons: ['of compute "web-1"', 'of compute "web-2"', 'of compute 1003', 'of compute "tiny-1"'],
    })
    expect(of('instance-unprotected').map(({ object }) => object)).toEqual([
      { kind: 'compute', id: 1002, label: 'web-2', part: null },
      { kind: 'compute', id: 1003, label: null, part: null },
    ])
  })

  test('has no address that belongs to none, or that is private, where the service tells of such', async ({
    skyctl,
  }) => {
    const usual = { gateway: null, prefix: 24, region: 'us-east', subnet_mask: null, type: 'ipv4', vpc_nat_1_1: null }
    const data = [
      { ...usual, address: '192.0.2.1', compute_id: null, public: true, rdns: null },
      // Some services leave out what is null.
      { ...usual, address: '192.0.2.2', public: true },
      // Its name is nobody else's where no instance has both.
      { ...usual, address: '192.0.2.3', compute_id: null, public: true, rdns: 'mail.example.net' },
      { ...usual, address: '192.168.128.2', compute_id: 1002, public: false, rdns: null },
    ]
    const { host } = await faultServer((socket, { path }) => {
      const list = path.includes('/ips') ? data : []
      reply(200, { data: list, page: 1, pages: 1, results: list.length })(socket, {
        method: '',
        path,
        headers: {},
        body: '',
      })
    })
    const { stdout } = await skyctl('audit --code instance-unprotected,address-without-rdns --json', {
      env: { SKYCTL_BASE_URL: `http://${host}/v4` },
    })
    expect(findingsOf(stdout).map((one) => [one.code, objectOf(one), one.reason, one.command])).toEqual([
      ['address-without-rdns', 'address 192.0.2.1', 'of no instance', 'skyctl ips rdns 192.0.2.1 NAME'],
      ['address-without-rdns', 'address 192.0.2.2', 'of no instance', 'skyctl ips rdns 192.0.2.2 NAME'],
    ])
  })
})

describe('a rule that can never match', () => {
  const hash = /--if-match \S+$/

  test('is told by its number among just these rules, where it has no label', async ({ skyctl, world, clean }) => {
    const id = web(world, { ports: '22', ipv4: everybody }, { ports: '22' })
    const [found] = findingsOf((await skyctl('audit --code rule-never-matches --json')).stdout)
    expect({ object: found && objectOf(found), command: found?.command.replace(hash, ''), clean }).toEqual({
      object: `firewall ${id} inbound/2`,
      command: `skyctl firewalls rules remove ${id} inbound 2 `,
    })
    expect(found?.reason).toMatch(/^inbound rule 2 /)
    expect((await skyctl(`${found?.command.replace('skyctl ', '')} --dry-run`)).exit).toBe(0)
  })

  test('is one of UDP, or outbound, where only balancers are protected (api.md, Firewall behaviour 4)', async ({
    skyctl,
    world,
    clean,
  }) => {
    const udp = ruleThat({ protocol: 'UDP', ports: '53', label: 'dns' })
    const inbound = [ruleThat({ ports: '80-90' }), ruleThat({ ports: '85', label: 'narrow' }), udp]
    const rules = { ...rulesOf(inbound), outbound: [ruleThat({ label: 'out' })] }
    const ids = ['front', 'mixed', 'spare'].map((label) => world.network.firewall({ label, rules }).id)
    const [front = 0, mixed = 0] = ids
    for (const id of [front, mixed]) world.network.device(id, 'balancer', id === front ? 2001 : 2002)
    world.network.device(mixed, 'compute', 1002)
    const found = findingsOf((await skyctl('audit --code rule-never-matches --json')).stdout)
    const idle = 'does nothing: at a balancer only inbound TCP is judged'
    expect({ found: found.map((one) => [objectOf(one), one.reason]), clean }).toEqual({
      found: [
        [`firewall ${front} inbound/narrow`, expect.stringMatching(/^inbound rule 2 /)],
        [`firewall ${front} inbound/dns`, `inbound rule 3 ${idle}`],
        [`firewall ${front} outbound/out`, `outbound rule 1 ${idle}`],
        ...ids.slice(1).map((id) => [`firewall ${id} inbound/narrow`, expect.stringMatching(/^inbound rule 2 /)]),
      ],
    })
  })
})
