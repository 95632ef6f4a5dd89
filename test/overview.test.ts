/** skyctl overview: its screen, its JSON document and its diagram, also for data that is unknown. */
import { describe, expect } from 'vitest'
import { formatNames } from '../src/output/formats'
import { test as base } from './support/audit-stage'
import { cases, type Lists } from './support/audited-world'
import { ruleSet, rulesOf, ruleThat } from './support/firewall-rules'
import { hostileInLines } from './support/hostile-text'
import { readMermaid } from './support/mermaid-reader'
import type { Result } from './support/skyctl'

const times = { created: '2026-01-01T00:00:00', updated: '2026-01-01T00:00:00' }

const volume = (id: number, more: object = {}) => ({
  ...{ id, label: `data-${id}`, status: 'active', size: 20, region: 'us-east', compute_id: null, compute_label: null },
  ...{ filesystem_path: '/dev/x', hardware_type: 'nvme', tags: [], ...times, ...more },
})

const address = (text: string, compute_id: number | null, more: object = {}) => ({
  ...{ address: text, type: text.includes(':') ? 'ipv6' : 'ipv4', public: true, compute_id, region: 'us-east' },
  ...{ rdns: null, gateway: null, subnet_mask: null, prefix: text.includes(':') ? 64 : 24, ...more },
})

const firewall = (id: number, more: object = {}) => ({
  ...{ id, label: `fw-${id}`, status: 'enabled', tags: [], rules: rulesOf([]), ...times, ...more },
})

const device = (type: string, id: number, label: string | null = null) => ({
  ...{ id: 100 + id, entity: { type, id, label, url: '' }, ...times },
})

const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const web = rulesOf([ruleThat({ ...anyone, ports: '80, 443' }), ruleThat()])

const empty: Lists = {
  '/volumes': [],
  '/networking/ips': [],
  '/networking/vlans': [],
  '/networking/firewalls': [],
  ...Object.fromEntries([1, 2, 3].map((id) => [`/networking/firewalls/${id}/devices`, []])),
}

/** Two regions, a firewall that protects a web server and a balancer, and unassigned resources. */
const small: Lists = {
  ...empty,
  '/volumes': [
    volume(13, { label: 'data', size: 40, compute_id: 7, compute_label: 'web-1' }),
    volume(12, { label: 'old', size: 100, region: 'us-ord' }),
  ],
  '/networking/ips': [
    address('10.0.0.7', 7, { public: false }),
    address('2001:db8::7', 7),
    address('192.0.2.7', 7),
    address('192.0.2.8', 8, { region: 'us-ord' }),
    address('192.0.2.9', null),
    address('2001:db8:1::', 7, { type: 'ipv6/range' }),
  ],
  '/networking/vlans': [{ label: 'backend', region: 'us-east', computes: [7, 9], created: times.created }],
  '/networking/firewalls': [
    firewall(1, { label: 'web', rules: web }),
    firewall(2, { label: 'strict', status: 'disabled' }),
    firewall(3, { label: 'spare' }),
  ],
  '/networking/firewalls/1/devices': [device('compute', 7, 'web-1'), device('balancer', 2, 'front')],
  '/networking/firewalls/2/devices': [device('compute', 8)],
}

interface Stage {
  /** Runs overview for an account of these lists. */
  overview(lists: Lists, flags?: string, columns?: number): Promise<Result>
  overviewJson(lists: Lists): Promise<Document>
}

interface Document {
  counts: Record<string, number | null>
  storage: Record<string, number> | null
  instances: (Record<string, unknown> & { id: number; addresses: { address: string }[] })[]
  balancers: { id: number; protected: boolean | null }[]
  other_services: { type: string }[]
  exposure: (Record<string, unknown> & { networks: string[] })[] | null
  findings: Record<string, number>
  not_read: { part: string; error: { code: string } }[]
  [key: string]: unknown
}

const test = base.extend<Stage>({
  overview: async ({ skyctl, listing }, use) =>
    use(async (lists, flags = '', columns) => {
      const env = await listing(lists)
      return skyctl(`overview ${flags}`, { env, ...(columns !== undefined && { columns }) })
    }),
  overviewJson: async ({ overview }, use) =>
    use(async (lists) => {
      const { exit, stdout } = await overview(lists, '--json')
      expect(exit).toBe(0)
      return JSON.parse(stdout)
    }),
})

describe('the overview screen', () => {
  test('lists resources by region and instance, then exposed and unused ones, and counts', async ({ overview }) => {
    expect(await overview(small)).toEqual({
      exit: 0,
      stderr: '',
      stdout: `us-east  2 instances
  web-1 (7)   web                               192.0.2.7, 2001:db8::7, 2001:db8:1::/64, 10.0.0.7 (private)  data 40 GiB
  instance 9  no firewall
  VLAN backend: web-1, instance 9

us-ord  1 instance
  instance 8  no firewall (strict is disabled)  192.0.2.8

Balancers
  front (2)  web

Exposed
  all traffic  anywhere        no firewall: instance 8
  tcp/80,443   anywhere        rule of web: web-1, front
  tcp/22       203.0.113.0/24  rule of web: web-1, front

Unused
  Detached volumes (1, 100 GiB of 140 GiB): old 100 GiB in us-ord
  Unassigned addresses (1): 192.0.2.9 in us-east
  Firewalls that protect nothing (1): spare (3)
  Firewalls that are not enabled (1): strict (2)

3 instances, 1 balancer, 2 volumes (140 GiB), 6 addresses, 1 VLAN, 3 firewalls
Problems of volumes, addresses and firewalls: 1 high, 1 medium, 7 low. All, with profile, tokens and keys: skyctl audit
`,
    })
  })

  test.for([80, 40])('fits %i columns and prints "no firewall" in words', async (columns, { overview }) => {
    const label = 'a-label-of-thirty-two-characters'
    const many = Array.from({ length: 30 }, (_, index) => volume(100 + index, { compute_id: 7, compute_label: label }))
    const lists = { ...small, '/volumes': [...many, ...(small['/volumes'] ?? [])] }
    const { exit, stdout } = await overview(lists, '--color never', columns)
    expect(exit).toBe(0)
    expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([])
    expect(stdout).toMatch(/^ +(instance 8 +)?no firewall/m)
  })

  test('shows on a terminal as many list items as fit, and the number of the rest', async ({ overview }) => {
    const many = Array.from({ length: 30 }, (_, index) => address(`192.0.2.${100 + index}`, 7))
    const lists = { ...small, '/networking/ips': many }
    const { stdout } = await overview(lists, '--color never', 80)
    expect(stdout).toMatch(/192\.0\.2\.100, 192\.0\.2\.101.* \+\d\d/)
    expect((await overview(lists)).stdout).toContain('192.0.2.129')
  })

  test('of an empty account has only zeros', async ({ overview }) => {
    const { exit, stdout } = await overview(empty)
    const counts = '0 instances, 0 balancers, 0 volumes (0 GiB), 0 addresses, 0 VLANs, 0 firewalls'
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(
        new RegExp(`^Exposed\n  nothing: no inbound traffic is allowed\n\n${counts.replaceAll(/[()]/g, '\\$&')}`),
      ),
    })
  })

  test('has color on a terminal only', async ({ overview }) => {
    const { stdout } = await overview(small, '', 80)
    expect(stdout).toContain('\u001b[31m')
    expect((await overview(small)).stdout).not.toContain('\u001b')
    expect((await overview(small, '--color never', 80)).stdout).not.toContain('\u001b')
  })
})

describe('the overview document', () => {
  test('has each instance with its resources, public addresses first', async ({ overviewJson }) => {
    const { instances, counts, storage } = await overviewJson(small)
    expect(instances.map(({ id, region, protected: is }) => [id, region, is])).toEqual([
      [7, 'us-east', true],
      [9, 'us-east', false],
      [8, 'us-ord', false],
    ])
    expect(instances[0]).toMatchObject({ label: 'web-1', vlans: ['backend'], volumes: [{ id: 13, attached: true }] })
    expect(instances[0]?.addresses.map(({ address }) => address)).toEqual([
      '192.0.2.7',
      '2001:db8::7',
      '2001:db8:1::',
      '10.0.0.7',
    ])
    expect(counts).toEqual({ instances: 3, balancers: 1, volumes: 2, addresses: 6, vlans: 1, firewalls: 3 })
    expect(storage).toEqual({ total_gib: 140, detached_gib: 100, unknown_sizes: 0 })
  })

  test('names for exposed traffic the rule, the policy or the missing firewall', async ({ overviewJson }) => {
    const lists = {
      ...small,
      '/networking/firewalls': [
        firewall(1, { label: 'web', rules: web }),
        firewall(2, { rules: rulesOf([ruleThat({ action: 'DROP', ports: '25', ...anyone })], 'ACCEPT') }),
        firewall(3, { rules: web }),
      ],
    }
    const { exposure } = await overviewJson(lists)
    expect(
      exposure?.map(({ firewall, by, protocols, partly, anywhere }) => [firewall, by, protocols, partly, anywhere]),
    ).toEqual([
      [{ id: 2, label: 'fw-2' }, 'policy', expect.arrayContaining([{ protocol: 'UDP', ports: null }]), true, true],
      [{ id: 1, label: 'web' }, 'rule', [{ protocol: 'TCP', ports: '80,443' }], false, true],
      [{ id: 1, label: 'web' }, 'rule', [{ protocol: 'TCP', ports: '22' }], false, false],
    ])
  })

  test('has the first 20 of many networks, and their number', async ({ overviewJson }) => {
    const ipv4 = Array.from({ length: 30 }, (_, index) => `203.0.113.${2 * index}/32`)
    const lists = { ...small, '/networking/firewalls': [firewall(1, { rules: rulesOf([ruleThat({ ipv4 })]) })] }
    const entry = (await overviewJson(lists)).exposure?.find(({ by }) => by === 'rule')
    expect([entry?.networks.length, entry?.network_count]).toEqual([20, 30])
  })

  test('counts the findings of audit about the same resources', async ({ overviewJson, skyctl, listing }) => {
    const env = await listing(small)
    const own = [
      'port',
      'firewall',
      'instance',
      'balancer',
      'volume',
      'address',
      'rule',
      'large',
      'inbound',
      'outbound',
      'unknown',
      'opening',
    ]
    const { findings } = JSON.parse((await skyctl('audit --json', { env })).stdout)
    const about = findings.filter(({ code }: { code: string }) => own.some((word) => code.includes(word)))
    const count = (severity: string) => about.filter((one: { severity: string }) => one.severity === severity).length
    expect((await overviewJson(small)).findings).toEqual({
      critical: count('critical'),
      high: count('high'),
      medium: count('medium'),
      low: count('low'),
    })
  })
})

describe('a part that the token cannot read', () => {
  test.for([
    ['firewall:read_only', 'firewalls', 'firewalls not read'],
    ['volumes:read_only', 'volumes', 'volumes not read'],
    ['ips:read_only', 'addresses', 'addresses not read'],
    ['computes:read_only', 'vlans', 'VLANs not read'],
  ] as const)(
    'is reported as not read, never as empty: without %s, %s',
    async ([scope, part, text], { skyctl, world }) => {
      const all = [
        'account:read_only',
        'firewall:read_only',
        'volumes:read_only',
        'ips:read_only',
        'computes:read_only',
      ]
      const SKYCTL_TOKEN = world.token(all.filter((one) => one !== scope).join(' '))
      const { exit, stdout, stderr } = await skyctl('overview', { env: { SKYCTL_TOKEN } })
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      expect(stdout).toContain(`\nNot read\n  ${part}: `)
      expect(stdout).toContain(text)
      expect(stdout).not.toMatch(
        part === 'firewalls' ? /no firewall|Exposed/ : new RegExp(`^0 ${part}| 0 ${part}`, 'm'),
      )
      const document: Document = JSON.parse((await skyctl('overview --json', { env: { SKYCTL_TOKEN } })).stdout)
      expect(document.not_read.map((one) => [one.part, one.error.code])).toEqual([[part, 'not_allowed']])
      expect(document.counts[part]).toBeNull()
      if (part === 'firewalls') {
        expect(document.exposure).toBeNull()
        expect(document.instances.map((one) => one.protected)).toEqual(document.instances.map(() => null))
      }
      const diagram = await skyctl('overview -o mermaid', { env: { SKYCTL_TOKEN } })
      expect(diagram.stdout).toContain(`not read: ${part}`)
      expect(diagram.stderr).toContain(`warning: not read: ${part}: `)
      const csv = await skyctl(`overview -o csv --no-headers --columns counts.${part}`, { env: { SKYCTL_TOKEN } })
      expect(csv).toMatchObject({ stdout: '\n', stderr: expect.stringContaining(`warning: not read: ${part}: `) })
    },
  )

  test('is named after another error, too, which decides the exit code', async ({ skyctl, listing }) => {
    const env = await listing({ ...small, '/volumes': [{ ...volume(1), size: 'much' }] })
    const { exit, stdout, stderr } = await skyctl('overview', { env })
    const reason = 'cannot be read: size is a text, not a whole number'
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining(reason) })
    expect(stdout).toContain('us-ord  1 instance')
    expect(stdout).toContain('\nNot read\n  volumes: ')
  })
})

test('a balancer that only grants name has no firewall, and is exposed', async ({ clean: _, world, skyctl }) => {
  cases['balancer-unprotected'].has(world)
  const { balancers, exposure }: Document = JSON.parse((await skyctl('overview --json')).stdout)
  expect(balancers).toMatchObject([{ id: 2001, protected: false, firewalls: [] }])
  expect(exposure?.[0]).toMatchObject({ by: 'no firewall', services: [{ type: 'balancer', id: 2001 }] })
})

describe('overview does not guess:', () => {
  const bare = { ...empty, '/networking/ips': [address('192.0.2.7', 7)] }

  test('services of unknown types are separate, and not instances', async ({ overview, overviewJson }) => {
    const lists = {
      ...bare,
      '/networking/firewalls': [firewall(1, { rules: ruleSet() })],
      '/networking/firewalls/1/devices': [device('compute_interface', 77)],
    }
    expect((await overviewJson(lists)).other_services).toMatchObject([
      { type: 'compute_interface', id: 77, protected: true },
    ])
    expect((await overview(lists)).stdout).toContain(
      'Other services, which may belong to instances\n  compute_interface 77  fw-1\n',
    )
  })

  test('a firewall with an unknown status may be enforced or not', async ({ overview, overviewJson }) => {
    const lists = {
      ...bare,
      '/networking/firewalls': [firewall(1, { status: 'paused' })],
      '/networking/firewalls/1/devices': [device('compute', 7)],
    }
    const { instances, exposure } = await overviewJson(lists)
    expect(instances.map((one) => one.protected)).toEqual([null])
    expect(exposure?.map(({ by, outcome }) => [by, outcome])).toEqual([['status', 'unknown']])
    const { stdout } = await overview(lists)
    expect(stdout).toContain('  instance 7  fw-1 (status paused)  192.0.2.7\n')
    expect(stdout).toContain('  all traffic  perhaps anywhere  status of fw-1: instance 7\n')
    expect(stdout).not.toContain('no firewall')
  })

  test('null lists are empty', async ({ overviewJson }) => {
    const rules = { ...rulesOf([]), inbound: null, outbound: null }
    const lists = { ...bare, '/networking/firewalls': [firewall(1, { rules, tags: null })] }
    expect(await overviewJson(lists)).toMatchObject({ counts: { firewalls: 1, vlans: 0 }, not_read: [] })
  })

  test('an instance that only a VLAN names has no address and no region, and is not exposed', async ({ overview }) => {
    const vlans = [{ label: 'backend', region: 'fr-par', computes: [9], created: times.created }]
    const { stdout } = await overview({ ...empty, '/networking/vlans': vlans })
    expect(stdout).toContain('fr-par  1 instance\n  instance 9  no firewall\n  VLAN backend: instance 9\n')
    expect(stdout).toContain('nothing: no inbound traffic is allowed')
  })

  test('an instance that only a firewall names has no region', async ({ overview }) => {
    const lists = {
      ...empty,
      '/networking/firewalls': [firewall(1)],
      '/networking/firewalls/1/devices': [device('compute', 7, 'web')],
    }
    expect((await overview(lists)).stdout).toContain('region unknown  1 instance\n  web (7)  fw-1\n')
  })

  test('missing fields are neither empty nor zero', async ({ overview, overviewJson }) => {
    const { compute_id: _, size: __, ...unknown } = volume(1)
    const { compute_id: ___, ...unassigned } = address('192.0.2.9', null)
    const { computes: ____, ...vlan } = { label: 'lan', region: 'us-east', computes: [], created: times.created }
    const lists = { ...empty, '/volumes': [unknown], '/networking/ips': [unassigned], '/networking/vlans': [vlan] }
    const document = await overviewJson(lists)
    expect(document).toMatchObject({
      detached_volumes: [{ id: 1, size: null, attached: null }],
      storage: { total_gib: 0, detached_gib: 0, unknown_sizes: 1 },
      vlans: [{ computes: null }],
    })
    const { stdout } = await overview(lists)
    expect(stdout).toContain('VLAN lan: unknown members')
    expect(stdout).toContain('Volumes that may be detached (1): data-1 ? GiB')
    expect(stdout).not.toMatch(/Detached volumes|VLANs without members|null|undefined/)
  })
})

const hostile = [
  'a"]; %%{init: {}}%% end',
  '<b>&amp;</b> #35; `x`',
  'x\\"y\\N\n\u001b[2J\u202e',
  'größe 東京 👩‍👩‍👧',
  '] --> c7',
  '',
]

describe('a diagram', () => {
  test('has a node for each resource, and edges between them', async ({ overview }) => {
    const { exit, stdout, stderr } = await overview(small, '-o mermaid')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { groups, nodes, edges } = readMermaid(stdout)
    expect([...groups.values()]).toEqual(['us-east', 'us-ord'])
    expect(Object.fromEntries([...nodes].map(([id, { label }]) => [id, label]))).toEqual({
      internet: 'Internet',
      networks: 'Some networks',
      c7: 'web-1 (7)\n192.0.2.7\n2001:db8::7\n2001:db8:1::/64\n10.0.0.7 (private)',
      c8: 'instance 8\n192.0.2.8\nno firewall',
      c9: 'instance 9\nno firewall',
      v13: 'data (13)\n40 GiB',
      v12: 'old (12)\n100 GiB\ndetached',
      a0: '192.0.2.9\nunassigned',
      n0: 'VLAN backend',
      f1: 'firewall web (1)',
      f2: 'firewall strict (2)\nstatus disabled',
      f3: 'firewall spare (3)\nprotects nothing',
      b2: 'balancer front (2)',
    })
    expect(edges.map(({ from, to, label }) => [from, to, label])).toEqual([
      ['internet', 'c8', 'all traffic'],
      ['internet', 'f1', 'tcp/80,443'],
      ['networks', 'f1', 'tcp/22 from 203.0.113.0/24'],
      ['f1', 'b2', ''],
      ['f1', 'c7', ''],
      ['f2', 'c8', ''],
      ['c7', 'v13', ''],
      ['c7', 'n0', ''],
      ['c9', 'n0', ''],
    ])
    expect(new Set(edges.map(({ kind }) => kind)).size).toBe(3)
  })

  test('has labels with special characters, escaped if hostile', async ({ overview }) => {
    const volumes = hostile.map((label, index) => volume(1 + index, { label, region: label || 'us-east' }))
    const firewalls = [1, 2, 3].map((id) => firewall(id, { label: hostile[id - 1] ?? '' }))
    const { exit, stdout } = await overview(
      { ...empty, '/volumes': volumes, '/networking/firewalls': firewalls },
      '-o mermaid',
    )
    expect(exit).toBe(0)
    const { nodes, groups } = readMermaid(stdout)
    const escaped = (text: string) => text.replace('\n', '\\n').replace('\u001b', '\\x1b').replace('\u202e', '\\u202e')
    hostile.forEach((label, index) => {
      const name = label === '' ? `${1 + index}` : `${escaped(label)} (${1 + index})`
      expect(nodes.get(`v${1 + index}`)?.label.split('\n')[0]).toBe(name)
      if (label !== '') expect([...groups.values()]).toContain(escaped(label))
    })
    expect(nodes.get('f2')?.label).toContain(hostile[1] ?? '-')
    expect(hostileInLines(stdout.replaceAll('\u200d', ''))).toEqual([])
  })

  test('does not depend on the order of the answers', async ({ overview }) => {
    const more = [volume(14, { compute_id: 7 }), volume(11, { compute_id: 7 })]
    const lan = { label: 'apart', region: 'us-east', computes: [9, 7], created: times.created }
    const lists: Lists = {
      ...small,
      '/volumes': [...more, ...(small['/volumes'] ?? [])],
      '/networking/vlans': [...(small['/networking/vlans'] ?? []), lan],
    }
    const reversed = Object.fromEntries(Object.entries(lists).map(([path, list]) => [path, list.toReversed()]))
    const { stdout } = await overview(lists, '-o mermaid')
    expect((await overview(reversed, '-o mermaid')).stdout).toBe(stdout)
    expect((await overview(lists, '-o mermaid')).stdout).toBe(stdout)
  })

  test('of an empty account is empty', async ({ overview }) => {
    const { stdout } = await overview(empty, '-o mermaid')
    expect(readMermaid(stdout)).toEqual({ groups: new Map(), nodes: new Map(), edges: [] })
  })

  test.for<[string, string]>([
    ['volumes list -o mermaid', `--output: "mermaid" is not one of ${formatNames.join(', ')}`],
    ['overview -o svg', `--output: "svg" is not one of ${formatNames.join(', ')}, mermaid`],
    ['overview -o dot', `--output: "dot" is not one of ${formatNames.join(', ')}, mermaid`],
    ['overview -o rows', `--output: "rows" is not one of ${formatNames.join(', ')}, mermaid`],
    ['overview --json -o mermaid', '--json and --output mermaid contradict each other'],
    ['overview -o mermaid --query instances', '--query and --output mermaid contradict each other'],
    ['overview -o mermaid --no-headers', '--no-headers and --output mermaid contradict each other'],
    ['context update sandbox --default-output mermaid', '--default-output: "mermaid" is not one of'],
  ])('is a format of overview only, without other output flags: %s', async ([line, message], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(line)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(world.requests()).toEqual([])
  })

  test('cannot be selected by SKYCTL_OUTPUT, which is for all commands', async ({ skyctl }) => {
    expect(await skyctl('overview', { env: { SKYCTL_OUTPUT: 'mermaid' } })).toMatchObject({ exit: 2, stdout: '' })
  })

  test('can be selected before the command, too', async ({ skyctl }) => {
    expect((await skyctl('-o mermaid overview')).stdout).toMatch(/^flowchart LR\n/)
    expect((await skyctl('overview -q -o mermaid')).stdout).toMatch(/^flowchart LR\n/)
    expect((await skyctl('overview --output=mermaid', { env: { SKYCTL_OUTPUT: 'json' } })).stdout).toMatch(
      /^flowchart LR\n/,
    )
  })
})

describe('overview in other formats', () => {
  test('has the counts in CSV and TSV', async ({ overview }) => {
    const heads = ['instances', 'balancers', 'volumes', 'addresses', 'vlans', 'firewalls'].map(
      (part) => `counts.${part}`,
    )
    expect((await overview(small, '-o tsv')).stdout).toBe(`${heads.join('\t')}\n3\t1\t2\t6\t1\t3\n`)
    expect((await overview(small, '-o csv --no-headers')).stdout).toBe('3,1,2,6,1,3\n')
  })

  test('has the chosen fields of the document with --columns', async ({ overview }) => {
    const { stdout } = await overview(small, '--columns counts.volumes,storage.detached_gib --json')
    expect(JSON.parse(stdout)).toEqual({ 'counts.volumes': 2, 'storage.detached_gib': 100 })
  })

  test('has every field of the document with --columns all', async ({ overview, overviewJson }) => {
    const { counts, storage, findings, ...others } = await overviewJson(small)
    const { stdout } = await overview(small, '--columns all --json')
    const flat = Object.entries({ counts, storage, findings }).flatMap(([name, fields]) =>
      Object.entries(fields ?? {}).map(([key, value]) => [`${name}.${key}`, value]),
    )
    expect(JSON.parse(stdout)).toEqual({ ...Object.fromEntries(flat), ...others })
  })

  test('has the ids of the instances with --quiet', async ({ overview }) => {
    expect((await overview(small, '--quiet')).stdout).toBe('7\n9\n8\n')
  })

  test.for(['', '--json', '-o yaml', '-q'])('has the same --query result: %s', async (form, { overview }) => {
    const { stdout } = await overview(small, `--query type(instances) ${form}`)
    expect(stdout.trim().replaceAll('"', '')).toBe('array')
  })
})
