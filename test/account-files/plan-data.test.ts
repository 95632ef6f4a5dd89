/** Plans as data for policies and other tools, and their schema (state.md, For teams). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'
import { inLongForm } from '../support/long-form'
import { blocks } from '../support/page-examples'
import { schemaFaults } from '../support/strict-schemas'

const json = (text: string) => JSON.parse(text)

interface Planned {
  kind: string
  name: string
  id: number | string | null
  action?: string
  before?: unknown
  after: unknown
  file: string | null
  line: number | null
}

interface Fixtures {
  /** Returns the JSON plan of a file. */
  planned(
    text: string,
    flags?: string,
  ): Promise<{
    objects: (Planned & { changed: { field: string; file: string; line: number }[] })[]
    unchanged: Planned[]
    consequences: Record<string, unknown>[]
    counts: Record<string, unknown>
    unprotected: { type: string; id: number }[] | null
  }>
}

const test = base.extend<Fixtures>({
  planned: async ({ skyctl, file }, use) =>
    use(async (text, flags = '') => {
      const { exit, stdout, stderr } = await skyctl(`plan ${file('a.yaml', text)} --json ${flags}`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      return json(stdout)
    }),
})

const open = (ports: string, more = '') =>
  `{ action: accept, protocol: tcp, ports: "${ports}", addresses: [0.0.0.0/0] ${more} }`
const guard = (name: string, ...inbound: string[]) =>
  `  ${name}: { rules: { inbound_policy: drop, outbound_policy: accept, inbound: [${inbound.join(', ')}], outbound: [] } }\n`

/** Account file with new, changed, unchanged and renamed objects of every kind. */
const everything = `owner: team
defaults: { region: us-east }
volumes:
  zeta: { size: 30, tags: [db], protect: true }
  attached: { compute_id: 1001 }
  data-1: { size: 50, compute_id: null }
  data-2: {}
  files: { was: database }
firewalls:
  web:
    tags: [edge]
    rules: { inbound: [${open('443')}] }
    devices: { computes: [1001] }
${guard('fresh', open('22')).trimEnd()}
sshkeys:
  extra: { ssh_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3Zc8mYh0p1m0Nn1d0Yt6v2m5vG2m3Xf1q8Yk2WcQ1L me }
rdns: { 192.0.2.11: www.example.com }
profile: { timezone: UTC }
`

describe('the JSON of a plan', () => {
  test.for(['', 'plan.json'])(
    'matches its schema exactly, printed or saved: %j',
    async (saved, { skyctl, file, home, world }) => {
      world.volume({ label: 'old', tags: ['team'] })
      const path = file('a.yaml', everything)
      const out = join(home, saved)
      const { stdout } = await skyctl(`plan ${path} --prune --json ${saved && `--out ${out}`}`)
      const {
        skyctl: version,
        prune,
        settings,
        wanted,
        found,
        digest,
        ...document
      } = json(saved ? readFileSync(out, 'utf8') : stdout)
      const format = saved ? { format_version: 1 } : {}
      expect(schemaFaults('plan', { ...document, ...format })).toBeUndefined()
      expect(schemaFaults('plan', { ...document, ...format, more: 1 })).toBeDefined()
      for (const key of Object.keys(document)) {
        const { [key]: _left, ...rest } = { ...document, ...format }
        expect(schemaFaults('plan', rest), key).toBeDefined()
      }
      expect([version, prune, settings, wanted, found, digest].every((part) => part !== undefined)).toBe(saved !== '')
    },
  )

  test('has each object as it is in the account before and after the apply', async ({ skyctl, planned, world }) => {
    const old = world.volume({ label: 'old', tags: ['team'] })
    const before = inLongForm(json((await skyctl('export volumes firewalls sshkeys rdns profile --json')).stdout))
    const { objects, unchanged } = await planned(everything, '--prune')
    expect(await skyctl('apply - --prune --yes', { stdin: everything })).toMatchObject({ exit: 0 })
    const now = inLongForm(json((await skyctl('export volumes firewalls sshkeys rdns profile --json')).stdout))
    const entryIn = (account: typeof now, { kind, name }: Planned) =>
      name === '' ? account[kind] : account[kind][name]
    for (const one of [...objects, ...unchanged])
      expect({ name: one.name, after: one.after }).toEqual({ name: one.name, after: entryIn(now, one) ?? null })
    const existed = objects.filter(({ action, name }) => action !== 'create' && name !== 'files')
    for (const one of existed) expect(one.before).toEqual(entryIn(before, one))
    const created = objects.filter(({ action }) => action === 'create')
    expect(created.map(({ before }) => before)).toEqual(created.map(() => null))
    expect(objects.find(({ name }) => name === 'files')).toMatchObject({
      was: 'database',
      before: before.volumes.database,
    })
    expect(objects.find(({ name }) => name === 'old')).toMatchObject({
      id: old.id,
      after: null,
      file: null,
      line: null,
    })
    expect(unchanged.map(({ kind, name, id }) => [kind, name, id])).toEqual([['volumes', 'data-2', 3002]])
  })

  test('names the line and the column of each object and of each field that changes', async ({ planned, home }) => {
    const text = 'volumes:\n  data-2:\n    tags: [b]\n    size: 40\n  data-1: {}\n'
    const { objects, unchanged } = await planned(text)
    const path = join(home, 'a.yaml')
    expect(objects).toMatchObject([
      {
        ...{ name: 'data-2', file: path, line: 2, column: 3 },
        changed: [
          { field: 'size', file: path, line: 4, column: 5 },
          { field: 'tags', file: path, line: 3, column: 5 },
        ],
      },
    ])
    expect(unchanged).toMatchObject([{ name: 'data-1', file: path, line: 5, column: 3 }])
  })

  test('leaves out unknown values, and has the defaults of a new volume', async ({ planned, world }) => {
    world.network.firewall({ id: 9100, label: 'odd', status: 'paused', rules: ruleSet(ssh) } as never)
    const { objects } = await planned(
      'volumes: { new: { region: us-east } }\nfirewalls: { odd: { status: disabled, tags: [x] } }',
    )
    expect(objects.map(({ after }) => after)).toMatchObject([
      { size: 20, region: 'us-east', compute_id: null, tags: [] },
      { tags: ['x'], devices: { computes: [], balancers: [] } },
    ])
    for (const side of ['before', 'after'] as const) expect(objects[1]?.[side]).not.toHaveProperty('status')
  })

  test('is sorted by kind and name, whatever the order in the files', async ({ skyctl, file, world }) => {
    for (const label of ['old-b', 'old-a']) world.volume({ label, tags: ['team'] })
    const volumes = ['  b: { region: us-east }', '  a: { region: us-east }', '  data-2: { size: 30 }']
    const firewalls = [guard('two', open('22')), guard('one', open('22'))]
    const texts = [
      `owner: team\nvolumes:\n${volumes.join('\n')}\nfirewalls:\n${firewalls.join('')}`,
      `owner: team\nfirewalls:\n${firewalls.toReversed().join('')}volumes:\n${volumes.toReversed().join('\n')}\n`,
    ]
    for (const flags of ['', '--json', '-q', '--prune', '--prune --json']) {
      const outputs = []
      for (const text of texts) {
        const { exit, stdout } = await skyctl(`plan ${file('a.yaml', text)} ${flags}`)
        expect(exit).toBe(0)
        outputs.push(stdout.replaceAll(/"line": \d+|yaml:\d+/g, ''))
      }
      expect(outputs[0]).toBe(outputs[1])
    }
    const { objects } = json((await skyctl(`plan ${file('a.yaml', texts[0] ?? '')} --prune --json`)).stdout)
    expect(objects.map(({ kind, name }: Planned) => `${kind} ${name}`)).toEqual([
      ...['volumes a', 'volumes b', 'volumes data-2', 'volumes old-a', 'volumes old-b'],
      ...['firewalls one', 'firewalls two'],
    ])
  })

  test('has no changes left after its apply', async ({ skyctl, file, home }) => {
    expect((await skyctl(`plan ${file('a.yaml', everything)} --out ${home}/plan.json`)).exit).toBe(0)
    expect((await skyctl(`apply ${home}/plan.json --yes`)).exit).toBe(0)
    const { exit, stderr } = await skyctl(`apply ${home}/plan.json --yes`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringMatching(/^No changes/) })
  })
})

describe('the consequences of a plan', () => {
  test('have object, size, services and line, and are counted', async ({ planned, home, world }) => {
    world.volume({ id: 3900, label: 'old', size: 70, tags: ['team'] } as never)
    const text =
      'owner: team\nvolumes:\n  new: { size: 60, region: us-east }\n  data-1: { size: 50, compute_id: null }\n' +
      'firewalls:\n  web: { devices: { computes: [1002] } }\n'
    const { consequences, counts } = await planned(text, '--prune')
    const file = join(home, 'a.yaml')
    const data1 = { kind: 'volumes', name: 'data-1', id: 3001 }
    expect(consequences).toEqual([
      {
        ...{ kind: 'cuts off', object: data1, file, line: 4, column: 3, text: expect.any(String) },
        services: [{ type: 'compute', id: 1001, label: 'web-1' }],
      },
      { kind: 'starts billing', object: data1, size: 10, file, line: 4, column: 3, text: expect.any(String) },
      {
        ...{ kind: 'starts billing', object: { kind: 'volumes', name: 'new', id: null } },
        ...{ size: 60, file, line: 3, column: 3, text: expect.any(String) },
      },
      {
        ...{ kind: 'destroys', object: { kind: 'volumes', name: 'old', id: 3900 } },
        ...{ size: 70, file: null, line: null, column: null, text: expect.any(String) },
      },
      {
        ...{ kind: 'unprotects', object: { kind: 'firewalls', name: 'web', id: 4001 }, file, line: 6, column: 3 },
        ...{ services: [{ type: 'compute', id: 1001, label: 'web-1' }], text: expect.any(String) },
      },
    ])
    expect(counts).toEqual({
      ...{ create: 1, update: 2, delete: 1, unchanged: 0 },
      consequences: {
        ...{ 'starts billing': 2, destroys: 1, 'cuts off': 1, opens: 0, unprotects: 1, 'still allowed': 0 },
      },
    })
  })

  test('include each deletion as one that destroys, as the text does', async ({ skyctl, file, world }) => {
    const volume = world.volume({ label: 'old', tags: ['team'] })
    const firewall = world.network.firewall({ label: 'former', tags: ['team'] })
    const path = file('a.yaml', 'owner: team\nvolumes: { data-2: { size: 30 } }\n')
    const { consequences, counts } = json((await skyctl(`plan ${path} --prune --json`)).stdout)
    const destroyed = consequences.filter(({ kind }: { kind: string }) => kind === 'destroys')
    expect(destroyed.map(({ object }: { object: Planned }) => object.id)).toEqual([volume.id, firewall.id])
    expect(counts).toMatchObject({ delete: 2, consequences: { destroys: 2 } })
    expect((await skyctl(`plan ${path} --prune`)).stdout.match(/destroys: /g)).toHaveLength(2)
    expect((await skyctl(`apply ${path} --prune --max-deletes 9 --yes`)).exit).toBe(0)
  })

  test('name the firewall that takes a service over', async ({ planned }) => {
    const text = `firewalls:\n  web: { devices: { computes: [1002] } }\n  fresh: { rules: { inbound_policy: drop, outbound_policy: drop, inbound: [], outbound: [] }, devices: { computes: [1001] } }\n`
    const { consequences, unprotected } = await planned(text)
    expect(consequences).toContainEqual(expect.objectContaining({ kind: 'unprotects', taken_over_by: 'fresh' }))
    expect(unprotected?.filter(({ id }) => id === 1001)).toEqual([])
  })
})

describe('the unprotected services of a plan', () => {
  test('are those without an enabled firewall after the apply, marked if they had one before', async ({
    planned,
    world,
  }) => {
    world.compute({ id: 7001 })
    const { id } = world.network.firewall({ label: 'off', status: 'disabled', rules: ruleSet(ssh) })
    world.network.device(id, 'compute', 7001)
    const idsIn = (some: { id: number }[] | null) => some?.map(({ id }) => id)
    const now = await planned('firewalls: { web: {} }')
    expect(now.unprotected).toContainEqual({
      type: 'compute',
      id: 7001,
      label: expect.anything(),
      was_protected: false,
    })
    expect(idsIn(now.unprotected)).not.toContain(1001)
    const released = await planned('firewalls: { web: { devices: { computes: [1002] } } }')
    expect(released.unprotected).toContainEqual({ type: 'compute', id: 1001, label: 'web-1', was_protected: true })
    expect(idsIn(released.unprotected)?.filter((id) => id !== 1001)).toEqual(idsIn(now.unprotected))
    const enabled = await planned('firewalls: { off: { status: enabled } }')
    expect(idsIn(enabled.unprotected)).not.toContain(7001)
    const disabled = await planned('firewalls: { web: { status: disabled } }')
    expect(idsIn(disabled.unprotected)).toEqual(expect.arrayContaining([1001, 1002, 2001]))
  })

  test('include those of a firewall that --prune deletes', async ({ planned, world }) => {
    world.compute({ id: 7001 })
    const { id } = world.network.firewall({ label: 'old', tags: ['team'], rules: ruleSet(ssh) })
    world.network.device(id, 'compute', 7001)
    const text = 'owner: team\nfirewalls: { web: {} }'
    expect((await planned(text)).unprotected?.map(({ id }) => id)).not.toContain(7001)
    expect((await planned(text, '--prune')).unprotected).toContainEqual(
      expect.objectContaining({ id: 7001, was_protected: true }),
    )
  })

  test('are unknown if the plan reads no firewalls or the token cannot read addresses', async ({
    planned,
    skyctl,
    sandbox,
  }) => {
    expect((await planned('volumes: { data-1: {} }')).unprotected).toBeNull()
    const { stdout } = await skyctl('tokens create --label narrow --scope firewall:read_only -o tsv --query token')
    const { exit, stdout: plan } = await skyctl('plan - --json', {
      stdin: 'firewalls: { web: {} }',
      env: { SKYCTL_TOKEN: stdout.trim(), SKYCTL_BASE_URL: sandbox.baseUrl },
    })
    expect({ exit, unprotected: json(plan).unprotected }).toEqual({ exit: 0, unprotected: null })
  })
})

describe('the open ports of a firewall', () => {
  const world4 = '[0.0.0.0/0]'
  test.for<[what: string, inbound: string[], open: object[]]>([
    ['none', [`{ action: accept, protocol: tcp, ports: 22, addresses: [203.0.113.0/24] }`], []],
    ['adjacent ports', [open('80'), open('81-82')], [{ protocol: 'TCP', from_port: 80, to_port: 82 }]],
    [
      'all ports, except one that an earlier rule drops',
      [
        `{ action: drop, protocol: tcp, ports: 5432, addresses: ${world4} }`,
        `{ action: accept, protocol: tcp, addresses: ${world4} }`,
      ],
      [
        { protocol: 'TCP', from_port: 1, to_port: 5431 },
        { protocol: 'TCP', from_port: 5433, to_port: 65_535 },
      ],
    ],
    [
      'a protocol without ports',
      [`{ action: accept, protocol: icmp, addresses: ${world4} }`],
      [{ protocol: 'ICMP', from_port: null, to_port: null }],
    ],
  ])('are those that are open to every address: %s', async ([, inbound, expected], { planned }) => {
    const { objects } = await planned(`firewalls:\n${guard('fresh', ...inbound)}`)
    const [{ open_to_internet }] = objects as unknown as [{ open_to_internet: object[] }]
    expect(open_to_internet).toHaveLength(expected.length)
    expect(open_to_internet).toMatchObject(expected)
    for (const one of open_to_internet) expect(one).toMatchObject({ families: ['ipv4'] })
  })

  test('are all ports if the policy of the account is unknown', async ({ planned, world }) => {
    const rules = { ...ruleSet(ssh), inbound_policy: 'REJECT' }
    world.network.firewall({ label: 'odd', rules } as never)
    const { objects } = await planned('firewalls: { odd: { tags: [x] } }')
    expect(objects).toMatchObject([
      { open_to_internet: [{ protocol: 'TCP', from_port: 1, to_port: 65_535 }, {}, {}, {}] },
    ])
    expect(objects[0]?.after).not.toHaveProperty('rules.inbound_policy')
  })

  test('are all ports if the policy accepts', async ({ planned }) => {
    const { objects } = await planned('firewalls: { web: { rules: { inbound_policy: accept, inbound: [] } } }')
    const both = { families: ['ipv4', 'ipv6'] }
    expect(objects).toMatchObject([
      {
        open_to_internet: [
          { protocol: 'TCP', from_port: 1, to_port: 65_535, ...both },
          { protocol: 'UDP', from_port: 1, to_port: 65_535, ...both },
          { protocol: 'ICMP', from_port: null, ...both },
          { protocol: 'IPENCAP', from_port: null, ...both },
        ],
      },
    ])
  })
})

/** The queries of docs/policies.md, in their order there. */
const queries = blocks('sh')
  .filter(({ page, text }) => page === 'docs/policies.md' && text.includes('open_to_internet'))
  .flatMap(({ text }) => [...text.matchAll(/--query '([^']+)'/g)].map(([, query = '']) => query))

describe('the policies of the guide', () => {
  const database = 0
  const size = 1
  const protection = 2
  test.for<[policy: number, what: string, text: string, violations: string]>([
    [database, 'a database port', `firewalls:\n${guard('fresh', open('5432'))}`, 'fresh'],
    [database, 'a range with a database port', `firewalls:\n${guard('fresh', open('80, 5000-6000'))}`, 'fresh'],
    [
      database,
      'all ports',
      `firewalls:\n${guard('fresh', `{ action: accept, protocol: tcp, from: anywhere }`)}`,
      'fresh',
    ],
    [database, 'UDP', `firewalls:\n${guard('fresh', open('11211').replace('tcp', 'udp'))}`, 'fresh'],
    [database, 'the policy', 'firewalls: { web: { rules: { inbound_policy: accept, inbound: [] } } }', 'web'],
    [database, 'no database', `firewalls:\n${guard('fresh', open('80, 443'))}`, ''],
    [database, 'another protocol', `firewalls:\n${guard('fresh', open('5432').replace('tcp', 'udp'))}`, ''],
    [database, 'the office', `firewalls:\n${guard('fresh', open('5432').replace('0.0.0.0/0', '203.0.113.0/24'))}`, ''],
    [database, 'no firewalls', 'volumes: { data-1: {} }', ''],
    [
      size,
      'a new volume',
      'volumes: { new: { size: 501, region: us-east }, other: { size: 500, region: us-east } }',
      'new',
    ],
    [size, 'growth', 'volumes: { data-1: { size: 600 }, data-2: {} }', 'data-1'],
    [size, 'small ones', 'volumes: { data-1: { size: 500 } }\nprofile: { timezone: UTC }', ''],
    [protection, 'a service that is released', 'firewalls: { web: { devices: { computes: [1002] } } }', '1001'],
    [protection, 'a firewall that is disabled', 'firewalls: { web: { status: disabled } }', '1001,1002,2001'],
    [protection, 'no service', 'firewalls: { web: { tags: [x] } }', ''],
  ])(
    'print the violations, and [] without any: policy %i, %s',
    async ([policy, , text, violations], { skyctl, file }) => {
      expect(queries).toHaveLength(3)
      // The sandbox has unprotected instances; the guide's query is for accounts without any.
      const query = policy === protection ? `${queries[policy]}[?was_protected].to_string(id)` : queries[policy]
      const path = file('a.yaml', text)
      const { exit, stdout } = await skyctl(['plan', path, '--json', '--query', query ?? ''])
      expect({ exit, violations: json(stdout).toSorted().join() }).toEqual({ exit: 0, violations })
      if (violations === '') expect(stdout).toBe('[]\n')
    },
  )

  test('check the deletions of --prune', async ({ skyctl, file, world, home }) => {
    const former = world.network.firewall({ label: 'former', tags: ['web-team'] })
    world.network.device(former.id, 'compute', 1004)
    const path = file('a.yaml', 'owner: web-team\nvolumes: { data-1: {} }\n')
    const [text = ''] = blocks('sh').flatMap(({ page, text }) =>
      page === 'docs/policies.md' && text.includes('open_to_internet') ? [text] : [],
    )
    const lines = [...text.matchAll(/^skyctl (.*?)(?: --query '(.*)')?$/gm)]
    const outputs: string[] = []
    for (const [, line = '', query] of lines) {
      const words = line.replace('account.yaml', path).replace('plan.json', join(home, 'plan.json')).split(' ')
      const limit = words[0] === 'plan' ? ['--max-deletes', '3'] : []
      const { exit, stdout } = await skyctl([...words, ...limit, ...(query === undefined ? [] : ['--query', query])])
      expect(exit).toBe(0)
      outputs.push(stdout)
    }
    const services = json(outputs[protection + 1] ?? '')
    expect(services).toContainEqual({ type: 'compute', id: 1004, label: 'tiny-1', was_protected: true })
  })

  test('find violations of unchanged objects, too', async ({ skyctl, file, world }) => {
    world.volume({ label: 'huge', size: 900 })
    const rules = ruleSet({ ...ssh, ports: '3306', addresses: { ipv4: ['0.0.0.0/0'] } } as never)
    world.network.firewall({ label: 'lax', rules })
    const path = file('a.yaml', 'volumes: { huge: {} }\nfirewalls: { lax: {} }')
    for (const [policy, name] of [
      [database, 'lax'],
      [size, 'huge'],
    ] as const) {
      const { stdout } = await skyctl(['plan', path, '--json', '--query', queries[policy] ?? ''])
      expect(json(stdout)).toEqual([name])
    }
  })
})
