/** What a plan says of each kind of object, to the word, and what a file may say of it (state.md, The file). */
import { describe, expect } from 'vitest'
import { test } from './support/account-files'
import { between } from './support/between'
import { ruleSet, ssh, web } from './support/firewall-rules'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXGjOFBBCaXCSoDuyQ7JVdE5Zz4dVeAcWhmqDcj4Q8T'
const long = 'x'.repeat(65)
const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }'

describe('a file', () => {
  test.for<[what: string, text: string, problem: string]>([
    [
      'a label that no SSH key can have',
      `sshkeys:\n  ${long}: { ssh_key: ${key} }`,
      `a.yaml:2: sshkeys.${long}: Must be 0-64 characters`,
    ],
    [
      'a label that no firewall can have',
      `firewalls:\n  web--1: { ${drop} }`,
      'a.yaml:2: firewalls.web--1: Must not contain --',
    ],
    ['a key without its text', 'sshkeys:\n  laptop:\n    {}', 'a.yaml:3: sshkeys.laptop: ssh_key is required'],
    [
      'a rule without its action',
      'firewalls:\n  web:\n    rules:\n      inbound:\n        - protocol: icmp\n          addresses: { ipv4: [0.0.0.0/0] }',
      'a.yaml:5: firewalls.web: rules.inbound[0].action is required',
    ],
    [
      'a test that is none',
      'firewalls:\n  web:\n    tests:\n      - ssh',
      'a.yaml:4: firewalls.web.tests[0]: Must be an object',
    ],
    ['a name that is no text', 'rdns:\n  192.0.2.11: 7', 'a.yaml:2: rdns.192.0.2.11: Must be a string'],
  ])(
    'is refused with its line before anything is asked: %s',
    async ([, text, problem], { skyctl, file, problems, world }) => {
      const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ exit, problems: problems(stderr) }).toEqual({ exit: 2, problems: [problem] })
      expect(world.requests()).toEqual([])
    },
  )

  test('in JSON has its lines as well, and only its name where it is no YAML besides', async ({
    skyctl,
    file,
    problems,
  }) => {
    const lines = '{\n"volumes": {\n"a": {"size": 0}\n}\n}'
    expect(problems((await skyctl(`plan ${file('a.json', lines)}`)).stderr)).toEqual([
      'a.json:3: volumes.a.size: Must be 1 or greater',
    ])
    const twice = '{\n"volumes": {\n"a": {"size": 20},\n"a": {"size": 0}\n}\n}'
    expect(problems((await skyctl(`plan ${file('b.json', twice)}`)).stderr)).toEqual([
      'b.json: volumes.a.size: Must be 1 or greater',
    ])
  })

  test('has one owner, whatever the number of files', async ({ skyctl, file, problems }) => {
    const [one, same, another] = ['team', 'team', 'other'].map((owner, at) => file(`${at}.yaml`, `owner: ${owner}\n`))
    expect((await skyctl(`plan ${one} ${same}`)).exit).toBe(0)
    const { exit, stderr } = await skyctl(`plan ${one} ${another}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: ['2.yaml:1: owner: another file says "team"'],
    })
  })

  test('that names no owner is compared with the kinds that it has, and nothing else is read', async ({
    skyctl,
    file,
    world,
  }) => {
    await skyctl(`plan ${file('a.yaml', 'profile: {}')}`)
    expect(world.requests().map(({ path }) => path)).toEqual(['/profile'])
  })

  test('takes a key from another file as its text, whatever that would be in YAML', async ({ skyctl, file, world }) => {
    file('keys/notebook.pub', `${key} ada: notebook # 2\n`)
    const path = file('a.yaml', 'sshkeys:\n  notebook: { file: keys/notebook.pub }\n')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.requests('POST').map(({ body }) => body)).toEqual([
      { label: 'notebook', ssh_key: `${key} ada: notebook # 2` },
    ])
  })
})

describe('an SSH key', () => {
  test('is another one by its data alone: it is replaced then, since no key can be changed', async ({
    skyctl,
    file,
    world,
  }) => {
    const line = 'profile sshkeys add --label notebook --ssh-key - --json'
    const { id } = JSON.parse((await skyctl(line, { stdin: key })).stdout)
    const same = file('same.yaml', `sshkeys: { notebook: { ssh_key: "${key} a comment" } }`)
    expect((await skyctl(`plan ${same}`)).stdout).toBe('Nothing to do; 1 is as wanted\n')
    const path = file('a.yaml', `sshkeys: { notebook: { ssh_key: "${other}" }, new: { ssh_key: "${key}" } }`)
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ SSH key "notebook" (${id})
    another ssh-ed25519 key of this label is deleted
    destroys: the key that has this label; where it is deployed it stays
    ssh-ed25519 key
+ SSH key "new"
    ssh-ed25519 key
1 to create, 1 to update; 0 are as wanted
`)
    const made = world.profile.sshkeys.size
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.profile.sshkeys.get(id)).toBeUndefined()
    expect(world.profile.sshkeys.size).toBe(made + 1)
    expect((await skyctl(`plan ${path}`)).stdout).toBe('Nothing to do; 2 are as wanted\n')
  })

  test('that somebody adds after the plan is not added twice', async ({ skyctl, file, sandbox, world }) => {
    let added = 0
    const proxy = await between(sandbox.baseUrl, {
      async after({ method, path }) {
        if (method !== 'GET' || !path.startsWith('/profile/sshkeys') || added > 0) return
        added += 1
        await skyctl('profile sshkeys add --label notebook --ssh-key -', { stdin: key })
      },
    })
    const path = file('a.yaml', `sshkeys: { notebook: { ssh_key: "${key}" } }`)
    const { exit } = await skyctl(`apply ${path} --yes`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    const labels = world.profile.sshkeys.all().filter(({ label }) => label === 'notebook')
    expect({ exit, added, count: labels.length }).toEqual({ exit: 0, added: 1, count: 1 })
  })
})

describe('a volume', () => {
  test('that is made beside its instance is in its region, where anything tells that, and says so', async ({
    skyctl,
    file,
    world,
  }) => {
    world.compute({ id: 7001, region: 'us-east' })
    const text = `
owner: team
defaults: { region: eu-west }
volumes:
  a: { compute_id: 1001 }
  b: { compute_id: 7001, tags: [db, team] }
  c: { size: 30, compute_id: null }
`
    const path = file('a.yaml', text)
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`+ volume "a"
    20 GiB, in us-east, attached to 1001, tags team
    starts billing: 20 GiB, until it is deleted
+ volume "b"
    20 GiB, in the region of compute instance 7001, attached to 7001, tags db, team
    starts billing: 20 GiB, until it is deleted
+ volume "c"
    30 GiB, in eu-west, tags team
    starts billing: 30 GiB, until it is deleted
3 to create; 0 are as wanted
`)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const bodies = world.requests('POST').map(({ body }) => body)
    expect(bodies).toHaveLength(3)
    expect(bodies).toEqual(
      expect.arrayContaining([
        { label: 'a', compute_id: 1001, tags: ['team'] },
        { label: 'b', compute_id: 7001, tags: ['db', 'team'] },
        { label: 'c', size: 30, region: 'eu-west', tags: ['team'] },
      ]),
    )
  })

  test('is asked for with what the file says of it, and nothing else', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes: { new: { region: us-east } }')
    const [{ steps }] = JSON.parse((await skyctl(`plan ${path} --json`)).stdout).objects
    expect(steps).toEqual([
      {
        action: 'create',
        changes: ['20 GiB, in us-east'],
        consequences: [{ kind: 'starts billing', text: '20 GiB, until it is deleted' }],
        command: ['skyctl', 'volumes', 'create'],
        body: { label: 'new', region: 'us-east' },
      },
    ])
  })

  test("keeps the owner's tag where it has it, and gets none where it has not", async ({ skyctl, file, world }) => {
    const [ours, theirs] = [['team', 'old'], ['old']].map((tags, index) => world.volume({ label: `v-${index}`, tags }))
    const path = file('a.yaml', 'owner: team\nvolumes: { v-0: { tags: [new] }, v-1: { tags: [new] } }')
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ volume "v-0" (${ours?.id})
    tags: team, old -> new, team
~ volume "v-1" (${theirs?.id})
    tags: old -> new
2 to update; 0 are as wanted
`)
  })

  test('that --prune removes is detached first, which the plan says', async ({ skyctl, file, world }) => {
    const { id } = world.volume({ label: 'old', size: 30, tags: ['team'], compute_id: 1004 })
    const path = file('a.yaml', 'owner: team')
    expect((await skyctl(`plan ${path} --prune`)).stdout).toBe(`- volume "old" (${id})
    detached from compute instance 1004
    cuts off: compute instance 1004; what it has not written yet is lost
    deleted, with 30 GiB
    destroys: all of its data, for ever
1 to delete; 0 are as wanted
`)
    expect(await skyctl(`apply ${path} --prune --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(id)).toBeUndefined()
  })
})

describe('a firewall', () => {
  test('that is new needs all of its rules, and says in one line each what it does', async ({
    skyctl,
    file,
    problems,
  }) => {
    const part = file('a.yaml', 'firewalls:\n  new:\n    rules: { inbound: [], inbound_policy: drop }')
    const { exit, stderr } = await skyctl(`plan ${part}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: ['a.yaml:3: firewalls.new.rules: A new firewall needs all of it: outbound_policy is required'],
    })
    const whole = `firewalls:
  new: { ${drop}, devices: { computes: [1004], balancers: [2002] }, tags: [b, a] }
  waits: { status: disabled, ${drop}, devices: { computes: [1005] } }
`
    const { stdout } = await skyctl(`plan ${file('b.yaml', whole)}`)
    expect(stdout.split('\n').filter((line) => !/^ +(policy|cuts off)/.test(line))).toEqual([
      '+ firewall "new"',
      '    in force for compute 1004, balancer 2002, tags b, a',
      '+ firewall "waits"',
      '    in force for none',
      '    status: enabled -> disabled',
      '    protects compute 1005',
      '2 to create; 0 are as wanted',
      '',
    ])
  })

  test('that shall protect less leaves services open, unless it is out of force', async ({ skyctl, file, world }) => {
    const [on, off] = (['enabled', 'disabled'] as const).map((status) => {
      const one = world.network.firewall({ label: `fw-${status}`, status })
      for (const id of [1004, 1008]) world.network.device(one.id, 'compute', id)
      return one
    })
    const text = `firewalls:
  fw-enabled: { devices: { computes: [1004] } }
  fw-disabled: { devices: { computes: [1004] } }
`
    const path = file('a.yaml', text)
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ firewall "fw-enabled" (${on?.id})
    protects compute 1008 no longer
    unprotects: compute 1008 is open to all traffic
~ firewall "fw-disabled" (${off?.id})
    protects compute 1008 no longer
2 to update; 0 are as wanted
`)
  })

  test('goes out of force before the one that takes over all that it protects comes', async ({
    skyctl,
    file,
    world,
  }) => {
    const [old, next] = (['enabled', 'disabled'] as const).map((status) => {
      const one = world.network.firewall({ label: `fw-${status}`, status })
      world.network.device(one.id, 'compute', 1004)
      return one
    })
    const text = 'firewalls:\n  fw-disabled: { status: enabled }\n  fw-enabled: { status: disabled }\n'
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(world.requests('PUT').map(({ path, body }) => [path, body])).toEqual([
      [`/networking/firewalls/${old?.id}`, { status: 'disabled' }],
      [`/networking/firewalls/${next?.id}`, { status: 'enabled' }],
    ])
  })

  test('is exported with all that a file can set, and a plan of it is kept for as long as that holds', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh), tags: ['b', 'a'], status: 'disabled' })
    world.network.device(id, 'balancer', 2002)
    for (const compute of [1008, 1004]) world.network.device(id, 'compute', compute)
    expect(JSON.parse((await skyctl('export firewalls --json')).stdout).firewalls.edge).toEqual({
      status: 'disabled',
      tags: ['a', 'b'],
      rules: ruleSet(ssh),
      devices: { computes: [1004, 1008], balancers: [2002] },
    })
    await skyctl(`plan ${file('a.yaml', 'firewalls: { edge: { tags: [] } }')} --out ${home}/plan.json`)
    world.network.device(id, 'compute', 1005)
    const { exit, stderr } = await skyctl(`apply ${home}/plan.json --yes`)
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining(`firewall "edge" (${id})`) })
  })

  test('whose rules change tells scripts which, and keeps the lists that the file leaves out', async ({
    skyctl,
    file,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: { ...ruleSet(ssh), outbound: [web] } })
    const path = file('a.yaml', 'firewalls: { edge: { rules: { inbound: [], outbound_policy: drop } } }')
    const { steps } = JSON.parse((await skyctl(`plan ${path} --json`)).stdout).objects[0]
    expect(steps).toMatchObject([
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
})

describe('a test of a firewall', () => {
  const closed = { ...ruleSet(ssh), outbound_policy: 'ACCEPT' }
  const packet = 'from: 203.0.113.9, protocol: tcp, port: 22'

  test.for<[what: string, test: string, reason: string]>([
    ['a packet without a protocol', '{ from: 203.0.113.9 }', 'protocol is required'],
    ['a packet of which nothing is expected', `{ ${packet} }`, 'expect is required'],
    [
      'one that a rule judges otherwise',
      `{ ${packet}, expect: drop }`,
      'ACCEPT by inbound rule 1, but DROP is expected',
    ],
    [
      'one that a policy judges otherwise',
      '{ to: 203.0.113.9, protocol: tcp, port: 22, expect: drop }',
      'ACCEPT by the outbound policy, but DROP is expected',
    ],
  ])(
    'that fails is refused with its line and reason: %s',
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

  test.for<[devices: string, held: string, service: string, exit: number]>([
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
    'is judged at the kind of service that it protects, or names (api.md, Firewall behaviour 4): %s, %s%s',
    async ([devices, held, service, wanted], { skyctl, file, world }) => {
      const { id } = world.network.firewall({ label: 'edge', rules: closed })
      if (held === 'balancer' || held === 'compute') world.network.device(id, held, held === 'balancer' ? 2002 : 1004)
      const udp = `{ from: 203.0.113.9, protocol: udp, port: 53, expect: accept${service} }`
      const lines = ['firewalls:', '  edge:', ...(devices ? [`    devices: ${devices}`] : []), `    tests: [${udp}]`]
      expect((await skyctl(`plan ${file('a.yaml', lines.join('\n'))}`)).exit).toBe(wanted)
    },
  )
})

describe('the profile', () => {
  test('says who may lose the way into the remote shell, and names long keys by both ends', async ({
    skyctl,
    file,
  }) => {
    const text = `profile:\n  shell_auth_method: keys_only\n  authorized_keys: ["${other}", short]\n`
    const { stdout } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '~ profile',
      '    shell_auth_method: password_keys -> keys_only',
      `    authorized_keys: none -> ${other.slice(0, 20)}…${other.slice(-20)}, short`,
      '    cuts off: whoever used another way into the remote shell',
    ])
  })

  test('says of what else it changes no such thing', async ({ skyctl, file }) => {
    const { stdout } = await skyctl(`plan ${file('a.yaml', 'profile: { email_notifications: false }')}`)
    expect(stdout).toBe(`~ profile
    email_notifications: true -> false
1 to update; 0 are as wanted
`)
  })
})
