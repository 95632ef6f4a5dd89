/** Findings of each check: object, reason, and the command that fixes it (docs/audit.md). */
import { describe, expect } from 'vitest'
import type { AuditCode } from '../src/audit/checks'
import type { FirewallRule } from '../src/catalogue/firewall-rules'
import { openingRule } from '../src/firewall/temporary-opening'
import { scopeResources } from '../src/rules/scopes'
import { findingsOf, objectOf, test } from './support/audit-stage'
import {
  app,
  bytes,
  cases,
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

/** A finding: `KIND ID` or `KIND ID PART`, its reason, and the command that fixes it. */
type ExpectedFinding = readonly [object: string, reason: string, command: string]

type FindingCase = readonly [code: AuditCode, what: string, arrange: (world: World) => ExpectedFinding[]]

/** Time of the test clocks. */
const now = '2026-01-15T12:00:00'

const everyAddress = { ipv4: everybody, ipv6: ['::/0'] }

/** Creates a firewall for instance 1001, instead of the current one. */
const web = (world: World, ...rules: Parameters<typeof ruleThat>[0][]) => guard(world, 'web', rules.map(ruleThat))

const openPort = (id: number, part: string, reason: string): ExpectedFinding => [
  `firewall ${id} ${part}`,
  reason,
  `skyctl firewalls rules ${fixOf(id, reason)}`,
]

/** Returns the command for what a reason names: the policy, or one rule with a label. Several are edited. */
function fixOf(id: number, reason: string): string {
  const [, by = ''] = /allowed by (.*?)(?:;|$)/.exec(reason) ?? []
  if (by === 'the inbound policy') return `update ${id} --inbound-policy drop`
  const [, label] = /^inbound rule \d+ "([^"]+)"(?: \([^)]*\))?$/.exec(by) ?? []
  return label === undefined ? `edit ${id}` : `update ${id} inbound label:${label} --from NETWORK`
}

/** Creates a firewall for a balancer; returns its id. */
function guardBalancer(world: World, ...rules: Parameters<typeof ruleThat>[0][]): number {
  const id = guard(world, 'front', rules.map(ruleThat), { compute: 0 })
  world.network.device(id, 'balancer', 2001)
  return id
}

const unprotectedInstance = (id: number, reason: string, command: string): ExpectedFinding => [
  `compute ${id}`,
  `no firewall for ${reason}`,
  `skyctl ${command}`,
]

/** Gives an instance these addresses, each with a name. */
function giveAddresses(world: World, id: number, ...addresses: string[]): void {
  for (const address of addresses) world.network.address({ address, compute_id: id, rdns: 'a.example.net' })
}

/** Ports of docs/audit.md, in the form of the reasons. */
const portsByCode = {
  'admin-port-open': {
    tcp: 'SSH (22), Telnet (23), SMB (445), Docker (2375-2376), Docker Swarm (2377), RDP (3389), Nomad (4646), Asterisk Manager (5038), VNC (5900-5963), WinRM (5985-5986), X11 (6000-6063), Kubernetes (6443), Proxmox (8006), Vault (8200), Ray (8265), Bitcoin RPC (8332), Consul (8500), Ethereum RPC (8545-8546), Jupyter (8888), Portainer (9443), Webmin (10000), kubelet (10250), RabbitMQ management (15672), RCON (25575)',
    udp: 'SNMP (161), IPMI (623)',
  },
  'database-port-open': {
    tcp: 'SQL Server (1433), Oracle (1521), ZooKeeper (2181), etcd (2379-2380), MySQL (3306), PostgreSQL (5432), Kibana (5601), CouchDB (5984), Redis (6379), Neo4j (7474, 7687), InfluxDB (8086), ClickHouse (8123), Solr (8983), Cassandra (9042), Elasticsearch (9200, 9300), Memcached (11211), Redis Sentinel (26379), MongoDB (27017-27019), MySQL X (33060)',
    udp: 'Memcached (11211)',
  },
  'internal-port-open': {
    tcp: 'FTP (21), RPC (111), MSRPC (135), NetBIOS (137-139), LDAP (389, 636), rsync (873), SOCKS (1080), NFS (2049), Squid (3128), RabbitMQ (5672), Kafka (9092), Ollama (11434)',
    udp: 'NFS (2049), VXLAN (4789, 8472)',
  },
  'amplifier-port-open': {
    tcp: '',
    udp: 'QOTD (17), chargen (19), TFTP (69), RPC (111), NetBIOS (137), LDAP (389), SSDP (1900), WS-Discovery (3702), mDNS (5353)',
  },
} as const
const portCodes = Object.keys(portsByCode) as (keyof typeof portsByCode)[]

/** Returns a finding for each protocol that has any of these ports. */
const openPorts = (id: number, code: keyof typeof portsByCode, by: (protocol: string) => string) =>
  (['tcp', 'udp'] as const).flatMap((protocol) =>
    portsByCode[code][protocol] ? [openPort(id, protocol, `${portsByCode[code][protocol]} ${by(protocol)}`)] : [],
  )

const dropAll = (protocol: string, ports?: string) => ({ action: 'DROP', protocol, ports, ...everyAddress })

const createNarrowToken = 'skyctl tokens create --label ci-scoped --scopes-for COMMAND --expiry 90d'

const findingCases: readonly FindingCase[] = [
  [
    'app-write-scopes',
    'names the scopes with write access',
    (world) => {
      const partial = app(world, 'account:read_write volumes:read_only ips:read_write', inDays(1))
      const all = app(world, '*', null)
      app(world, 'account:read_only', null)
      app(world, '*', now)
      return [
        [`app ${partial}`, 'may use account:read_write ips:read_write', `skyctl profile apps revoke ${partial}`],
        [`app ${all}`, 'may use *', `skyctl profile apps revoke ${all}`],
      ]
    },
  ],
  [
    'token-full-scope',
    'is reported for all scopes listed one by one, not for one of them',
    (world) => {
      const id = token(world, { scopes: scopeResources.map((resource) => `${resource}:read_write`).join(' ') })
      token(world, { scopes: 'volumes:read_write' })
      return [[`token ${id}`, 'whoever has it can do everything', createNarrowToken]]
    },
  ],
  [
    'token-never-expires',
    'names the day of creation',
    (world) => {
      const ids = [null, inDays(36_600)].map((expiry) => token(world, { expiry }))
      const reason = 'created on 2026-01-15, valid until it is revoked'
      return ids.map((id) => [`token ${id}`, reason, `skyctl tokens rotate ${id} --expiry 90d`])
    },
  ],
  [
    'token-long-lived',
    'is reported for more than 366 days between creation and expiry',
    (world) => {
      const ids = [367, 700].map((days) => token(world, { expiry: inDays(days) }))
      token(world, { expiry: '2027-01-16T12:00:00' })
      return ids.map((id, place) => [
        `token ${id}`,
        `created on 2026-01-15, valid until ${['2027-01-17', '2027-12-16'][place]}`,
        `skyctl tokens rotate ${id} --expiry 90d`,
      ])
    },
  ],
  [
    'opening-expired',
    "names rule and time, by the service's clock",
    (world) => {
      const [over, left] = ['2026-01-15T12:00:00Z', '2026-01-15T12:00:01Z'].map((until, place) =>
        openingRule(ruleThat({ ports: '22' }), { mark: `${place}`.repeat(16), until: Date.parse(until) }),
      ) as [FirewallRule, FirewallRule]
      const id = guard(world, 'web', [ruleThat({ ports: '443' }), left, over])
      const reason = 'inbound rule 3 should have been removed at 2026-01-15T12:00:00 (UTC)'
      return [[`firewall ${id} opening/0000000000000000`, reason, `skyctl firewalls close ${id} --expired`]]
    },
  ],
  [
    'balancer-unprotected',
    'is reported for a balancer with only disabled firewalls, and suggests enabling one',
    (world) => {
      const id = disable(world, guard(world, 'front', [], { compute: 0 }))
      world.network.device(id, 'balancer', 2001)
      return [['balancer 2001', 'no firewall is enabled for it', `skyctl firewalls enable ${id}`]]
    },
  ],
  [
    'outbound-open',
    'is reported if rules allow all TCP and UDP traffic that the policy drops',
    (world) => {
      const [tcp, udp, icmp] = ['TCP', 'UDP', 'ICMP'].map((protocol) =>
        ruleThat({ protocol, ports: undefined, ...everyAddress }),
      ) as [FirewallRule, FirewallRule, FirewallRule]
      const protect = (label: string, outbound: FirewallRule[], compute: number) => {
        const rules = { ...rulesOf([]), outbound, outbound_policy: 'DROP' as const }
        const { id } = world.network.firewall({ label, rules })
        world.network.device(id, 'compute', compute)
        return id
      }
      protect('no-tcp', [udp, icmp], 1002)
      protect('no-udp', [tcp, icmp], 1003)
      const id = protect('both', [tcp, udp], 1004)
      return [
        [
          `firewall ${id}`,
          'every address and port can be reached from inside with TCP and UDP',
          `skyctl firewalls rules edit ${id}`,
        ],
      ]
    },
  ],
  [
    'token-expires-soon',
    'is exact to the second',
    (world) => {
      const id = token(world, { expiry: '2026-01-29T12:00:00' })
      for (const expiry of [now, '2026-01-29T12:00:01']) token(world, { expiry })
      return [[`token ${id}`, 'expires at 2026-01-29T12:00:00 (UTC)', `skyctl tokens rotate ${id} --expiry 90d`]]
    },
  ],
  [
    'ssh-key-weak',
    'names the weakness',
    (world) => {
      const replace = (label: string) => `skyctl profile sshkeys add --label ${label}-new --file NEW_KEY.pub`
      const dsa = sshKey(world, 'dsa', key('ssh-dss', bytes(1, 128)))
      const short = sshKey(world, 'short', rsa(1024))
      return [
        [`sshkey ${dsa}`, 'it is a DSA key, which OpenSSH no longer accepts', replace('dsa')],
        [`sshkey ${short}`, 'it is an RSA key of 1024 bits, fewer than 2048', replace('short')],
      ]
    },
  ],
  [
    'ssh-key-twice',
    'is reported for each but the first',
    (world) => {
      const [first, ...others] = ['a', 'b', 'c'].map((label) => sshKey(world, label, rsa(3072)))
      return others.map((id) => [
        `sshkey ${id}`,
        `the same key as "a" (${first})`,
        `skyctl profile sshkeys delete ${id}`,
      ])
    },
  ],
  ...portCodes.flatMap((code): FindingCase[] => [
    [
      code,
      'lists every port of docs/audit.md',
      (world) => {
        const all = { ports: undefined, ...everyAddress }
        const id = web(world, all, { ...all, protocol: 'UDP', label: 'all-udp' })
        return openPorts(
          id,
          code,
          (protocol) => `from anywhere, allowed by inbound rule ${protocol === 'tcp' ? '1' : '2 "all-udp"'}`,
        )
      },
    ],
    [
      code,
      'lists every port that the inbound policy opens',
      (world) => {
        const id = guard(world, 'web', [], { policy: 'ACCEPT' })
        return openPorts(id, code, () => 'from anywhere, allowed by the inbound policy')
      },
    ],
    [
      code,
      'ignores ports that a rule drops before the policy accepts them',
      (world) => {
        guard(world, 'web', [dropAll('TCP'), dropAll('UDP')].map(ruleThat), { policy: 'ACCEPT' })
        return []
      },
    ],
    [
      code,
      'ignores a firewall that is disabled or protects nothing',
      (world) => {
        disable(world, guard(world, 'web', [], { policy: 'ACCEPT' }))
        guard(world, 'spare', [], { policy: 'ACCEPT', compute: 0 })
        return []
      },
    ],
    [
      code,
      'lists only TCP ports if only a balancer is protected',
      (world) => {
        const id = guard(world, 'front', [], { policy: 'ACCEPT', compute: 0 })
        world.network.device(id, 'balancer', 2001)
        return openPorts(id, code, () => 'from anywhere, allowed by the inbound policy').slice(
          0,
          portsByCode[code].tcp ? 1 : 0,
        )
      },
    ],
  ]),
  [
    'database-port-open',
    'names the port ranges that the policy opens between rules',
    (world) => {
      const others = [{ ports: '443', ...everyAddress }, { ports: '1500-1600' }, { ports: '5000-5100' }]
      const rules = [dropAll('TCP', '3306'), dropAll('TCP', '6000-65535'), ...others]
      const id = guard(world, 'web', [...rules, dropAll('UDP')].map(ruleThat), { policy: 'ACCEPT' })
      const by = 'from anywhere, allowed by the inbound policy'
      const first = 'SQL Server (1433), Oracle (1521), ZooKeeper (2181), etcd (2379-2380)'
      return [
        openPort(id, 'tcp/444-3305', `${first} ${by}`),
        openPort(id, 'tcp/3307-5999', `PostgreSQL (5432), Kibana (5601), CouchDB (5984) ${by}`),
      ]
    },
  ],
  [
    'admin-port-open',
    'names a rule and the policy that open a port together',
    (world) => {
      const half = { ports: '22', ipv4: ['0.0.0.0/1'], ipv6: ['::/0'], label: 'half' }
      const rest = ['1-21', '23-65535'].map((ports) => dropAll('TCP', ports))
      const id = guard(world, 'web', [half, ...rest, dropAll('UDP')].map(ruleThat), { policy: 'ACCEPT' })
      const reason = 'SSH (22) from anywhere, allowed by inbound rule 1 "half" and the inbound policy'
      return [openPort(id, 'tcp/22', reason)]
    },
  ],
  ...(
    [
      ['media over UDP', { protocol: 'UDP', ports: '10000-20000' }, 'udp/10000-20000', 'Memcached (11211'],
      ['passive FTP', { ports: '30000-40000' }, 'tcp/30000-40000', 'MySQL X (33060'],
    ] as const
  ).flatMap(([what, fields, part, name]): FindingCase[] => [
    [
      'wide-range-open',
      `says that a range for ${what} has only one known port`,
      (world) => {
        const id = web(world, { ...fields, ...everyAddress })
        const range = fields.ports
        return [
          openPort(id, part, `${name}, the only known port in ${range}) from anywhere, allowed by inbound rule 1`),
        ]
      },
    ],
    [
      'database-port-open',
      `ignores a range for ${what} that has only one known port`,
      (world) => {
        web(world, { ...fields, ...everyAddress })
        return []
      },
    ],
  ]),
  [
    'wide-range-open',
    'ignores ranges of 100 ports, those with two known ports, and those without one',
    (world) => {
      web(
        world,
        { protocol: 'UDP', ports: '11200-11299', ...everyAddress },
        { protocol: 'UDP', ports: '100-400', ...everyAddress },
        { protocol: 'UDP', ports: '27015-27030,20000-30000', ...everyAddress },
        { ports: '27010-27200', ...everyAddress },
      )
      return []
    },
  ],
  [
    'database-port-open',
    'counts every port of MongoDB in a wide range',
    (world) => {
      const id = web(
        world,
        { ports: '27010-27200', ...everyAddress },
        { protocol: 'UDP', ports: '11200-11299', ...everyAddress },
      )
      const by = 'from anywhere, allowed by inbound rule'
      return [
        openPort(id, 'tcp/27010-27200', `MongoDB (27017-27019) ${by} 1`),
        openPort(id, 'udp/11200-11299', `Memcached (11211) ${by} 2`),
      ]
    },
  ],
  [
    'large-network-open',
    'names the size of the networks, unless everybody is allowed',
    (world) => {
      const id = web(
        world,
        { ports: '22', ipv4: ['8.0.0.0/9', '8.128.0.0/9'], ipv6: ['2600::/19'], label: 'cloud' },
        { ports: '3306', ipv4: ['64.0.0.0/3'], ipv6: ['2600::/21'] },
        { ports: '5432', ipv4: ['64.0.0.0/3'], ipv6: ['::/0'] },
        { ports: '6379', ipv4: ['8.0.0.0/9', '10.0.0.0/8'], ipv6: ['2600::/21', 'fc00::/7'] },
      )
      const both = 'as many IPv4 addresses as a /8 and as many IPv6 addresses as a /19'
      return [
        openPort(id, 'tcp/3306', 'MySQL (3306) from as many IPv4 addresses as a /3, allowed by inbound rule 2'),
        openPort(id, 'tcp/22', `SSH (22) from ${both}, allowed by inbound rule 1 "cloud"`),
      ]
    },
  ],
  [
    'admin-port-open',
    "names the port range of the rule's entry",
    (world) => {
      const id = web(world, { ports: '80, 22, 3000-4000', ipv4: everybody })
      return [
        openPort(id, 'tcp/22', 'SSH (22) from any IPv4 address, allowed by inbound rule 1'),
        openPort(id, 'tcp/3000-4000', 'RDP (3389) from any IPv4 address, allowed by inbound rule 1'),
      ]
    },
  ],
  [
    'admin-port-open',
    'names all rules that open the port',
    (world) => {
      const id = web(
        world,
        { ports: '443', ipv4: everybody },
        { ports: '20-23', ipv4: everybody },
        { ports: '20-23', ipv4: [], ipv6: ['::/0'] },
      )
      return [openPort(id, 'tcp/20-23', 'SSH (22), Telnet (23) from anywhere, allowed by inbound rules 2, 3')]
    },
  ],
  [
    'admin-port-open',
    'omits rules that allow only a small part',
    (world) => {
      const id = web(
        world,
        { ports: '22', ipv4: ['8.8.8.8/32'] },
        { ports: '22', ipv4: ['8.0.0.0/8'] },
        { ports: '20-23', ipv4: everybody },
      )
      return [openPort(id, 'tcp/20-23', 'SSH (22), Telnet (23) from any IPv4 address, allowed by inbound rule 3')]
    },
  ],
  [
    'admin-port-open',
    'names the share of public addresses, from a quarter on',
    (world) => {
      const id = web(
        world,
        { action: 'DROP', ports: '23', ipv4: ['0.0.0.0/2'], ipv6: ['::/0'] },
        { ports: '22-23', ipv4: everybody },
        { ports: '445', ipv4: ['128.0.0.0/1'], ipv6: ['::/0'] },
        { ports: '3389', ipv4: [], ipv6: ['2000::/5'] },
        { ports: '5900', ipv4: [], ipv6: ['::/0'] },
        { ports: '6443', ipv4: ['64.0.0.0/3', '96.0.0.0/4'] },
      )
      const by = 'allowed by inbound rule'
      return [
        openPort(id, 'tcp/22-23', `SSH (22), Telnet (23) from any IPv4 address and 71 % of IPv4, ${by} 2`),
        openPort(id, 'tcp/445', `SMB (445) from 43 % of IPv4 and 100 % of IPv6, ${by} 3`),
        openPort(id, 'tcp/3389', `RDP (3389) from 25 % of IPv6, ${by} 4`),
        openPort(id, 'tcp/5900', `VNC (5900) from any IPv6 address, ${by} 5`),
      ]
    },
  ],
  [
    'admin-port-open',
    'lists UDP ports if an instance is protected besides a balancer',
    (world) => {
      const id = guardBalancer(world, { protocol: 'UDP', ports: '161', ...everyAddress })
      world.network.device(id, 'compute', 1002)
      return [openPort(id, 'udp/161', 'SNMP (161) from anywhere, allowed by inbound rule 1')]
    },
  ],
  [
    'unknown-protocol-open',
    'names the rule, unless the firewall is disabled',
    (world) => {
      const all = { protocol: 'ALL', ports: undefined, ...everyAddress }
      const id = web(world, { ports: '443' }, all)
      disable(world, guard(world, 'off', [ruleThat(all)], { compute: 1002 }))
      return [openPort(id, 'all', 'protocol ALL from everybody, allowed by inbound rule 2')]
    },
  ],
  [
    'rule-not-judged',
    'names the part that cannot be judged, unless the firewall is disabled',
    (world) => {
      const strange = { ports: undefined, ipv4: ['203.0.113.0/24', 'pl:cdn'] }
      const id = web(world, { ports: '443' }, strange, { ports: 'ssh' }, { ipv4: [] })
      disable(world, guard(world, 'off', [ruleThat(strange)], { compute: 1002 }))
      const finding = (number: number, reason: string): ExpectedFinding => [
        `firewall ${id} inbound/${number}`,
        `inbound rule ${number}: ${reason}`,
        `skyctl firewalls rules edit ${id}`,
      ]
      return [
        finding(2, '"pl:cdn" is neither an address nor a network'),
        finding(3, 'its ports "ssh" are invalid'),
        finding(4, 'it has no addresses'),
      ]
    },
  ],
  [
    'instance-unprotected',
    'names the addresses, and ignores protected instances',
    (world) => {
      giveAddresses(world, 1002, '192.0.2.2')
      giveAddresses(world, 1003, '192.0.2.3', '2001:db8::3')
      giveAddresses(world, 1004, '192.0.2.4', '2001:db8::4', '2001:db8::5')
      const add = (id: number) => `firewalls devices add FIREWALL --compute-id ${id}`
      return [
        unprotectedInstance(1002, '192.0.2.2', add(1002)),
        unprotectedInstance(1003, '192.0.2.3 and 1 other address', add(1003)),
        unprotectedInstance(1004, '192.0.2.4 and 2 other addresses', add(1004)),
      ]
    },
  ],
  [
    'instance-unprotected',
    'suggests enabling the disabled firewall of the instance',
    (world) => {
      giveAddresses(world, 1002, '192.0.2.2')
      disable(world, guard(world, 'another', [], { compute: 1003 }))
      const id = disable(world, guard(world, 'own', [], { compute: 1002 }))
      return [unprotectedInstance(1002, '192.0.2.2', `firewalls enable ${id}`)]
    },
  ],
  [
    'instance-unprotected',
    'does not suggest enabling a firewall that conflicts with another one (api.md, Firewall behaviour 3)',
    (world) => {
      giveAddresses(world, 1002, '192.0.2.2')
      const id = guard(world, 'own', [], { compute: 1002 })
      world.network.device(id, 'compute', 1001)
      disable(world, id)
      return [unprotectedInstance(1002, '192.0.2.2', 'firewalls devices add FIREWALL --compute-id 1002')]
    },
  ],
  [
    'instance-unprotected',
    'suggests a new firewall if none protects an instance',
    (world) => {
      for (const { id } of world.network.firewalls.all()) world.network.firewalls.delete(id)
      guardBalancer(world)
      const create = 'firewalls create --label compute-1001 --file RULES_FILE --compute-id 1001'
      return [unprotectedInstance(1001, '192.0.2.1', create)]
    },
  ],
  [
    'instance-unprotected',
    'is reported even if a balancer with the same id has a firewall',
    (world) => {
      world.balancers.add({ id: 1002, label: 'front', region: 'us-east' })
      world.network.device(guardBalancer(world), 'balancer', 1002)
      giveAddresses(world, 1002, '192.0.2.2')
      return [unprotectedInstance(1002, '192.0.2.2', 'firewalls devices add FIREWALL --compute-id 1002')]
    },
  ],
  [
    'address-without-rdns',
    "suggests the name of the instance's other address, unless it is the default name",
    (world) => {
      world.network.address({ address: '2001:db8::1', compute_id: 1001 })
      world.network.address({ address: '192.0.2.2', compute_id: 1002 })
      world.network.address({ address: '2001:db8::2', compute_id: 1002 })
      return [
        ['address 2001:db8::1', 'belongs to compute 1001', 'skyctl ips rdns 2001:db8::1 www.example.net'],
        ['address 2001:db8::2', 'belongs to compute 1002', 'skyctl ips rdns 2001:db8::2 NAME'],
      ]
    },
  ],
  [
    'rule-never-matches',
    'is reported for rules with only addresses that no packet has',
    (world) => {
      const wrong = { ports: '80', ipv4: ['0.0.0.0/32'], ipv6: ['ff00::/8'], label: 'wrong' }
      const id = web(world, wrong, { ports: '81', ipv4: ['0.0.0.0/32', '192.0.2.0/24'] })
      const reason = 'inbound rule 1 matches nothing: no packet comes from 0.0.0.0/32 or ff00::/8'
      return [[`firewall ${id} inbound/wrong`, reason, `skyctl firewalls rules remove ${id} inbound label:wrong`]]
    },
  ],
  [
    'inbound-policy-accept',
    'names the undecided protocols, unless the firewall is disabled',
    (world) => {
      const id = guard(world, 'web', [ruleThat(dropAll('UDP'))], { policy: 'ACCEPT' })
      disable(world, guard(world, 'off', [], { policy: 'ACCEPT', compute: 1002 }))
      const reason = 'the inbound policy is ACCEPT, and decides about TCP, ICMP, IPENCAP'
      return [[`firewall ${id}`, reason, `skyctl firewalls rules update ${id} --inbound-policy drop`]]
    },
  ],
  [
    'firewall-disabled',
    'names the unprotected services',
    (world) => {
      const id = disable(world, guard(world, 'off', [], { compute: 1002 }))
      world.network.device(id, 'balancer', 2001)
      disable(world, guard(world, 'spare', [], { compute: 0 }))
      const reason = 'does not protect compute "web-2", balancer "front-1"'
      return [[`firewall ${id}`, reason, `skyctl firewalls enable ${id}`]]
    },
  ],
  [
    'firewall-disabled',
    'names the only service that another firewall protects, and suggests removing it',
    (world) => {
      world.balancers.add({ id: 1001, label: 'twin', region: 'us-east' })
      const id = guard(world, 'off', [], { compute: 1002 })
      const deviceId = world.network.device(id, 'compute', 1001).id
      world.network.device(id, 'balancer', 1001)
      disable(world, id)
      const [web] = world.network.firewalls.all()
      world.network.device(web?.id ?? 0, 'compute', 1003)
      const reason =
        'does not protect compute "web-2", compute "web-1", balancer "twin"; another firewall protects only compute "web-1"'
      return [[`firewall ${id}`, reason, `skyctl firewalls devices delete ${id} ${deviceId}`]]
    },
  ],
  [
    'firewall-disabled',
    'suggests removing all services if other firewalls protect them',
    (world) => {
      const id = guard(world, 'off', [], { compute: 1001 })
      disable(world, id)
      const device = world.network.devices.all().find(({ firewall }) => firewall === id)
      const reason = 'does not protect compute "web-1"; another firewall does'
      return [[`firewall ${id}`, reason, `skyctl firewalls devices delete ${id} ${device?.id}`]]
    },
  ],
  [
    'rule-budget',
    'counts inbound and outbound rules together',
    (world) => {
      const rules = { ...rulesOf(many(10)), outbound: many(10) }
      const { id } = world.network.firewall({ label: 'full', rules })
      return [[`firewall ${id}`, '20 of 25 rules are used', `skyctl firewalls rules edit ${id}`]]
    },
  ],
  [
    'address-budget',
    'names a rule by its label if that is unique, otherwise by its number',
    (world) => {
      const rule = (label?: string, count = 204) => ({
        ...ruleThat({ ipv4: networks(count) }),
        ...(label && { label }),
      })
      const rules = { ...rulesOf([rule('twin'), rule('twin', 1), rule('own')]), outbound: [rule('one', 1), rule()] }
      const { id } = world.network.firewall({ label: 'wide', rules })
      const reason = '204 of 255 addresses are used'
      return ['inbound/1', 'inbound/own', 'outbound/2'].map((part) => openPort(id, part, reason))
    },
  ],
]

describe('a finding', () => {
  test.for(findingCases)('%s %s', async ([code, , arrange], { skyctl, world, clean }) => {
    const expected = arrange(world)
    const findings = findingsOf((await skyctl(`audit --code ${code} --json`)).stdout)
    const reasonOf = ({ reason }: (typeof findings)[number]) => reason.replace(/; gives away .*$/, '')
    expect({ findings: findings.map((one) => [objectOf(one), reasonOf(one), one.command]), clean }).toEqual({
      findings: expected,
    })
  })
})

test.for([
  ['admin-port-open', '2375', 'gives away root on the host'],
  ['database-port-open', '2000-6500', 'gives away configuration of a cluster and data'],
  ['internal-port-open', '3128', 'gives away your address for the traffic of others'],
])('%s names what port %s gives away', async ([code, ports, words = ''], { skyctl, world, clean }) => {
  web(world, { ports, ...everyAddress })
  const [finding] = findingsOf((await skyctl(`audit --code ${code} --json`)).stdout)
  expect({ reason: finding?.reason, clean }).toEqual({ reason: expect.stringContaining(`; ${words}`) })
})

describe('an instance', () => {
  test('has the name that volumes and firewalls have, not that of a balancer with its id', async ({
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
    world.network.device(guardBalancer(world), 'balancer', 1003)
    guard(world, 'own', [], { compute: 1004 })
    const { stdout } = await skyctl('audit --json')
    const of = (code: AuditCode) => findingsOf(stdout).filter((one) => one.code === code)
    expect({ reasons: of('address-without-rdns').map(({ reason }) => reason), clean }).toEqual({
      reasons: [
        'belongs to compute "web-1"',
        'belongs to compute "web-2"',
        'belongs to compute 1003',
        'belongs to compute "tiny-1"',
      ],
    })
    expect(of('instance-unprotected').map(({ object }) => object)).toEqual([
      { kind: 'compute', id: 1002, label: 'web-2', part: null },
      { kind: 'compute', id: 1003, label: null, part: null },
    ])
  })

  test('can be missing: unassigned addresses are reported, private ones are not', async ({ skyctl }) => {
    const defaults = {
      gateway: null,
      prefix: 24,
      region: 'us-east',
      subnet_mask: null,
      type: 'ipv4',
      vpc_nat_1_1: null,
    }
    const data = [
      { ...defaults, address: '192.0.2.1', compute_id: null, public: true, rdns: null },
      // Missing fields are unknown.
      { ...defaults, address: '192.0.2.2', public: true, rdns: null },
      { ...defaults, address: '192.0.2.4', public: true, compute_id: null },
      // An unassigned address has no other address of its instance.
      { ...defaults, address: '192.0.2.3', compute_id: null, public: true, rdns: 'mail.example.net' },
      { ...defaults, address: '192.168.128.2', compute_id: 1002, public: false, rdns: null },
    ]
    const { env } = await faultServer((socket, { path }) => {
      const list = path.includes('/ips') ? data : []
      reply(200, { data: list, page: 1, pages: 1, results: list.length })(socket, {
        method: '',
        path,
        headers: {},
        body: '',
      })
    })
    const { stdout } = await skyctl('audit --code instance-unprotected,address-without-rdns --json', {
      env,
    })
    expect(findingsOf(stdout).map((one) => [one.code, objectOf(one), one.reason, one.command])).toEqual([
      ['address-without-rdns', 'address 192.0.2.1', 'belongs to no instance', 'skyctl ips rdns 192.0.2.1 NAME'],
      ['address-without-rdns', 'address 192.0.2.2', 'belongs to an unknown instance', 'skyctl ips rdns 192.0.2.2 NAME'],
    ])
  })
})

describe('a token', () => {
  test('of this audit is replaced by one with fewer scopes, not rotated', async ({ skyctl, world, clean, env }) => {
    env.SKYCTL_TOKEN = world.token('*')
    const { id, label } = world.tokens.all().at(-1) ?? { id: 0, label: '' }
    const findings = findingsOf((await skyctl('audit --code token-full-scope --json')).stdout)
    expect({ findings, clean }).toMatchObject({
      findings: [
        {
          object: { kind: 'token', id, label },
          reason: 'whoever has it can do everything; this audit uses it',
          command: `skyctl tokens create --label ${label}-scoped --scopes-for COMMAND --expiry 90d`,
          alternatives: ['skyctl auth login'],
        },
      ],
    })
  })

  test('of this audit is rotated into a file, unless a context stores the new one', async ({
    skyctl,
    sandbox,
    world,
    env,
    clean,
  }) => {
    const old = world.token('*')
    const { id } = world.tokens.all().at(-1) ?? { id: 0 }
    const commandsWith = async (own: Record<string, string | undefined>) => {
      const { stdout } = await skyctl('audit --code token-never-expires --json', { env: own })
      return findingsOf(stdout).map((finding) => [finding.command, ...finding.alternatives])
    }
    const rotate = `skyctl tokens rotate ${id} --expiry 90d`
    const fromEnvironment = { ...env, SKYCTL_TOKEN: old }
    expect({ commands: await commandsWith(fromEnvironment), clean }).toEqual({
      commands: [[`${rotate} --output-file FILE`, `${rotate} --keep-old 24h`]],
    })
    for (const dry of ['', ' --dry-run'])
      expect(await skyctl(`tokens rotate ${id} --expiry 90d --yes${dry}`, { env: fromEnvironment })).toMatchObject({
        exit: 2,
      })
    const fromContext = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
    await skyctl(login, { stdin: old, env: fromContext })
    expect(await commandsWith(fromContext)).toEqual([[rotate, `${rotate} --keep-old 24h`]])
  })

  test('with a successor has a list and a revocation as fixes, not a rotation', async ({ skyctl, world, clean }) => {
    const mark = ' (superseded until 2026-01-16T10:00Z)'
    const id = token(world, { scopes: '*', expiry: null, label: `ci${mark}` })
    const { stdout } = await skyctl('audit --code token-full-scope,token-never-expires --json')
    const revocation = { command: 'skyctl tokens list --superseded', alternatives: [`skyctl tokens revoke ${id}`] }
    expect({ findings: findingsOf(stdout), clean }).toMatchObject({ findings: [revocation, revocation] })
  })

  test('gets a new label of at most 100 characters', async ({ skyctl, world, clean }) => {
    token(world, { scopes: '*', label: 'x'.repeat(100) })
    const [finding] = findingsOf((await skyctl('audit --code token-full-scope --json')).stdout)
    expect({ command: finding?.command, clean }).toEqual({
      command: `skyctl tokens create --label renamed-scoped --scopes-for COMMAND --expiry 90d`,
    })
  })
})

describe('a command that destroys something', () => {
  const destroys = / (delete|revoke) /

  test('is never the only fix of a finding', async ({ skyctl, world, clean }) => {
    // The omitted case acts as a user who may not read the objects of the others.
    for (const [code, { has }] of Object.entries(cases)) if (code !== 'balancer-unprotected') has(world)
    const all = findingsOf((await skyctl('audit --json')).stdout)
    const fixes = all.map(({ code, command, alternatives }) => ({ code, commands: [command, ...alternatives] }))
    const codesWhere = (test: (lines: string[]) => boolean) =>
      [...new Set(fixes.flatMap((one) => (test(one.commands) ? [one.code] : [])))].toSorted()
    expect({ some: codesWhere((lines) => lines.some((line) => destroys.test(line))), clean }).toEqual({
      some: [
        ...['app-write-scopes', 'firewall-disabled', 'firewall-unused', 'ssh-key-twice'],
        ...['ssh-key-weak', 'token-full-scope', 'volume-unattached'],
      ],
    })
    expect(codesWhere((lines) => lines.every((line) => destroys.test(line)))).toEqual([])
  })
})

describe('an unknown value', () => {
  const device = (type: string) => ({
    ...{ id: 1, created: now, updated: now },
    entity: { id: 7, label: null, type, url: '/v4/x/7' },
  })
  const firewall = (status: string) => ({
    ...{ id: 9, label: 'web', status, tags: [], created: now, updated: now },
    rules: rulesOf([ruleThat({ ports: '22', ...everyAddress, label: 'ssh' })]),
  })
  const address = {
    ...{ address: '192.0.2.1', compute_id: 1001, public: true, rdns: 'a.example.net', gateway: null, prefix: 24 },
    ...{ region: 'us-east', subnet_mask: null, type: 'ipv4', vpc_nat_1_1: null },
  }
  const lists = (status: string, type: string) => ({
    '/networking/firewalls': [firewall(status)],
    '/networking/firewalls/9/devices': [device(type)],
    '/networking/ips': [address],
  })
  const codes = 'audit --code admin-port-open,instance-unprotected --json'

  test.for([
    ['enabled', true],
    ['pending', true],
    ['disabled', false],
    ['deleted', false],
  ] as const)(
    'of the status of a firewall means that it may decide about traffic: %s: %s',
    async ([status, isReported], { skyctl, listing }) => {
      const { stdout } = await skyctl(codes, { env: await listing(lists(status, 'compute')) })
      expect(findingsOf(stdout).some(({ code }) => code === 'admin-port-open')).toBe(isReported)
    },
  )

  test('of the kind of a service is named as a possible protection of an instance', async ({ skyctl, listing }) => {
    const { stdout } = await skyctl(codes, { env: await listing(lists('enabled', 'compute_interface')) })
    expect(findingsOf(stdout).map(({ code, reason }) => [code, reason])).toEqual([
      ['admin-port-open', 'SSH (22) from anywhere, allowed by inbound rule 1 "ssh"; gives away a shell'],
      [
        'instance-unprotected',
        'no firewall for 192.0.2.1; firewalls protect 1 service of other kinds, which may belong to it',
      ],
    ])
  })
})

describe('a rule that never matches', () => {
  const hash = /--if-match \S+$/

  test('is named by its number and a hash of the rules if it has no label', async ({ skyctl, world, clean }) => {
    const id = web(world, { ports: '22', ipv4: everybody }, { ports: '22' })
    const [finding] = findingsOf((await skyctl('audit --code rule-never-matches --json')).stdout)
    expect({ object: finding && objectOf(finding), command: finding?.command.replace(hash, ''), clean }).toEqual({
      object: `firewall ${id} inbound/2`,
      command: `skyctl firewalls rules remove ${id} inbound 2 `,
    })
    expect(finding?.reason).toMatch(/^inbound rule 2 /)
    expect((await skyctl(`${finding?.command.replace('skyctl ', '')} --dry-run`)).exit).toBe(0)
  })

  test('is UDP or outbound if only balancers are protected (api.md, Firewall behaviour 4)', async ({
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
    const findings = findingsOf((await skyctl('audit --code rule-never-matches --json')).stdout)
    const hasNoEffect = 'does nothing: firewalls filter only inbound TCP for balancers'
    const isShadowed = expect.stringMatching(/^inbound rule 2 .*rule 1\b/)
    expect({ findings: findings.map((one) => [objectOf(one), one.reason]), clean }).toEqual({
      findings: [
        [`firewall ${front} inbound/narrow`, isShadowed],
        [`firewall ${front} inbound/dns`, `inbound rule 3 ${hasNoEffect}`],
        [`firewall ${front} outbound/out`, `outbound rule 1 ${hasNoEffect}`],
        ...ids.slice(1).map((id) => [`firewall ${id} inbound/narrow`, isShadowed]),
      ],
    })
  })
})
