/** What a plan says of each kind of object, to the word, and what a file may say of it (state.md, The file). */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { test } from './support/account-files'
import { between } from './support/between'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { lossyProxy } from './support/lossy'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXGjOFBBCaXCSoDuyQ7JVdE5Zz4dVeAcWhmqDcj4Q8T'
const long = 'x'.repeat(65)
const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }'

describe('a file', () => {
  test.for<[what: string, text: string, ...problems: string[]]>([
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
    [
      'nothing for a list',
      'firewalls:\n  web:\n    devices:\n      computes:\n    tests: {}',
      'a.yaml:4: firewalls.web.devices.computes: Must be an array, but has no value',
      'a.yaml:5: firewalls.web.tests: Must be an array, not an object. Begin each item with "- "',
    ],
    ['a key without its text', 'sshkeys:\n  laptop:\n    {}', 'a.yaml:2: sshkeys.laptop.ssh_key: is required'],
    [
      'a rule without its action',
      'firewalls:\n  web:\n    rules:\n      inbound:\n        - protocol: icmp\n          addresses: { ipv4: [0.0.0.0/0] }',
      'a.yaml:5: firewalls.web.rules.inbound[0].action: is required',
    ],
    [
      'a side that is left empty',
      'firewalls:\n  web:\n    rules:\n      inbound:\n      outbound: []',
      'a.yaml:4: firewalls.web.rules.inbound: Must be an array, but has no value',
    ],
    [
      'a test that is none',
      'firewalls:\n  web:\n    tests:\n      - ssh',
      'a.yaml:4: firewalls.web.tests[0]: Must be an object, not a text',
    ],
    [
      'a test without a protocol, one that expects nothing, and one with a key that is none',
      'firewalls:\n  web:\n    tests:\n      - { from: 203.0.113.9 }\n      - { protocol: icmp, from: 203.0.113.9 }\n      - { ports: 22 }',
      'a.yaml:4: firewalls.web.tests[0]: protocol is required',
      'a.yaml:5: firewalls.web.tests[1]: expect is required',
      'a.yaml:6: firewalls.web.tests[2].ports: unknown key. Did you mean "port"?',
    ],
    [
      'a key and a file that holds it',
      `sshkeys:\n  k:\n    file: k.pub\n    ssh_key: ${key}`,
      'a.yaml:3: sshkeys.k.file: ssh_key sets the same, so set only one of them',
    ],
    ['a region without a name', "defaults: { region: '' }", 'a.yaml:1: defaults.region: Must be a name'],
    [
      'a name that is no text',
      'rdns:\n  192.0.2.11: 7',
      'a.yaml:2: rdns.192.0.2.11: Must be a string, not a number. Put it in quotes',
    ],
    ['an owner without a letter', "volumes:\nowner: ''", 'a.yaml:2: owner: Must be a tag'],
    ['a default that is no text', 'defaults:\n  region: 5', 'a.yaml:2: defaults.region: Must be a name'],
    ['defaults that are a list', 'volumes:\ndefaults: [a]', 'a.yaml:2: defaults: Must be an object, not a list'],
    ['a list for the whole', '- volumes', 'a.yaml: Must be an object, not a list'],
    ['a text for a volume', 'volumes:\n  data: big', 'a.yaml:2: volumes.data: Must be an object, not a text'],
    ['nothing for the profile', 'volumes:\nprofile: 7', 'a.yaml:2: profile: Must be an object, not a number'],
  ])(
    'is refused with its line before anything is asked: %s',
    async ([, text, ...found], { skyctl, file, problems, world }) => {
      const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ exit, problems: problems(stderr) }).toEqual({ exit: 2, problems: found })
      expect(world.requests()).toEqual([])
    },
  )

  test('in JSON has its lines as well', async ({ skyctl, file, problems }) => {
    const lines = '{\n"volumes": {\n"a": {"size": 0}\n}\n}'
    expect(problems((await skyctl(`plan ${file('a.json', lines)}`)).stderr)).toEqual([
      'a.json:3: volumes.a.size: Must be 1 or greater',
    ])
  })

  test('may name others of its folder, which are a part of it and no files of an account', async ({
    skyctl,
    file,
    home,
    problems,
    world,
  }) => {
    world.network.firewall({ label: 'gate', rules: ruleSet() })
    const rules = (policy: string) => file('account/a-rules.yaml', `inbound: []\ninbound_policy: ${policy}\n`)
    rules('drop')
    file('account/gate.yaml', 'firewalls:\n  gate: { rules: a-rules.yaml }\n')
    expect((await skyctl(`plan ${home}/account`)).stdout).toBe('No changes; 1 unchanged\n')
    rules('maybe')
    expect(problems((await skyctl(`plan ${home}/account`)).stderr)).toEqual([
      'account/a-rules.yaml:2: firewalls.gate.rules.inbound_policy: Must be one of: ACCEPT, DROP',
    ])
    file('account/other.yaml', 'inbound: []\n')
    expect(problems((await skyctl(`plan ${home}/account`)).stderr)).toHaveLength(2)
  })

  test.for([
    ['a.yaml/b', 'cannot read "a.yaml/b": ENOTDIR'],
    ['x'.repeat(300), `cannot read "${'x'.repeat(300)}": ENAMETOOLONG`],
    ['none', 'cannot read "none": no such file'],
  ] as const)('that cannot be read is no defect of skyctl: %s', async ([path, said], { skyctl, file, home }) => {
    file('a.yaml', '')
    const { exit, stderr } = await skyctl(`plan ${home}/${path}`)
    expect({ exit, stderr: stderr.replaceAll(`${home}/`, '') }).toEqual({ exit: 12, stderr: `skyctl: ${said}\n` })
  })

  test('is no plan that was kept, which stands by itself', async ({ skyctl, file, home, problems, world }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    await skyctl(`plan ${path} --out ${home}/kept.json`)
    for (const words of [`plan ${home}/kept.json`, `apply ${home}/kept.json ${path} --yes`]) {
      const { exit, stderr } = await skyctl(words)
      expect({ exit, problems: problems(stderr) }).toEqual({
        exit: 2,
        problems: ['kept.json: it is a saved plan, which only apply accepts, without other files'],
      })
    }
    expect(world.requests('POST')).toEqual([])
  })

  test('may be stdin, once, and no file names it', async ({ skyctl, file, problems }) => {
    const stdin = 'volumes: { data-1: {} }'
    const { exit, stderr } = await skyctl('plan - -', { stdin })
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: 'skyctl: "-" is named twice: stdin is read once\n' })
    for (const words of ['plan -', `plan ${file('a.yaml', 'sshkeys: { k: { file: "-" } }')}`]) {
      const wrong = await skyctl(words, { stdin: 'sshkeys: { k: { file: "-" } }' })
      expect(problems(wrong.stderr).join()).toMatch(/1: sshkeys.k.file: cannot read ".*-": no such file$/)
    }
  })

  test('has one owner, whatever the number of files in a folder', async ({ skyctl, file, home, problems }) => {
    for (const at of [0, 1]) file(`all/${at}.yaml`, 'owner: team\n')
    expect((await skyctl(`plan ${home}/all`)).exit).toBe(0)
    file('all/2.yaml', 'owner: other\n')
    const { exit, stderr } = await skyctl(`plan ${home}/all`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: ['all/2.yaml:1: owner: all/0.yaml:1 says "team"'],
    })
  })

  test('that names an owner is planned by whoever may read its kinds, and what was not looked at is named', async ({
    skyctl,
    file,
    world,
  }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('a.yaml', 'owner: team\nvolumes: { data-1: {} }')
    expect(await skyctl(`plan ${path}`, { env })).toEqual({
      exit: 0,
      stdout: 'No changes; 1 unchanged\n',
      stderr:
        'skyctl: warning: the token may not read firewalls, so the plan lacks those with the tag "team" that are in no file\n',
    })
    expect(await skyctl(`plan ${path} --prune`, { env })).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('lacks the scope firewall:read_only'),
    })
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0, stderr: '' })
  })

  test('has one region for new volumes, whatever the number of files in a folder', async ({
    skyctl,
    file,
    home,
    problems,
  }) => {
    const add = (at: number, region: string) =>
      file(`all/${at}.yaml`, `defaults: { region: ${region} }\nvolumes: { v${at}: {} }\n`)
    for (const at of [0, 1]) add(at, 'us-east')
    expect((await skyctl(`plan ${home}/all`)).stdout).toContain('2 to create')
    add(2, 'us-ord')
    const { exit, stderr } = await skyctl(`plan ${home}/all`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: ['all/2.yaml:1: defaults.region: all/0.yaml:1 says "us-east"'],
    })
  })

  test('that holds an empty object, or names a kind alone, wants nothing', async ({ skyctl, file }) => {
    for (const text of ['volumes:\n', '{}']) {
      const { stdout } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ text, stdout }).toEqual({ text, stdout: 'No changes\n' })
    }
    const bare = 'volumes:\n  data-1:\nfirewalls: { web: }\n'
    expect((await skyctl(`plan ${file('a.yaml', bare)}`)).stdout).toBe('No changes; 2 unchanged\n')
  })

  test('with mistakes ends with their number', async ({ skyctl, file }) => {
    const last = async (text: string) => (await skyctl(`plan ${file('a.yaml', text)}`)).stderr.split('\n').at(-2)
    expect(await last('owner: []')).toBe('1 problem; nothing was sent')
    expect(await last('owner: []\nother: 1')).toBe('2 problems; nothing was sent')
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
    expect((await skyctl(`plan ${same}`)).stdout).toBe('No changes; 1 unchanged\n')
    const path = file('a.yaml', `sshkeys: { notebook: { ssh_key: "${other}" }, new: { ssh_key: "${key}" } }`)
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ SSH key "notebook" (${id})
    ssh-ed25519 key
    another ssh-ed25519 key of this label is deleted
    destroys: the key with this label; instances keep their copies
+ SSH key "new"
    ssh-ed25519 key
1 to create, 1 to update; 0 unchanged
`)
    const made = world.profile.sshkeys.size
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.profile.sshkeys.get(id)).toBeUndefined()
    expect(world.profile.sshkeys.size).toBe(made + 1)
    expect((await skyctl(`plan ${path}`)).stdout).toBe('No changes; 2 unchanged\n')
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

describe('of an account', () => {
  const ofOwner = ['networking/firewalls', 'networking/firewalls/:id/devices']

  test.for<[text: string, read: string[], flags?: string]>([
    ['profile: {}', ['profile']],
    // Addresses tell which instances there are, and where.
    ['firewalls: { web: {} }', ['networking/firewalls', 'networking/firewalls/:id/devices', 'networking/ips']],
    ['volumes: { data-1: {} }', ['networking/ips', 'volumes']],
    ['owner: team\nprofile: {}', [...ofOwner, 'profile', 'volumes']],
    ['owner: team\nprofile: {}', [...ofOwner, 'networking/ips', 'profile', 'volumes'], '--prune'],
    ['owner: team\nvolumes: { data-1: {} }', [...ofOwner, 'networking/ips', 'volumes']],
  ])(
    'only that is read which the file is about, may remove, or needs, and once: %s, %s',
    async ([text, read, flags = ''], { skyctl, file, world }) => {
      expect(await skyctl(`plan ${file('a.yaml', text)} ${flags}`)).toMatchObject({ exit: 0, stderr: '' })
      const asked = world.requests().map(({ path }) => path)
      const paths = asked.map((path) => path.slice(1).replace(/\?.*/, '').replace(/\d+/, ':id'))
      expect([...new Set(paths)].sort()).toEqual(read)
      expect(asked).toEqual([...new Set(asked)])
    },
  )

  test('a token need not read what would only be good to know, and must read the rest', async ({
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    expect((await skyctl(`plan ${path} --exit-code`, { env })).exit).toBe(13)
    expect((await skyctl(`plan ${path}`, { env: { SKYCTL_TOKEN: world.token('ips:read_only') } })).exit).toBe(4)
    const proxy = await between(sandbox.baseUrl, {
      before: ({ path }) => (path.startsWith('/networking/ips') ? 'drop' : undefined),
    })
    const { exit, stdout } = await skyctl(`plan ${path}`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
  })

  test('what --prune leaves alone keeps its services', async ({ skyctl, file, world, problems }) => {
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

describe('each step', () => {
  const steps = async (
    text: string,
    {
      skyctl,
      file,
    }: { skyctl: (line: string) => Promise<{ stdout: string }>; file: (name: string, text: string) => string },
  ) => {
    const [object] = JSON.parse((await skyctl(`plan ${file('a.yaml', text)} --json`)).stdout).objects
    return object.steps.map(({ command, body }: Record<string, unknown>) => [command, body])
  }

  test('has the command that does it, and its body, for scripts', async ({ skyctl, file, world }) => {
    const on = { skyctl, file }
    expect(await steps('profile: { email_notifications: false }', on)).toEqual([
      [['skyctl', 'profile', 'update'], { email_notifications: false }],
    ])
    expect(await steps('rdns: { 192.0.2.11: www.example.com }', on)).toEqual([
      [['skyctl', 'ips', 'rdns', '192.0.2.11'], { rdns: 'www.example.com' }],
    ])
    const { id } = world.profile.sshkeys.add({ user: 1, label: 'notebook', ssh_key: other })
    expect(await steps(`sshkeys: { notebook: { ssh_key: "${key}" } }`, on)).toEqual([
      [['skyctl', 'profile', 'sshkeys', 'add'], { label: 'notebook', ssh_key: key }],
      [['skyctl', 'profile', 'sshkeys', 'delete', String(id)], undefined],
    ])
    const volume = world.volume({ label: 'free', size: 20, status: 'creating', compute_id: null })
    const grown = 'volumes: { free: { size: 30, compute_id: 1004, tags: [db] } }'
    expect(await steps(grown, on)).toEqual([
      [['skyctl', 'volumes', 'wait', String(volume.id)], undefined],
      [['skyctl', 'volumes', 'resize', String(volume.id)], { size: 30 }],
      [['skyctl', 'volumes', 'attach', String(volume.id)], { compute_id: 1004 }],
      [['skyctl', 'volumes', 'update', String(volume.id)], { tags: ['db'] }],
    ])
    expect(await steps('volumes: { data-1: { compute_id: null } }', on)).toEqual([
      [['skyctl', 'volumes', 'detach', '3001'], undefined],
    ])
  })

  test('of a firewall has its command and body, with what the file says and nothing else', async ({
    skyctl,
    file,
    world,
  }) => {
    const on = { skyctl, file }
    const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }
    const create = ['skyctl', 'firewalls', 'create']
    expect(await steps(`firewalls: { new: { ${drop} } }`, on)).toEqual([
      [create, { label: 'new', rules: { ...rules, inbound: [], outbound: [] } }],
    ])
    expect(await steps(`firewalls: { new: { ${drop}, devices: { computes: [1004] }, tags: [x] } }`, on)).toEqual([
      [create, expect.objectContaining({ devices: { computes: [1004], balancers: [] }, tags: ['x'] })],
    ])
    const off = world.network.firewall({ label: 'off', status: 'disabled' }).id
    const device = world.network.device(off, 'compute', 1004).id
    const words = (...more: (string | number)[]) => ['skyctl', 'firewalls', ...more.map(String)]
    expect(
      await steps('firewalls: { off: { status: enabled, devices: { computes: [1008] }, tags: [x] } }', on),
    ).toEqual([
      [words('devices', 'delete', off, device), undefined],
      [words('devices', 'add', off), { id: 1008, type: 'compute' }],
      [words('enable', off), undefined],
      [words('update', off), { tags: ['x'] }],
    ])
    expect(await steps('firewalls: { spare: { status: disabled } }', on)).toEqual([[words('disable', 4005), undefined]])
  })

  test('is done in the order of the plan, but for what makes room', async ({ skyctl, file, world }) => {
    const leaving = world.volume({ label: 'z', compute_id: 1004 }).id
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 }, z: { compute_id: null } }')
    expect(await skyctl(`apply ${path} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(world.requests('POST').map(({ path }) => path)).toEqual([
      '/volumes/3001/resize',
      `/volumes/${leaving}/detach`,
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

  test('that removes is done where somebody was faster', async ({ skyctl, file, sandbox, world }) => {
    const old = world.volume({ label: 'old', tags: ['team'] }).id
    const firewall = world.network.firewall({ label: 'old-web', tags: ['team'] }).id
    const twin = world.profile.sshkeys.add({ user: 1, label: 'notebook', ssh_key: other }).id
    const gone: string[] = []
    const proxy = await between(sandbox.baseUrl, {
      before({ method, path }) {
        if (method !== 'DELETE') return
        gone.push(path)
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
    expect(gone.length).toBeGreaterThan(0)
    const keys = world.profile.sshkeys.all().filter(({ label }) => label === 'notebook')
    expect(keys.map(({ ssh_key }) => ssh_key)).toEqual([key])
  })
})

describe('an address', () => {
  test('may be written in any form, and its name in capitals, and stands there once', async ({
    skyctl,
    file,
    problems,
    world,
  }) => {
    world.network.address({ address: '2001:db8::7', compute_id: 1001, rdns: 'a.example.com' })
    const same = file('a.yaml', 'rdns: { "2001:0DB8:0:0:0:0:0:7": A.example.com }')
    expect((await skyctl(`plan ${same}`)).stdout).toBe('No changes; 1 unchanged\n')
    const twice = file('b.yaml', 'rdns:\n  2001:db8::7: a.example.com\n  2001:DB8::7: a.example.com')
    expect(problems((await skyctl(`plan ${twice}`)).stderr)).toEqual([
      'b.yaml:3: rdns.2001:DB8::7: is already in b.yaml:2',
    ])
  })
})

describe('a volume', () => {
  test('that is made beside its instance is in its region, where anything tells that, and says so', async ({
    skyctl,
    file,
    world,
  }) => {
    // Only a firewall names it, which does not tell where it is.
    world.compute({ id: 7001, region: 'us-east' })
    world.network.device(world.network.firewall({ label: 'edge' }).id, 'compute', 7001)
    const text = `
owner: team
defaults: { region: eu-west }
volumes:
  a: { compute_id: 1001 }
  b: { compute_id: 7001, tags: [db, team] }
  c: { size: 30, compute_id: null }
  d: { region: us-east, compute_id: 7001 }
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
+ volume "d"
    20 GiB, in us-east, attached to 7001, tags team
    starts billing: 20 GiB, until it is deleted
4 to create; 0 unchanged
`)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const bodies = world.requests('POST').map(({ body }) => body)
    expect(bodies).toHaveLength(4)
    expect(bodies).toEqual(
      expect.arrayContaining([
        { label: 'a', compute_id: 1001, tags: ['team'] },
        { label: 'b', compute_id: 7001, tags: ['db', 'team'] },
        { label: 'c', size: 30, region: 'eu-west', tags: ['team'] },
        { label: 'd', region: 'us-east', compute_id: 7001, tags: ['team'] },
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
        consequences: [{ kind: 'starts billing', text: '20 GiB, until it is deleted', size: 20 }],
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
2 to update; 0 unchanged
`)
  })

  test('that --prune removes is detached first, which the plan says', async ({ skyctl, file, world }) => {
    const { id } = world.volume({ label: 'old', size: 30, tags: ['team'], compute_id: 1004 })
    const path = file('a.yaml', 'owner: team')
    expect((await skyctl(`plan ${path} --prune --max-deletes 1`)).stdout).toBe(`- volume "old" (${id})
    detached from compute instance 1004
    cuts off: compute instance 1004; unwritten data is lost
    deleted, with 30 GiB
    destroys: all of its data, for ever
1 to delete; 0 unchanged
`)
    expect(await skyctl(`apply ${path} --prune --max-deletes 1 --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(id)).toBeUndefined()
  })
})

describe('a firewall', () => {
  test('that somebody deletes while it is read fails nothing that is about others', async ({
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    const gone = world.network.firewall({ label: 'gone' })
    const proxy = await between(sandbox.baseUrl, {
      before({ path }) {
        if (path.startsWith(`/networking/firewalls/${gone.id}/devices`)) world.network.firewalls.delete(gone.id)
      },
    })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', 'firewalls: { web: {} }')}`, { env })
    await proxy.close()
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'No changes; 1 unchanged\n' })
    expect(world.network.firewalls.get(gone.id)).toBeUndefined()
  })

  test.for([
    ['refused', 403],
    ['not found by a gateway', 404],
    ['not answered', 503],
  ] as const)(
    'is not taken for gone where the list of its services is %s',
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

  test('that is new needs all of its rules, and says in one line each what it does', async ({
    skyctl,
    file,
    problems,
  }) => {
    const part = file('a.yaml', 'firewalls:\n  new:\n    rules: { inbound: [], inbound_policy: drop }')
    const { exit, stderr } = await skyctl(`plan ${part}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: ['a.yaml:3: firewalls.new.rules: A new firewall needs all of it: outbound_policy is required'],
    })
    const whole = `firewalls:
  new: { ${drop}, devices: { computes: [1004], balancers: [2002] }, tags: [b, a] }
  single: { ${drop}, devices: { computes: [1008] } }
  waits: { status: disabled, ${drop}, devices: { computes: [1005] } }
`
    const { stdout } = await skyctl(`plan ${file('b.yaml', whole)}`)
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
    no longer protects compute 1008
    unprotects: compute 1008 is open to all traffic
~ firewall "fw-disabled" (${off?.id})
    no longer protects compute 1008
2 to update; 0 unchanged
`)
  })

  test('that goes out of force and shall protect less leaves each service open once', async ({
    skyctl,
    file,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'edge' })
    for (const compute of [1004, 1008]) world.network.device(id, 'compute', compute)
    const path = file('a.yaml', 'firewalls: { edge: { status: disabled, devices: { computes: [1004] } } }')
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ firewall "edge" (${id})
    status: enabled -> disabled
    unprotects: compute 1004 is open to all traffic
    unprotects: compute 1008 is open to all traffic
    no longer protects compute 1008
1 to update; 0 unchanged
`)
  })

  test('that comes into force says of each service once what it does there', async ({ skyctl, file, world }) => {
    world.balancers.add({ id: 1004, label: 'twin', region: 'us-east' })
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh), status: 'disabled' })
    world.network.device(id, 'compute', 1008)
    world.network.device(id, 'balancer', 1004)
    const devices = 'devices: { computes: [1004, 1008], balancers: [1004] }'
    const path = file('a.yaml', `firewalls: { edge: { status: enabled, ${devices} } }`)
    const { steps } = JSON.parse((await skyctl(`plan ${path} --json`)).stdout).objects[0]
    const enable = steps.find(({ action }: { action: string }) => action === 'enable')
    expect(enable.changes).toEqual(['status: disabled -> enabled'])
    const told = enable.consequences.flatMap(({ services }: { services: { type: string; id: number }[] }) =>
      services.map((one) => `${one.type} ${one.id}`),
    )
    expect([...new Set(told)].sort()).toEqual(['balancer 1004', 'compute 1004', 'compute 1008'])
    for (const { services } of enable.consequences) {
      const named = services.map((one: { type: string; id: number }) => `${one.type} ${one.id}`)
      expect(named).toEqual([...new Set(named)])
    }
  })

  test('that gets services says of each what its rules do there, also where two types share an ID', async ({
    skyctl,
    file,
    world,
  }) => {
    world.balancers.add({ id: 1004, label: 'twin', region: 'us-east' })
    world.network.firewall({ label: 'edge', rules: ruleSet(ssh) })
    const path = file('a.yaml', 'firewalls: { edge: { devices: { computes: [1004, 1008], balancers: [1004] } } }')
    const { steps } = JSON.parse((await skyctl(`plan ${path} --json`)).stdout).objects[0]
    const added = [
      { id: 1004, type: 'compute' },
      { id: 1008, type: 'compute' },
      { id: 1004, type: 'balancer' },
    ]
    expect(steps).toMatchObject(added.map((one) => ({ body: one, consequences: [{ services: [one] }] })))
  })

  test('that is new says what its rules block at the services that it gets', async ({ skyctl, file }) => {
    const text = `firewalls: { new: { ${drop}, devices: { computes: [1004, 1008] } } }`
    const { steps } = JSON.parse((await skyctl(`plan ${file('a.yaml', text)} --json`)).stdout).objects[0]
    const all = { protocol: expect.any(String), ports: null }
    expect(steps).toMatchObject([
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

  test('that takes over a service says what its rules block there that those before allowed', async ({
    skyctl,
    file,
    world,
  }) => {
    world.network.device(world.network.firewall({ label: 'old', rules: ruleSet(ssh, web) }).id, 'compute', 1004)
    world.network.device(world.network.firewall({ label: 'waits', status: 'disabled' }).id, 'compute', 1004)
    world.network.firewall({ label: 'next', rules: ruleSet(ssh) })
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
    ['shall be disabled', 'enabled', 'status: disabled, '],
  ] as const)('that %s blocks nothing by its new rules', async ([, status, more], { skyctl, file, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh), status })
    world.network.device(id, 'compute', 1004)
    const path = file('a.yaml', `firewalls: { edge: { ${more}rules: { inbound: [] } } }`)
    const { steps } = JSON.parse((await skyctl(`plan ${path} --json`)).stdout).objects[0]
    const consequences = steps.flatMap((step: { action: string; consequences: object[] }) =>
      step.action === 'rules' ? step.consequences : [],
    )
    expect({ actions: steps.map(({ action }: { action: string }) => action), consequences }).toEqual({
      actions: expect.arrayContaining(['rules']),
      consequences: [],
    })
  })

  test('keeps rules of other clients that the file does not touch', async ({ skyctl, file, world }) => {
    const foreign = { ...ssh, protocol: 'ALL', ports: undefined }
    world.network.firewall({ label: 'edge', rules: { ...ruleSet(ssh), outbound: [foreign] } as never })
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', 'firewalls: { edge: { rules: { inbound: [] } } }')}`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('removed  inbound 1') })
  })

  test('of which the file says nothing about services is not blamed for what another one wants', async ({
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

  test('goes out of force before the one comes that takes over some of what it protects', async ({
    skyctl,
    file,
    world,
  }) => {
    const [old, next] = (['enabled', 'disabled'] as const).map((status) => {
      const one = world.network.firewall({ label: `fw-${status}`, status })
      world.network.device(one.id, 'compute', 1004)
      if (status === 'enabled') world.network.device(one.id, 'compute', 1008)
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

  test('whose rules change names the services that it keeps among those that lose traffic', async ({
    skyctl,
    file,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh, web) })
    for (const compute of [1004, 1008]) world.network.device(id, 'compute', compute)
    const rules = 'rules: { inbound: [] }'
    const path = file('a.yaml', `firewalls: { edge: { ${rules}, devices: { computes: [1004] } } }`)
    const { steps } = JSON.parse((await skyctl(`plan ${path} --json`)).stdout).objects[0]
    const change = steps.find(({ action }: { action: string }) => action === 'rules')
    expect(change.consequences).toMatchObject([{ kind: 'cuts off', services: [{ type: 'compute', id: 1004 }] }])
  })
})

describe('a test of a firewall', () => {
  const closed = { ...ruleSet(ssh), outbound_policy: 'ACCEPT' }
  const packet = 'from: 203.0.113.9, protocol: tcp, port: 22'

  test.for<[what: string, test: string, reason: string]>([
    [
      'one that a rule judges otherwise',
      `{ ${packet}, expect: drop }`,
      'ACCEPT by inbound rule 1, but DROP is expected',
    ],
    [
      'one with a name',
      `{ ${packet}, expect: drop, name: nobody has SSH }`,
      '"nobody has SSH": ACCEPT by inbound rule 1, but DROP is expected',
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

  test('cannot be met where a rule of another client decides, which nobody can judge', async ({
    skyctl,
    file,
    problems,
    world,
  }) => {
    const foreign = { ...ssh, protocol: 'ALL', ports: undefined }
    world.network.firewall({ label: 'edge', rules: ruleSet(foreign) as never })
    const path = file('a.yaml', `firewalls:\n  edge:\n    tests:\n      - { ${packet}, expect: accept }`)
    expect(problems((await skyctl(`plan ${path}`)).stderr)).toEqual([
      'a.yaml:4: firewalls.edge.tests[0]: inbound rule 1 cannot be judged, but ACCEPT is expected',
    ])
  })

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
      `    authorized_keys: none -> ${other.slice(0, 20)}...${other.slice(-20)}, short`,
      '    cuts off: users of other authentication methods of the remote shell',
    ])
  })

  test('says of what else it changes no such thing', async ({ skyctl, file }) => {
    const { stdout } = await skyctl(`plan ${file('a.yaml', 'profile: { email_notifications: false }')}`)
    expect(stdout).toBe(`~ profile
    email_notifications: true -> false
1 to update; 0 unchanged
`)
  })

  test.for([
    ['shell_auth_method: keys_only', true],
    ['authorized_keys: [short]', true],
    ['authorized_keys: [short], timezone: UTC', true],
    ['authorized_keys: null', undefined],
    ['timezone: UTC', undefined],
  ] as const)('says it where the way changes, among others too: %s', async ([fields, cuts], { skyctl, file }) => {
    const { stdout } = await skyctl(`plan ${file('a.yaml', `profile: { ${fields} }`)}`)
    expect(stdout.includes('cuts off: users of other authentication methods of the remote shell') || undefined).toBe(
      cuts,
    )
  })
})
