/** The account as a file: what it may say, what is planned, and what apply makes of it (state.md). */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { withoutHeader } from './support/account-files'
import { between } from './support/between'
import { ruleSet, ssh, web } from './support/firewall-rules'
import type { World } from './support/sandbox'
import { test as base } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')

interface Files {
  /** Writes a file below the home, and gives its path. */
  file(name: string, text: string): string
}

const test = base.extend<Files>({
  file: async ({ home }, use) =>
    use((name, text) => {
      const path = join(home, name)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, text)
      return path
    }),
})

/** What is wrong, without the folder of the test and without the summary. */
const problems = (stderr: string, home: string) =>
  lines(stderr.replaceAll(`${home}/`, '').replaceAll('skyctl: ', '')).slice(0, -1)

describe('a file', () => {
  const wrong: [what: string, text: string, problem: string, exit?: number][] = [
    ['a key that is none', 'volumes: {}\nfirewals: {}', 'a.yaml:2: firewals: unknown key. Did you mean "firewalls"?'],
    [
      'a key of an object that is none',
      'volumes:\n  data:\n    sise: 20',
      'a.yaml:3: volumes.data.sise: unknown key. Did you mean "size"?',
    ],
    [
      'a value of another type',
      'volumes:\n  data:\n    size: big',
      'a.yaml:3: volumes.data.size: Must be an integer, not a text',
    ],
    [
      'a label that no volume can have',
      `volumes:\n  ${'x'.repeat(33)}: {}`,
      `a.yaml:2: volumes.${'x'.repeat(33)}: Must be 1-32 characters`,
    ],
    ['a list for an object', 'volumes:\n  - data', 'a.yaml:1: volumes: Must be an object, not a list'],
    ['an owner that is no tag', 'owner: [me]', 'a.yaml:1: owner: Must be a tag'],
    [
      'a default that there is none of',
      'defaults: { zone: a }',
      'a.yaml:1: defaults.zone: unknown key. The keys are: region',
    ],
    ['an address that is none', 'rdns:\n  www: a.example.com', 'a.yaml:2: rdns.www: Must be an IPv4 or IPv6 address'],
    [
      'a key file that is not there',
      'sshkeys:\n  k: { file: none.pub }',
      'a.yaml:2: sshkeys.k.file: cannot read "none.pub": no such file',
      12,
    ],
    [
      'a private key',
      'sshkeys:\n  k: { ssh_key: "-----BEGIN OPENSSH PRIVATE KEY-----" }',
      'a.yaml:2: sshkeys.k.ssh_key: Must be a public key; this is a private one',
    ],
  ]

  test.for(wrong)(
    'is refused with its line before anything is asked: %s',
    async ([, text, problem, code = 2], { skyctl, file, home, world }) => {
      const { exit, stdout, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ exit, stdout, problems: problems(stderr, home) }).toEqual({
        exit: code,
        stdout: '',
        problems: [problem],
      })
      expect(world.requests()).toEqual([])
    },
  )

  test('tells all that is wrong at once, as JSON too', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes:\n  a: { size: 0 }\n  b: { size: x }\n')
    const { exit, stderr } = await skyctl(`apply ${path} --yes --json`)
    expect(exit).toBe(2)
    expect(json(stderr).error.failures.map(({ target }: { target: string }) => target)).toEqual([
      `${path}:2`,
      `${path}:3`,
    ])
  })

  test('of several in a folder names an object once, and the other place is told', async ({ skyctl, file, home }) => {
    for (const name of ['one', 'two']) file(`all/${name}.yaml`, '\nvolumes:\n  data: {}\n')
    const { exit, stderr } = await skyctl(`plan ${home}/all`)
    expect({ exit, problems: problems(stderr, home) }).toEqual({
      exit: 2,
      problems: ['all/two.yaml:3: volumes.data: is already in all/one.yaml:3'],
    })
  })

  test('may be a folder, of which YAML and JSON files are read', async ({ skyctl, file, home, world }) => {
    for (const label of ['a', 'b', 'c']) world.volume({ label })
    file('account/1.yaml', 'volumes: { a: {} }')
    file('account/2.json', '{"volumes": {"b": {}}}')
    file('account/README.md', 'volumes: { c: {} }')
    expect((await skyctl(`plan ${home}/account`)).stdout).toBe('No changes; 2 unchanged\n')
  })

  test('has the names that were typed, also where YAML would read a number', async ({ skyctl, file, world }) => {
    for (const label of ['007', '1.10', '1e3', 'null']) world.volume({ label })
    const text = 'volumes:\n  007: {}\n  1.10: {}\n  1e3: {}\n  null: {}\n'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 4 unchanged\n')
  })

  test('that a file names is read from beside it, and its mistakes have its lines', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    world.network.firewall({ label: 'web' })
    file(
      'account/rules/web.yaml',
      'inbound_policy: drop\ninbound:\n  - action: let\n    protocol: tcp\n    ports: 080\n    addresses: { ipv4: [0.0.0.0/0] }\n',
    )
    const { stderr } = await skyctl(`plan ${file('account/a.yaml', 'firewalls:\n  web: { rules: rules/web.yaml }\n')}`)
    expect(problems(stderr, home)).toEqual([
      'account/rules/web.yaml:3: firewalls.web.rules.inbound[0].action: Must be one of: ACCEPT, DROP',
      'account/rules/web.yaml:5: firewalls.web.rules.inbound[0].ports: "080" is neither a port nor a range of ports',
    ])
  })
})

describe('what cannot be reached', () => {
  const twoInBerlin = 'volumes:\n  data: {}'

  test.for<[what: string, text: string, problem: string, code?: number]>([
    [
      'a smaller size',
      'volumes:\n  data-1:\n    size: 10',
      'a.yaml:3: volumes.data-1.size: It has 40 GiB, and a volume cannot shrink',
    ],
    [
      'another region',
      'volumes:\n  data-1:\n    region: us-ord',
      'a.yaml:3: volumes.data-1.region: It is in us-east, and a volume cannot be moved',
    ],
    [
      'an instance of another region',
      'volumes:\n  data-2:\n    compute_id: 1003',
      'a.yaml:3: volumes.data-2.compute_id: Compute instance 1003 is in us-ord, the volume in us-east',
    ],
    [
      'an instance that no address, volume or firewall names',
      'volumes:\n  data-2:\n    compute_id: 999999',
      'a.yaml:3: volumes.data-2.compute_id: No address, volume or firewall names compute instance 999999',
      5,
    ],
    [
      'a firewall for such an instance',
      'firewalls:\n  spare:\n    devices: { computes: [999999] }',
      'a.yaml:3: firewalls.spare.devices.computes: No address, volume or firewall names compute instance 999999',
      5,
    ],
    [
      'a new volume in no region',
      'volumes:\n  new: {}',
      'a.yaml:2: volumes.new.region: A new volume needs a region or a compute_id',
      2,
    ],
    [
      'a new firewall without rules',
      'firewalls:\n  new: {}',
      'a.yaml:2: firewalls.new.rules: A new firewall needs rules',
      2,
    ],
    [
      'a service that another firewall protects',
      'firewalls:\n  spare:\n    devices: { computes: [1003] }',
      'a.yaml:3: firewalls.spare.devices.computes: compute 1003 is protected by firewall "database", and only one that is enabled can be',
    ],
    [
      'an address that the account has not',
      'rdns:\n  198.51.100.1: a.example.com',
      'a.yaml:2: rdns.198.51.100.1: The account has no such public address',
      5,
    ],
    [
      'a test that the rules fail',
      'firewalls:\n  spare:\n    tests:\n      - { from: 203.0.113.9, protocol: tcp, port: 22, expect: accept }',
      'a.yaml:4: firewalls.spare.tests[0]: DROP by the inbound policy, but ACCEPT is expected',
    ],
  ])('is refused before anything is sent: %s', async ([, text, problem, code = 6], { skyctl, file, home, world }) => {
    for (const command of ['plan', 'apply --yes']) {
      const { exit, stdout, stderr } = await skyctl(`${command} ${file('a.yaml', text)}`)
      expect({ exit, stdout, problems: problems(stderr, home) }).toEqual({
        exit: code,
        stdout: '',
        problems: [problem],
      })
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.for<[what: string, text: string, problem: string, exit: number]>([
    [
      'a region that there is not',
      'volumes:\n  new:\n    region: eu-wset',
      'a.yaml:3: volumes.new.region: "eu-wset" is not a region. Did you mean "eu-west"?',
      5,
    ],
    [
      'a default region that there is not',
      'defaults:\n  region: nowhere\nprofile: {}',
      'a.yaml:2: defaults.region: "nowhere" is not a region. See: skyctl regions list',
      5,
    ],
    [
      'a time zone that there is not',
      'profile:\n  timezone: Europe/Berln',
      'a.yaml:2: profile.timezone: Must be a time zone of the IANA list, such as Europe/Berlin',
      6,
    ],
  ])('is refused with the place in the file: %s', async ([, text, problem, code], { skyctl, file, home, world }) => {
    for (const command of ['plan', 'apply --yes']) {
      const { exit, stdout, stderr } = await skyctl(`${command} ${file('a.yaml', text)}`)
      expect({ exit, stdout, problems: problems(stderr, home) }).toEqual({
        exit: code,
        stdout: '',
        problems: [problem],
      })
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('is an instance that nothing names, also where a firewall protects a balancer of the same id', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'front' })
    world.balancers.add({ id: 999_999, label: 'lb', region: 'us-east' })
    world.network.device(id, 'balancer', 999_999)
    const path = file('a.yaml', 'firewalls:\n  spare: { devices: { computes: [999999] } }\n')
    const { exit, stderr } = await skyctl(`plan ${path}`)
    const reason = 'No address, volume or firewall names compute instance 999999'
    expect({ exit, problems: problems(stderr, home) }).toEqual({
      exit: 5,
      problems: [`a.yaml:2: firewalls.spare.devices.computes: ${reason}`],
    })
  })

  test('is told all at once, an unknown region and a volume that cannot shrink', async ({ skyctl, file, home }) => {
    const text = 'volumes:\n  new: { region: us-esat }\n  data-1: { size: 10 }\n'
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, count: problems(stderr, home).length }).toEqual({ exit: 6, count: 2 })
  })

  test('is not refused where the token may not read addresses: it was not checked, and the plan says so', async ({
    skyctl,
    file,
    world,
  }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('a.yaml', 'volumes:\n  data-2: { compute_id: 999999 }\n')
    const { exit, stderr } = await skyctl(`plan ${path}`, { env })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(
        'the token may not read addresses, so the plan does not check that the compute instances exist',
      ),
    })
  })

  test('is refused where the account has the label twice', async ({ skyctl, file, home, world }) => {
    const ids = [1, 2].map(() => world.volume({ label: 'data' }).id)
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', twoInBerlin)}`)
    expect({ exit, problems: problems(stderr, home) }).toEqual({
      exit: 6,
      problems: [`a.yaml:2: volumes.data: 2 volumes of the account have this label: ${ids.join(', ')}`],
    })
  })

  test('is refused where two firewalls of the file want one service', async ({ skyctl, file, home }) => {
    const text = 'firewalls:\n  spare: { devices: { computes: [1008] } }\n  database: { devices: { computes: [1008] } }'
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, count: problems(stderr, home).length }).toEqual({ exit: 6, count: 2 })
  })

  test('is refused where a firewall has over 25 rules (api.md, Limits)', async ({ skyctl, file, home }) => {
    const many = Array.from({ length: 26 }, (_, index) => ({ ...ssh, label: `rule-${index}` }))
    const path = file('a.json', JSON.stringify({ firewalls: { spare: { rules: ruleSet(...many) } } }))
    const { exit, stderr } = await skyctl(`plan ${path}`)
    expect({ exit, problem: problems(stderr, home)[0] }).toEqual({
      exit: 2,
      problem: 'a.json:1: firewalls.spare.rules: Too many rules submitted. Max allowed is 25',
    })
  })
})

describe('plan', () => {
  test('says of each object what is made, changed from what to what, and what that costs', async ({ skyctl, file }) => {
    const text = `
defaults: { region: us-east }
volumes:
  new: { size: 60, tags: [db] }
  data-1: { size: 50, tags: [], compute_id: null }
firewalls:
  web:
    status: disabled
    rules: { inbound: [], inbound_policy: drop }
rdns: { 192.0.2.11: www.example.com }
profile: { timezone: UTC }
`
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect(exit).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "~ firewall "web" (4001)
          status: enabled -> disabled
          unprotects: compute 1001 is open to all traffic
          unprotects: compute 1002 is open to all traffic
          unprotects: balancer 2001 is open to all traffic
          removed  inbound 1: ACCEPT TCP 80, 443 "accept-http" from 0.0.0.0/0, ::/0
          removed  inbound 2: ACCEPT TCP 22 "accept-ssh" from 203.0.113.0/24, 2001:db8:f::/48
          removed  inbound 3: ACCEPT ICMP "accept-ping" from 0.0.0.0/0, ::/0
      ~ volume "data-1" (3001)
          detached from compute instance 1001
          cuts off: compute instance 1001; unwritten data is lost
          size: 40 GiB -> 50 GiB
          starts billing: 10 GiB more, for good: it cannot shrink again
          tags: production -> none
      + volume "new"
          60 GiB, in us-east, tags db
          starts billing: 60 GiB, until it is deleted
      ~ address 192.0.2.11
          name: the service's own -> www.example.com
      ~ profile
          timezone: Europe/Berlin -> UTC
      1 to create, 4 to update; 0 unchanged
      "
    `)
  })

  test('changes nothing', async ({ skyctl, file, world }) => {
    await skyctl(`plan ${file('a.yaml', 'volumes: { data-1: { size: 50 } }')} --prune`)
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.for<[size: number, exit: number]>([
    [40, 0],
    [50, 13],
  ])(
    '--exit-code tells whether there is something to do: %i GiB wanted of 40',
    async ([size, wanted], { skyctl, file }) => {
      const { exit } = await skyctl(`plan ${file('a.yaml', `volumes: { data-1: { size: ${size} } }`)} --exit-code`)
      expect(exit).toBe(wanted)
    },
  )

  test('--quiet prints each name once, whatever the number of steps', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50, tags: [a] }, data-2: { size: 30 } }')
    expect((await skyctl(`plan ${path} -q`)).stdout).toBe('data-1\ndata-2\n')
  })

  test('leaves alone what a file does not name, in objects and beside them', async ({ skyctl, file }) => {
    const text = 'volumes: { data-1: { size: 40 } }\nfirewalls: { web: {} }\nprofile: {}\nsshkeys:\n'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 3 unchanged\n')
  })

  test('as JSON has every step with its command and body', async ({ skyctl, file, env }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    const { stdout } = await skyctl(`plan ${path} --json`)
    const source = { file: path, line: 1 }
    const entry = { size: 40, region: 'us-east', compute_id: 1001, tags: ['production'] }
    const billing = { kind: 'starts billing', text: '10 GiB more, for good: it cannot shrink again', size: 10 }
    const none = { destroys: 0, 'cuts off': 0, opens: 0, unprotects: 0, 'still allowed': 0 }
    expect(json(stdout)).toEqual({
      format_version: 1,
      account: { service: env.SKYCTL_BASE_URL, uid: 1, username: 'owner' },
      counts: { create: 0, update: 1, delete: 0, unchanged: 0, consequences: { 'starts billing': 1, ...none } },
      consequences: [{ ...billing, ...source, object: { kind: 'volumes', name: 'data-1', id: 3001 } }],
      networks: [],
      unprotected: null,
      unchanged: [],
      objects: [
        {
          kind: 'volumes',
          name: 'data-1',
          id: 3001,
          action: 'update',
          ...source,
          before: entry,
          after: { ...entry, size: 50 },
          changed: [{ field: 'size', ...source }],
          steps: [
            {
              action: 'resize',
              changes: ['size: 40 GiB -> 50 GiB'],
              consequences: [billing],
              command: ['skyctl', 'volumes', 'resize', '3001'],
              body: { size: 50 },
            },
          ],
        },
      ],
      same: 0,
      unselected: 0,
      notes: [],
      left: [],
      expectations: [],
    })
  })

  test('takes a plain address of a rule for a network of its own', async ({ skyctl, file, world }) => {
    world.network.firewall({ label: 'guarded', rules: ruleSet({ ...ssh, addresses: { ipv4: ['203.0.113.9/32'] } }) })
    const text =
      'firewalls: { guarded: { rules: { inbound: [{ action: accept, protocol: tcp, ports: 22, label: ssh, addresses: { ipv4: [203.0.113.9] } }] } } }'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 1 unchanged\n')
  })
})

describe('export', () => {
  test('differs in nothing from the account that it was made of', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl('export')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { stdout: planned } = await skyctl('plan - --exit-code', { stdin: stdout })
    expect(planned).toMatch(/^No changes; \d+ unchanged\n$/)
  })

  test('gives the same bytes for the same account, in whatever order that comes', async ({ skyctl, world }) => {
    for (const label of ['b', 'a']) world.volume({ label })
    const [one, two] = [await skyctl('export volumes'), await skyctl('export volumes')]
    expect(one.stdout).toBe(two.stdout)
    const names = [...one.stdout.matchAll(/^ {2}(\S+):$/gm)].map(([, name]) => name)
    expect(names).toEqual([...names].sort())
  })

  test('leaves out what shares its label with another, and says so', async ({ skyctl, world }) => {
    for (const label of ['twice', 'twice', 'once']) world.volume({ label })
    const { exit, stdout, stderr } = await skyctl('export volumes --json')
    expect(exit).toBe(0)
    expect(json(stdout).volumes).toHaveProperty('once')
    expect(json(stdout).volumes).not.toHaveProperty('twice')
    expect(stderr).toContain('left out: 2 volumes have the label \\"twice\\"')
  })

  test.for(['', ' --json'])('of nothing is an empty document:%s', async (form, { skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`export volumes --filter label=none${form}`)
    expect({ exit, stdout: withoutHeader(stdout), stderr }).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
  })

  test.for(['-o csv', '-o tsv', '-o ndjson'])('is a file, which cannot be %s', async (format, { skyctl }) => {
    expect((await skyctl(`export ${format}`)).exit).toBe(2)
  })
})

describe('apply', () => {
  test('as JSON tells of one object, too, what became of it, and that it is half done', async ({
    skyctl,
    file,
    world,
  }) => {
    // It has 1 GB, and room for one volume (api.md, Limits).
    world.volume({ label: 'full', compute_id: 1004 })
    const half = file('half.yaml', 'volumes: { data-2: { size: 50, compute_id: 1004 } }')
    const none = file('none.yaml', 'volumes: { data-2: { compute_id: 1004 } }')
    for (const [path, changed] of [
      [half, true],
      [none, false],
    ] as const) {
      const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json`)
      const { error } = json(stderr)
      const own = { ...error, message: error.message.replace('volume "data-2" (3002): ', '') }
      expect({ exit, code: error.code, ...json(stdout) }).toEqual({
        exit: 6,
        code: 'refused',
        format_version: 1,
        changed,
        actions: [{ kind: 'volumes', name: 'data-2', id: 3002, action: 'update', ok: false, error: own }],
        objects: [expect.objectContaining({ name: 'data-2', id: 3002, action: 'update', ok: false })],
        unprotected: [],
      })
    }
    expect(world.volumes.get(3002)?.size).toBe(50)
  })

  test('--dry-run shows what plan shows, asks nobody and sends nothing', async ({ skyctl, file, home, world }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 }, new: { region: us-east } }')
    await skyctl(`plan ${path} --out ${home}/kept.json`)
    for (const form of ['', '--json', '-q']) {
      const planned = await skyctl(`plan ${path} ${form}`)
      expect(planned.stdout).toContain('data-1')
      for (const given of [path, `${home}/kept.json`])
        expect(await skyctl(`apply ${given} --dry-run ${form}`)).toEqual(planned)
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('makes the account as is wanted, and then has nothing to do', async ({ skyctl, file, world }) => {
    const text = `
owner: team
volumes:
  new: { size: 60, region: us-east, compute_id: 1001, tags: [db] }
  data-1: { size: 50, tags: [], compute_id: null }
  database: { compute_id: null }
firewalls:
  fresh:
    status: disabled
    rules: { inbound_policy: drop, outbound_policy: accept, inbound: [{ action: accept, protocol: tcp, ports: 22, addresses: { ipv4: [198.51.100.7] } }] }
    devices: { computes: [1004] }
  web: { tags: [edge] }
rdns: { 192.0.2.11: www.example.com }
profile: { timezone: UTC, email_notifications: false }
`
    const path = file('a.yaml', text)
    const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { changed, actions } = json(stdout)
    const done = actions.map(({ kind, name, action, ok }: Record<string, unknown>) => [kind, name, action, ok])
    expect({ changed, done }).toEqual({
      changed: true,
      done: [
        ['volumes', 'data-1', 'update', true],
        ['volumes', 'database', 'update', true],
        ['volumes', 'new', 'create', true],
        ['firewalls', 'fresh', 'create', true],
        ['firewalls', 'web', 'update', true],
        ['rdns', '192.0.2.11', 'update', true],
        ['profile', '', 'update', true],
      ],
    })
    const made = json((await skyctl('volumes view new --json')).stdout)
    expect(made).toMatchObject({
      id: actions[2].id,
      size: 60,
      compute_id: 1001,
      tags: ['db', 'team'],
      status: 'active',
    })
    expect(json((await skyctl('firewalls view fresh --json')).stdout)).toMatchObject({
      status: 'disabled',
      tags: ['team'],
    })
    expect(json((await skyctl('profile view --json')).stdout)).toMatchObject({
      timezone: 'UTC',
      email_notifications: false,
    })
    const again = await skyctl(`plan ${path}`)
    expect(again.stdout).toBe('No changes; 7 unchanged\n')
    const sent = world.requests().length
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0, stderr: 'No changes; 7 unchanged\n' })
    expect(
      world
        .requests()
        .slice(sent)
        .every(({ method }) => method === 'GET'),
    ).toBe(true)
  })

  test('asks before it sends, and off a terminal wants --yes', async ({ skyctl, file, world }) => {
    const { exit, stderr } = await skyctl(`apply ${file('a.yaml', 'volumes: { data-1: { size: 50 } }')}`)
    expect({ exit, last: lines(stderr).at(-1) }).toEqual({
      exit: 2,
      last: 'skyctl: It starts billing. Apply this plan: this must be confirmed, and there is no terminal for questions. Add --yes',
    })
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test('of two jobs at once, on machines of their own, makes one set of objects', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    const names = ['a', 'b', 'c']
    const volumes = names.map((name) => `  ${name}: { size: 20, region: us-east, tags: [${name}] }\n`).join('')
    const firewalls = names.map(
      (name) => `  fw-${name}: { rules: { inbound_policy: drop, outbound_policy: accept } }\n`,
    )
    const path = file('a.yaml', `volumes:\n${volumes}firewalls:\n${firewalls.join('')}`)
    const jobs = ['one', 'two'].map((job) =>
      skyctl(`apply ${path} --yes`, { env: { SKYCTL_STATE_DIR: join(home, job) } }),
    )
    expect((await Promise.all(jobs)).map(({ exit }) => exit)).toEqual([0, 0])
    const labels = [...world.volumes.all(), ...world.network.firewalls.all()].map(({ label }) => label)
    const made = labels.filter((label) => names.includes(label.replace('fw-', '')))
    expect(made.sort()).toEqual([...names, ...names.map((name) => `fw-${name}`)])
  })

  test('replaces no rules that others have changed since the plan was made', async ({
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'guarded', rules: ruleSet(ssh) })
    let listed = false
    const proxy = await between(sandbox.baseUrl, {
      before({ method, path }) {
        if (method === 'GET' && path === `/networking/firewalls/${id}` && listed) {
          const firewall = world.network.firewalls.get(id)
          if (firewall) world.network.firewalls.put({ ...firewall, rules: ruleSet(ssh, web) } as typeof firewall)
        }
        listed ||= path.startsWith('/networking/firewalls?')
      },
    })
    const text = 'firewalls: { guarded: { rules: { inbound: [] } } }'
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit } = await skyctl(`apply ${file('a.yaml', text)} --yes`, { env })
    await proxy.close()
    expect({ exit, sent: world.requests('PUT') }).toEqual({ exit: 6, sent: [] })
  })

  test('moves a service from one firewall to another, though only one can protect it', async ({
    skyctl,
    file,
    world,
  }) => {
    const text = 'firewalls:\n  spare: { devices: { computes: [1003] } }\n  database: { devices: { computes: [] } }'
    const { exit } = await skyctl(`apply ${file('a.yaml', text)} --yes`)
    expect(exit).toBe(0)
    const spare = world.network.firewalls.all().find(({ label }) => label === 'spare')
    const holders = world.network.devices.all().filter(({ type, entity }) => type === 'compute' && entity === 1003)
    expect(holders.map(({ firewall }) => firewall)).toEqual([spare?.id])
  })

  test('waits for each step as long as --wait-timeout says, and tells what was made', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes:\n  late: { size: 20, region: us-east }\n')
    const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json --wait-timeout 0s`)
    expect({ exit, code: json(stderr).error.code, ...json(stdout) }).toMatchObject({
      exit: 10,
      code: 'wait_timed_out',
      changed: true,
      actions: [{ name: 'late', action: 'create', ok: false }],
    })
  })

  test('refuses an invalid --wait-timeout, also where nothing is to be changed', async ({ skyctl, file, world }) => {
    const { exit, stderr } = await skyctl(`apply ${file('a.yaml', '{}')} --yes --wait-timeout soon`)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('--wait-timeout') })
    expect(world.requests()).toEqual([])
  })

  test('goes on with the other objects where one fails, and ends with 9', async ({ skyctl, file, world }) => {
    // It has 1 GB, and room for one volume (api.md, Limits).
    world.volume({ label: 'full', compute_id: 1004 })
    const text = 'volumes:\n  moved: { region: us-east, compute_id: 1004 }\n  data-2: { size: 30 }\n'
    const { exit, stdout, stderr } = await skyctl(`apply ${file('a.yaml', text)} --yes --json`)
    expect(exit).toBe(9)
    expect(json(stdout).actions.map(({ name, ok }: Record<string, unknown>) => [name, ok])).toEqual([
      ['data-2', true],
      ['moved', false],
    ])
    expect(json(stderr).error.failures).toMatchObject([{ target: 'volume "moved"' }])
    expect(world.volumes.all().find(({ label }) => label === 'data-2')?.size).toBe(30)
  })
})

describe('--prune', () => {
  const owned = (world: { volume(wanted: object): { id: number } }) => world.volume({ label: 'old', tags: ['team'] }).id

  test('removes what carries the tag of the owner and is in no file, and nothing else', async ({
    skyctl,
    file,
    world,
  }) => {
    const id = owned(world)
    const firewall = world.network.firewall({ label: 'old-web', tags: ['team', 'x'] }).id
    const before = [world.volumes.size, world.network.firewalls.size]
    const { exit } = await skyctl(
      `apply ${file('a.yaml', 'owner: team\nvolumes: { data-1: {} }')} --prune --yes --max-deletes 3`,
    )
    expect(exit).toBe(0)
    expect(world.requests('DELETE').map(({ path }) => path)).toEqual([
      `/networking/firewalls/${firewall}`,
      `/volumes/${id}`,
    ])
    expect([world.volumes.size, world.network.firewalls.size]).toEqual(before.map((count) => count - 1))
  })

  test('without it they are only named', async ({ skyctl, file, world }) => {
    const id = owned(world)
    const { stdout } = await skyctl(`plan ${file('a.yaml', 'owner: team')}`)
    expect(stdout).toBe(`  volume "old" (${id}) is in no file and stays; --prune deletes it\nNo changes\n`)
  })

  test('without an owner is refused', async ({ skyctl, file }) => {
    for (const command of ['plan', 'apply --yes']) {
      const { exit, stderr } = await skyctl(`${command} ${file('a.yaml', 'volumes: {}')} --prune`)
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('--prune needs an owner') })
    }
  })
})

describe('--adopt', () => {
  const text = 'owner: team\nvolumes: { data-1: {}, data-2: { tags: [db] } }\nfirewalls: { web: {} }\n'
  const tagsIn = ({ volumes, network }: World) =>
    [volumes.get(3001), volumes.get(3002), network.firewalls.get(4001)].map((one) => one?.tags)

  test('adds the tag of the owner to what the files name, and keeps its other tags', async ({
    skyctl,
    file,
    world,
  }) => {
    const others = world.volumes.all().slice(2)
    const [first, , third] = tagsIn(world).map((tags = []) => [...tags, 'team'])
    const path = file('a.yaml', text)
    expect((await skyctl(`plan ${path} --exit-code`)).stdout).not.toContain('team')
    expect(await skyctl(`apply ${path} --adopt --yes`)).toMatchObject({ exit: 0 })
    expect(tagsIn(world)).toEqual([first, ['db', 'team'], third])
    expect(world.volumes.all().slice(2)).toEqual(others)
    expect(await skyctl(`plan ${path} --adopt --exit-code`)).toMatchObject({ exit: 0 })
  })

  test('is shown in the plan, and lets a later --prune delete what leaves the file', async ({
    skyctl,
    file,
    world,
  }) => {
    const { stdout } = await skyctl(`plan ${file('a.yaml', text)} --adopt`)
    expect(stdout).toContain('~ volume "data-1" (3001)\n    tags: ')
    await skyctl(`apply ${file('a.yaml', text)} --adopt --yes`)
    const { exit } = await skyctl(
      `apply ${file('b.yaml', 'owner: team\nvolumes: { data-1: {} }')} --prune --yes --max-deletes 3`,
    )
    expect(exit).toBe(0)
    expect([3001, 3002].map((id) => world.volumes.get(id) !== undefined)).toEqual([true, false])
  })

  test('is part of a saved plan', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'plan.json')
    await skyctl(`plan ${file('a.yaml', text)} --adopt --out ${out}`)
    expect(await skyctl(`apply ${out} --adopt --yes`)).toMatchObject({
      exit: 2,
      stderr: 'skyctl: --adopt: a saved plan already decides whether it adopts\n',
    })
    expect(await skyctl(`apply ${out} --yes`)).toMatchObject({ exit: 0 })
    expect(tagsIn(world).every((tags) => tags?.includes('team'))).toBe(true)
  })

  test('without an owner is refused', async ({ skyctl, file }) => {
    for (const command of ['plan', 'apply --yes']) {
      const { exit, stderr } = await skyctl(`${command} ${file('a.yaml', 'volumes: {}')} --adopt`)
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('--adopt needs an owner') })
    }
  })
})

describe('a kept plan', () => {
  const text = 'volumes: { data-1: { size: 50 } }'

  test('is readable by its owner only, and does what it says', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'plan.json')
    expect((await skyctl(`plan ${file('a.yaml', text)} --out ${out}`)).exit).toBe(0)
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect((await skyctl(`apply ${out} --yes`)).exit).toBe(0)
    expect(world.volumes.all().find(({ id }) => id === 3001)?.size).toBe(50)
  })

  test('is refused where what it touches has changed since', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'plan.json')
    await skyctl(`plan ${file('a.yaml', text)} --out ${out}`)
    expect((await skyctl('volumes update data-1 --tag other')).exit).toBe(0)
    const { exit, stderr } = await skyctl(`apply ${out} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr:
        'skyctl: the account has changed since the plan was made: volume "data-1" (3001). Plan again, and review the difference\n',
    })
    expect(world.volumes.all().find(({ id }) => id === 3001)?.size).toBe(40)
  })

  test('of a change beside what it touches still holds', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'plan.json')
    await skyctl(`plan ${file('a.yaml', text)} --out ${out}`)
    world.volume({ label: 'another' })
    expect((await skyctl(`apply ${out} --yes`)).exit).toBe(0)
  })
})
