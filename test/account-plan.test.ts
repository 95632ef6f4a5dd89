/** Requests, steps and output of a plan for each kind of object. */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { test as base } from './support/account-files'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { lossyProxy } from './support/lossy-proxy'
import { openProxy } from './support/proxy'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXGjOFBBCaXCSoDuyQ7JVdE5Zz4dVeAcWhmqDcj4Q8T'
const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }'

interface Service {
  type: string
  id: number
}

interface Step {
  action: string
  command: string[]
  body?: unknown
  changes: string[]
  consequences: { kind: string; services: Service[] }[]
}

interface PlanFixtures {
  /** Returns the steps of the first object that a plan of this file changes. */
  steps(text: string): Promise<Step[]>
  /** Creates a firewall for compute instances; returns its id. */
  guard(wanted: { label: string; rules?: unknown; status?: string }, ...computes: number[]): number
}

const test = base.extend<PlanFixtures>({
  steps: async ({ skyctl, file }, use) =>
    use(async (text) => JSON.parse((await skyctl(`plan ${file('a.yaml', text)} --json`)).stdout).objects[0].steps),
  guard: async ({ world }, use) =>
    use((wanted, ...computes) => {
      const { id } = world.network.firewall(wanted as never)
      for (const compute of computes) world.network.device(id, 'compute', compute)
      return id
    }),
})

describe('an SSH key', () => {
  test('that somebody adds after the plan is not added again', async ({ skyctl, file, sandbox, world }) => {
    let additions = 0
    const proxy = await openProxy(sandbox.baseUrl, {
      async after({ method, path }) {
        if (method !== 'GET' || !path.startsWith('/profile/sshkeys') || additions > 0) return
        additions += 1
        await skyctl('profile sshkeys add --label notebook --ssh-key -', { stdin: key })
      },
    })
    const path = file('a.yaml', `sshkeys: { notebook: { ssh_key: "${key}" } }`)
    const { exit } = await skyctl(`apply ${path} --yes`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    const labels = world.profile.sshkeys.all().filter(({ label }) => label === 'notebook')
    expect({ exit, added: additions, count: labels.length }).toEqual({ exit: 0, added: 1, count: 1 })
  })
})

describe('a plan', () => {
  const firewallPaths = ['networking/firewalls', 'networking/firewalls/:id/devices']

  test.for<[text: string, read: string[], flags?: string]>([
    ['profile: {}', ['profile']],
    // Addresses show which instances exist, and in which region.
    ['firewalls: { web: {} }', ['networking/firewalls', 'networking/firewalls/:id/devices', 'networking/ips']],
    ['volumes: { data-1: {} }', ['networking/ips', 'volumes']],
    ['owner: team\nprofile: {}', [...firewallPaths, 'profile', 'volumes']],
    ['owner: team\nprofile: {}', [...firewallPaths, 'networking/ips', 'profile', 'volumes'], '--prune'],
    ['owner: team\nvolumes: { data-1: {} }', [...firewallPaths, 'networking/ips', 'volumes']],
  ])(
    'reads each list that it needs once, and no other: %s, %s',
    async ([text, read, flags = ''], { skyctl, file, world }) => {
      expect(await skyctl(`plan ${file('a.yaml', text)} ${flags}`)).toMatchObject({ exit: 0, stderr: '' })
      const requests = world.requests().map(({ path }) => path)
      const paths = requests.map((path) => path.slice(1).replace(/\?.*/, '').replace(/\d+/, ':id'))
      expect([...new Set(paths)].sort()).toEqual(read)
      expect(requests).toEqual([...new Set(requests)])
    },
  )

  test('does not need optional lists that the token may not read, but all others', async ({
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    expect((await skyctl(`plan ${path} --exit-code`, { env })).exit).toBe(13)
    expect((await skyctl(`plan ${path}`, { env: { SKYCTL_TOKEN: world.token('ips:read_only') } })).exit).toBe(4)
    const proxy = await openProxy(sandbox.baseUrl, {
      before: ({ path }) => (path.startsWith('/networking/ips') ? 'drop' : undefined),
    })
    const { exit, stdout } = await skyctl(`plan ${path}`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
  })

  test('keeps the services of a firewall that --prune does not delete', async ({ skyctl, file, world, problems }) => {
    const { id } = world.network.firewall({ label: 'theirs', tags: ['other'] })
    world.network.device(id, 'compute', 1004)
    const path = file('a.yaml', `owner: team\nfirewalls:\n  new: { ${drop}, devices: { computes: [1004] } }`)
    const { exit, stderr } = await skyctl(`plan ${path} --prune`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [expect.stringContaining('compute 1004 is protected by firewall "theirs"')],
    })
  })
})

describe('a step', () => {
  test('of a firewall has its command, and a body with only the fields of the file', async ({ steps, world }) => {
    const requestsOf = async (text: string) =>
      (await steps(text)).map(({ command, body }) => [command.slice(2).join(' '), body])
    const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }
    expect(await requestsOf(`firewalls: { new: { ${drop} } }`)).toEqual([
      ['create', { label: 'new', rules: { ...rules, inbound: [], outbound: [] } }],
    ])
    expect(await requestsOf(`firewalls: { new: { ${drop}, devices: { computes: [1004] }, tags: [x] } }`)).toEqual([
      ['create', expect.objectContaining({ devices: { computes: [1004], balancers: [] }, tags: ['x'] })],
    ])
    const off = world.network.firewall({ label: 'off', status: 'disabled' }).id
    const device = world.network.device(off, 'compute', 1004).id
    expect(
      await requestsOf('firewalls: { off: { status: enabled, devices: { computes: [1008] }, tags: [x] } }'),
    ).toEqual([
      [`devices delete ${off} ${device}`, undefined],
      [`devices add ${off}`, { id: 1008, type: 'compute' }],
      [`enable ${off}`, undefined],
      [`update ${off}`, { tags: ['x'] }],
    ])
    expect(await requestsOf('firewalls: { spare: { status: disabled } }')).toEqual([['disable 4005', undefined]])
  })

  test('runs in plan order, except that detaching comes first', async ({ skyctl, file, world }) => {
    const detachedId = world.volume({ label: 'z', compute_id: 1004 }).id
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 }, z: { compute_id: null } }')
    expect(await skyctl(`apply ${path} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(world.requests('POST').map(({ path }) => path)).toEqual([
      '/volumes/3001/resize',
      `/volumes/${detachedId}/detach`,
    ])
    const firewalls = file('b.yaml', 'firewalls: { web: { tags: [x] }, database: { status: disabled } }')
    expect(await skyctl(`apply ${firewalls} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(world.requests('PUT').map(({ path }) => path)).toEqual([
      '/networking/firewalls/4003',
      '/networking/firewalls/4001',
    ])
    const sent = world.requests().length
    const others = file('c.yaml', 'firewalls: { web: { tags: [y] }, database: { devices: { computes: [] } } }')
    const { exit } = await skyctl(`apply ${others} --yes --concurrency 1`)
    const changes = world
      .requests()
      .slice(sent)
      .filter(({ method }) => method !== 'GET')
    expect({ exit, changes: changes.map(({ method, path }) => `${method} ${path}`) }).toEqual({
      exit: 0,
      changes: ['DELETE /networking/firewalls/4003/devices/4105', 'PUT /networking/firewalls/4001'],
    })
  })

  test('that deletes succeeds if somebody else was faster', async ({ skyctl, file, sandbox, world }) => {
    const old = world.volume({ label: 'old', tags: ['team'] }).id
    const firewall = world.network.firewall({ label: 'old-web', tags: ['team'] }).id
    const twin = world.profile.sshkeys.add({ user: 1, label: 'notebook', ssh_key: other }).id
    const deletions: string[] = []
    const proxy = await openProxy(sandbox.baseUrl, {
      before({ method, path }) {
        if (method !== 'DELETE') return
        deletions.push(path)
        world.volumes.delete(old)
        world.network.firewalls.delete(firewall)
        world.profile.sshkeys.delete(twin)
      },
    })
    const path = file('a.yaml', `owner: team\nsshkeys: { notebook: { ssh_key: "${key}" } }`)
    const { exit, stderr } = await skyctl(`apply ${path} --prune --max-deletes 2 --yes`, {
      env: { SKYCTL_BASE_URL: proxy.baseUrl },
    })
    await proxy.close()
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
    expect(deletions.length).toBeGreaterThan(0)
    const keys = world.profile.sshkeys.all().filter(({ label }) => label === 'notebook')
    expect(keys.map(({ ssh_key }) => ssh_key)).toEqual([key])
  })
})

describe('a firewall', () => {
  test('that is deleted during a plan does not affect others', async ({ skyctl, file, sandbox, world }) => {
    const deleted = world.network.firewall({ label: 'gone' })
    const proxy = await openProxy(sandbox.baseUrl, {
      before({ path }) {
        if (path.startsWith(`/networking/firewalls/${deleted.id}/devices`)) world.network.firewalls.delete(deleted.id)
      },
    })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', 'firewalls: { web: {} }')}`, { env })
    await proxy.close()
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'No changes; 1 unchanged\n' })
    expect(world.network.firewalls.get(deleted.id)).toBeUndefined()
  })

  test.for([
    ['refused', 403],
    ['not found by a gateway', 404],
    ['not answered', 503],
  ] as const)(
    'is not treated as deleted if the list of its services is %s',
    async ([, status], { skyctl, file, sandbox }) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      const reply = (outgoing: ServerResponse) => void outgoing.writeHead(status).end('<html>')
      for (const _attempt of [1, 2, 3]) proxy.lose('GET', /\/firewalls\/4001\/devices/, { done: false, reply })
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit, stdout } = await skyctl(`plan ${file('a.yaml', 'firewalls: { web: {} }')}`, { env })
      await proxy.close()
      expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
    },
  )

  test('that is new has one line for each effect', async ({ skyctl, file }) => {
    const text = `firewalls:
  new: { ${drop}, devices: { computes: [1004], balancers: [2002] }, tags: [b, a] }
  single: { ${drop}, devices: { computes: [1008] } }
  waits: { status: disabled, ${drop}, devices: { computes: [1005] } }
`
    const { stdout } = await skyctl(`plan ${file('b.yaml', text)}`)
    expect(stdout.split('\n').filter((line) => !/^ +(policy|cuts off)/.test(line))).toEqual([
      '+ firewall "new"',
      '    protects compute 1004, balancer 2002, tags b, a',
      '+ firewall "single"',
      '    protects compute 1008',
      '+ firewall "waits"',
      '    protects nothing yet',
      '    status: enabled -> disabled',
      '    protects compute 1005',
      '3 to create; 0 unchanged',
      '',
    ])
  })

  test('unprotects the services that it loses, unless it is disabled', async ({ skyctl, file, guard }) => {
    const [on, off] = ['enabled', 'disabled'].map((status) => guard({ label: `fw-${status}`, status }, 1004, 1008))
    const text = `firewalls:
  fw-enabled: { devices: { computes: [1004] } }
  fw-disabled: { devices: { computes: [1004] } }
`
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe(`~ firewall "fw-enabled" (${on})
    no longer protects compute 1008
    unprotects: compute 1008 is open to all traffic
~ firewall "fw-disabled" (${off})
    no longer protects compute 1008
2 to update; 0 unchanged
`)
  })

  test('that is disabled and loses services unprotects each of them once', async ({ skyctl, file, guard }) => {
    const id = guard({ label: 'edge' }, 1004, 1008)
    const path = file('a.yaml', 'firewalls: { edge: { status: disabled, devices: { computes: [1004] } } }')
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ firewall "edge" (${id})
    status: enabled -> disabled
    unprotects: compute 1004 is open to all traffic
    unprotects: compute 1008 is open to all traffic
    no longer protects compute 1008
1 to update; 0 unchanged
`)
  })

  test('that is enabled has one consequence for each service', async ({ steps, guard, world }) => {
    world.balancers.add({ id: 1004, label: 'twin', region: 'us-east' })
    const id = guard({ label: 'edge', rules: ruleSet(ssh), status: 'disabled' }, 1008)
    world.network.device(id, 'balancer', 1004)
    const devices = 'devices: { computes: [1004, 1008], balancers: [1004] }'
    const all = await steps(`firewalls: { edge: { status: enabled, ${devices} } }`)
    const enable = all.find(({ action }) => action === 'enable')
    expect(enable?.changes).toEqual(['status: disabled -> enabled'])
    const servicesByConsequence = (enable?.consequences ?? []).map(({ services }) =>
      services.map(({ type, id }) => `${type} ${id}`),
    )
    expect([...new Set(servicesByConsequence.flat())].sort()).toEqual(['balancer 1004', 'compute 1004', 'compute 1008'])
    for (const services of servicesByConsequence) expect(services).toEqual([...new Set(services)])
  })

  test('that gets services has one consequence for each, also for two with the same id', async ({
    steps,
    guard,
    world,
  }) => {
    world.balancers.add({ id: 1004, label: 'twin', region: 'us-east' })
    guard({ label: 'edge', rules: ruleSet(ssh) })
    const added = [
      { id: 1004, type: 'compute' },
      { id: 1008, type: 'compute' },
      { id: 1004, type: 'balancer' },
    ]
    expect(
      await steps('firewalls: { edge: { devices: { computes: [1004, 1008], balancers: [1004] } } }'),
    ).toMatchObject(added.map((one) => ({ body: one, consequences: [{ services: [one] }] })))
  })

  test('that is new lists the traffic that it blocks at its services', async ({ steps }) => {
    const all = { protocol: expect.any(String), ports: null }
    expect(await steps(`firewalls: { new: { ${drop}, devices: { computes: [1004, 1008] } } }`)).toMatchObject([
      {
        action: 'create',
        consequences: [
          {
            kind: 'cuts off',
            text: 'newly blocked at compute 1004, compute 1008: all traffic from 0.0.0.0/0, ::/0',
            services: [
              { id: 1004, type: 'compute' },
              { id: 1008, type: 'compute' },
            ],
            traffic: [{ direction: 'inbound', protocols: expect.arrayContaining([all]), except: [] }],
          },
        ],
      },
    ])
  })

  test('that takes over a service lists the traffic that it newly blocks', async ({ skyctl, file, guard }) => {
    guard({ label: 'old', rules: ruleSet(ssh, web) }, 1004)
    guard({ label: 'waits', status: 'disabled' }, 1004)
    guard({ label: 'next', rules: ruleSet(ssh) })
    const text = 'firewalls:\n  next: { devices: { computes: [1004] } }\n  old: { devices: { computes: [] } }\n'
    const { stdout } = await skyctl(`plan ${file('a.yaml', text)}`)
    const all = stdout.split('\n')
    const at = all.findIndex((line) => line.startsWith('~ firewall "next"'))
    expect(all.slice(at + 1, at + 3)).toEqual([
      '    protects compute 1004',
      '    cuts off: newly blocked at tiny-1: tcp/443 from 203.0.113.0/24',
    ])
    expect(stdout).not.toContain('newly allowed')
  })

  test.for([
    ['is disabled', 'disabled', ''],
    ['becomes disabled', 'enabled', 'status: disabled, '],
  ] as const)('that %s blocks nothing with its new rules', async ([, status, more], { steps, guard }) => {
    guard({ label: 'edge', rules: ruleSet(ssh), status }, 1004)
    const all = await steps(`firewalls: { edge: { ${more}rules: { inbound: [] } } }`)
    expect(all.find(({ action }) => action === 'rules')).toMatchObject({ consequences: [] })
  })

  test('keeps rules of other clients that the file does not change', async ({ skyctl, file, guard }) => {
    const foreign = { ...ssh, protocol: 'ALL', ports: undefined }
    guard({ label: 'edge', rules: { ...ruleSet(ssh), outbound: [foreign] } })
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', 'firewalls: { edge: { rules: { inbound: [] } } }')}`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('removed  inbound 1') })
  })

  test('without services in the file is not blamed for a conflict of another one', async ({
    skyctl,
    file,
    problems,
  }) => {
    const text = 'firewalls:\n  database: { tags: [x] }\n  spare: { devices: { computes: [1003] } }'
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [expect.stringMatching(/^a\.yaml:3: firewalls\.spare\.devices\.computes: compute 1003 is protected/)],
    })
  })

  test('is disabled before another one takes over a part of its services', async ({ skyctl, file, guard, world }) => {
    const old = guard({ label: 'old' }, 1004, 1008)
    const next = guard({ label: 'next', status: 'disabled' }, 1004)
    const path = file('a.yaml', 'firewalls:\n  next: { status: enabled }\n  old: { status: disabled }\n')
    expect(await skyctl(`apply ${path} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(world.requests('PUT').map(({ path, body }) => [path, body])).toEqual([
      [`/networking/firewalls/${old}`, { status: 'disabled' }],
      [`/networking/firewalls/${next}`, { status: 'enabled' }],
    ])
  })

  test('is exported with all settings, and a saved plan of it fails once they change', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh), tags: ['b', 'a'], status: 'disabled' })
    world.network.device(id, 'balancer', 2002)
    for (const compute of [1008, 1004]) world.network.device(id, 'compute', compute)
    const { label } = ssh
    expect(JSON.parse((await skyctl('export firewalls --json')).stdout).firewalls.edge).toEqual({
      status: 'disabled',
      tags: ['a', 'b'],
      rules: {
        inbound_policy: 'drop',
        inbound: [{ action: 'accept', protocol: 'tcp', ports: 22, from: '203.0.113.0/24', label }],
        outbound_policy: 'accept',
        outbound: [],
      },
      devices: { computes: [1004, 1008], balancers: [2002] },
    })
    await skyctl(`plan ${file('a.yaml', 'firewalls: { edge: { tags: [] } }')} --out ${home}/plan.json`)
    world.network.device(id, 'compute', 1005)
    const { exit, stderr } = await skyctl(`apply ${home}/plan.json --yes`)
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining(`firewall "edge" (${id})`) })
  })

  test('reports its changed rules to scripts, and keeps the lists that no file has', async ({ steps, guard }) => {
    const id = guard({ label: 'edge', rules: { ...ruleSet(ssh), outbound: [web] } })
    expect(await steps('firewalls: { edge: { rules: { inbound: [], outbound_policy: drop } } }')).toMatchObject([
      {
        action: 'rules',
        changes: [],
        rules: [
          { kind: 'removed', direction: 'inbound', from: 1 },
          { kind: 'policy', direction: 'outbound', from: 'ACCEPT', to: 'DROP' },
        ],
        command: ['skyctl', 'firewalls', 'rules', 'update', String(id)],
        body: { inbound: [], inbound_policy: 'DROP', outbound: [web], outbound_policy: 'DROP' },
      },
    ])
  })

  test('names only its remaining services in the consequences of new rules', async ({ steps, guard }) => {
    guard({ label: 'edge', rules: ruleSet(ssh, web) }, 1004, 1008)
    const all = await steps('firewalls: { edge: { rules: { inbound: [] }, devices: { computes: [1004] } } }')
    expect(all.find(({ action }) => action === 'rules')?.consequences).toMatchObject([
      { kind: 'cuts off', services: [{ type: 'compute', id: 1004 }] },
    ])
  })
})

describe('a test of a firewall', () => {
  const closed = { ...ruleSet(ssh), outbound_policy: 'ACCEPT' }
  const packet = 'from: 203.0.113.9, protocol: tcp, port: 22'

  test.for<[what: string, test: string, reason: string]>([
    ['a rule decides otherwise', `{ ${packet}, expect: drop }`, 'ACCEPT by inbound rule 1, but DROP is expected'],
    [
      'a test with a name',
      `{ ${packet}, expect: drop, name: nobody has SSH }`,
      '"nobody has SSH": ACCEPT by inbound rule 1, but DROP is expected',
    ],
    [
      'a policy decides otherwise',
      '{ to: 203.0.113.9, protocol: tcp, port: 22, expect: drop }',
      'ACCEPT by the outbound policy, but DROP is expected',
    ],
  ])(
    'that fails is reported with its line and reason: %s',
    async ([, text, reason], { skyctl, file, problems, world }) => {
      world.network.firewall({ label: 'edge', rules: closed })
      const path = file(
        'a.yaml',
        `firewalls:\n  edge:\n    tests:\n      - { ${packet}, expect: accept }\n      - ${text}\n`,
      )
      const { exit, stderr } = await skyctl(`plan ${path}`)
      expect({ exit, problems: problems(stderr) }).toEqual({
        exit: 6,
        problems: [`a.yaml:5: firewalls.edge.tests[1]: ${reason}`],
      })
    },
  )

  test('fails if an undecidable rule decides', async ({ skyctl, file, problems, world }) => {
    const foreign = { ...ssh, protocol: 'ALL', ports: undefined }
    world.network.firewall({ label: 'edge', rules: ruleSet(foreign) as never })
    const path = file('a.yaml', `firewalls:\n  edge:\n    tests:\n      - { ${packet}, expect: accept }`)
    expect(problems((await skyctl(`plan ${path}`)).stderr)).toEqual([
      'a.yaml:4: firewalls.edge.tests[0]: inbound rule 1 cannot be judged, but ACCEPT is expected',
    ])
  })

  test.for<[devices: string, current: string, service: string, exit: number]>([
    ['{ balancers: [2002] }', '', '', 0],
    ['{ computes: [1004] }', '', '', 6],
    ['{ balancers: [2002], computes: [1004] }', '', '', 6],
    ['{ balancers: [] }', '', '', 6],
    ['{ balancers: [2002] }', '', ', service: compute', 6],
    ['{ computes: [1004] }', '', ', service: balancer', 0],
    ['', 'balancer', '', 0],
    ['', 'compute', '', 6],
    ['{ balancers: [] }', 'balancer', '', 6],
  ])(
    'applies to the kind of service that the firewall protects or the test names (api.md, Firewall behaviour 4): %s, %s%s',
    async ([devices, current, service, expectedExit], { skyctl, file, world }) => {
      const { id } = world.network.firewall({ label: 'edge', rules: closed })
      if (current === 'balancer' || current === 'compute')
        world.network.device(id, current, current === 'balancer' ? 2002 : 1004)
      const udp = `{ from: 203.0.113.9, protocol: udp, port: 53, expect: accept${service} }`
      const lines = ['firewalls:', '  edge:', ...(devices ? [`    devices: ${devices}`] : []), `    tests: [${udp}]`]
      expect((await skyctl(`plan ${file('a.yaml', lines.join('\n'))}`)).exit).toBe(expectedExit)
    },
  )
})
