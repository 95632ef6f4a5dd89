/** What a plan refuses before anything is sent, and the orders in which what can be reached is (state.md). */
import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { test } from './support/account-files'
import { ruleSet, ssh } from './support/firewall-rules'

const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const rules = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ssh, label: `rule-${index}` }))

describe('what cannot be reached', () => {
  test.for<[what: string, text: string, problem: string, code?: number]>([
    [
      'a new volume beside its instance',
      'volumes:\n  new: { region: us-east, compute_id: 1003 }',
      'a.yaml:2: volumes.new.compute_id: Compute instance 1003 is in us-ord, the volume in us-east',
    ],
    [
      'a volume moved to an instance of another region',
      'volumes:\n  data-1: { compute_id: 1003 }',
      'a.yaml:2: volumes.data-1.compute_id: Compute instance 1003 is in us-ord, the volume in us-east',
    ],
    [
      'a new volume at an instance that nothing names',
      'volumes:\n  new: { compute_id: 999999 }',
      'a.yaml:2: volumes.new.compute_id: No address, volume or firewall names compute instance 999999',
      5,
    ],
    [
      'a volume that exists in a region that does not',
      'volumes:\n  data-1:\n    region: eu-wset',
      'a.yaml:3: volumes.data-1.region: "eu-wset" is not a region. Did you mean "eu-west"?',
      5,
    ],
    [
      'a new volume in such a region beside its instance',
      'volumes:\n  new:\n    region: eu-wset\n    compute_id: 1001',
      'a.yaml:3: volumes.new.region: "eu-wset" is not a region. Did you mean "eu-west"?',
      5,
    ],
    [
      'the name of a private address',
      'rdns:\n  192.168.128.11: a.example.com',
      'a.yaml:2: rdns.192.168.128.11: A private address has no reverse DNS',
    ],
    [
      'the default name of a private address',
      'rdns:\n  192.168.128.11: null',
      'a.yaml:2: rdns.192.168.128.11: A private address has no reverse DNS',
    ],
    [
      'an SSH key of a type that the service refuses',
      'sshkeys:\n  old:\n    ssh_key: ssh-old AAAAB3NzaC1kc3MAAAA',
      expect.stringMatching(/^a\.yaml:3: sshkeys\.old\.ssh_key: Must begin with one of: ssh-ed25519, /),
    ],
    [
      'a firewall in force beside another one that no file names',
      'firewalls:\n  web-strict:\n    status: enabled',
      'a.yaml:3: firewalls.web-strict.status: compute 1001 is protected by firewall "web", and only one that is enabled can be',
    ],
    [
      'a new firewall for a service that has one',
      `firewalls:\n  new:\n    ${drop}\n    devices: { computes: [1003] }`,
      'a.yaml:4: firewalls.new.devices.computes: compute 1003 is protected by firewall "database", and only one that is enabled can be. It looks like firewall "database" (4003), which is in no file. To rename that one instead, add to its entry: was: "database" (a.yaml:2)',
    ],
    [
      'a balancer that has another firewall',
      `firewalls:\n  new:\n    ${drop}\n    devices:\n      balancers: [2001]`,
      'a.yaml:5: firewalls.new.devices.balancers: balancer 2001 is protected by firewall "web", and only one that is enabled can be',
    ],
    [
      'a name that is no domain name',
      'rdns:\n  192.0.2.11: mail',
      'a.yaml:2: rdns.192.0.2.11: "mail" is not a domain name. Write it in full, as in mail.example.net',
      2,
    ],
  ])(
    'is refused with its line, and nothing is sent: %s',
    async ([, text, problem, code = 6], { skyctl, file, problems, world }) => {
      for (const command of ['plan', 'apply --yes']) {
        const { exit, stdout, stderr } = await skyctl(`${command} ${file('a.yaml', text)}`)
        expect({ exit, stdout, problems: problems(stderr) }).toEqual({ exit: code, stdout: '', problems: [problem] })
      }
      expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  test('is an unknown region and an unknown instance of one new volume, both at once', async ({
    skyctl,
    file,
    problems,
  }) => {
    const text = 'volumes:\n  new:\n    region: us-esat\n    compute_id: 999999'
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, places: problems(stderr).map((line) => line.split(': ', 2).join(': ')) }).toEqual({
      exit: 5,
      places: ['a.yaml:3: volumes.new.region', 'a.yaml:4: volumes.new.compute_id'],
    })
  })

  test('is no region that a volume is in, although the list of regions lacks it', async ({ skyctl, file, world }) => {
    world.volume({ label: 'old', region: 'us-retired' })
    const path = file('a.yaml', 'volumes: { old: { region: us-retired } }')
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0, stdout: 'No changes; 1 unchanged\n' })
  })

  test('is refused where rules of the file and those that stand are over 25 together', async ({
    skyctl,
    file,
    problems,
    world,
  }) => {
    world.network.firewall({ label: 'full', rules: { ...ruleSet(), outbound: rules(20) } })
    const text = (count: number) => `firewalls:\n  full:\n    rules:\n      inbound: ${JSON.stringify(rules(count))}\n`
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text(6))}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: ['a.yaml:3: firewalls.full.rules: With the current rules: Too many rules submitted. Max allowed is 25'],
    })
    expect((await skyctl(`apply ${file('a.yaml', text(5))} --yes`)).exit).toBe(0)
  })

  test('is not refused for the current rules where the file says nothing of rules', async ({ skyctl, file, world }) => {
    const { id } = world.network.firewall({ label: 'over', rules: ruleSet(...rules(26)) })
    expect(await skyctl(`apply ${file('a.yaml', 'firewalls: { over: { tags: [x] } }')} --yes`)).toMatchObject({
      exit: 0,
    })
    expect(world.network.firewalls.get(id)?.tags).toEqual(['x'])
  })

  test('is refused where the account has a key of that label twice', async ({ skyctl, file, problems }) => {
    const ids: number[] = []
    for (let count = 0; count < 2; count += 1) {
      const line = 'profile sshkeys add --label twice --ssh-key - --allow-duplicate --json'
      ids.push(JSON.parse((await skyctl(line, { stdin: key })).stdout).id)
    }
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', `sshkeys:\n  twice: { ssh_key: ${key} }`)}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [`a.yaml:2: sshkeys.twice: 2 SSH keys of the account have this label: ${ids.join(', ')}`],
    })
  })

  const twiceLabelled = 'firewalls:\n  twice: { tags: [x] }'

  test.for<[what: string, text: string, code: ErrorCode, causes: ErrorCode[]]>([
    ['a volume shall shrink', 'volumes: { data-1: { size: 10 } }', 'conflict', ['conflict']],
    ['a volume shall change its region', 'volumes: { data-1: { region: eu-west } }', 'conflict', ['conflict']],
    [
      'an attached volume shall go to another region',
      'volumes: { data-1: { compute_id: 1003 } }',
      'conflict',
      ['conflict'],
    ],
    [
      'a new volume is in another region than its instance',
      'volumes: { new: { region: us-east, compute_id: 1003 } }',
      'conflict',
      ['conflict'],
    ],
    [
      'a service has another firewall',
      'firewalls: { spare: { devices: { computes: [1003] } } }',
      'conflict',
      ['conflict'],
    ],
    [
      'a firewall shall be enabled beside another one',
      'firewalls: { web-strict: { status: enabled } }',
      'conflict',
      ['conflict'],
    ],
    ['a label stands twice', twiceLabelled, 'refused', ['refused']],
    ['an instance is unknown', 'volumes: { data-1: { compute_id: 4711 } }', 'not_found', ['not_found']],
    ['an address is unknown', 'rdns: { 198.51.100.1: a.example.com }', 'not_found', ['not_found']],
    ['an address is private', 'rdns: { 192.168.128.11: a.example.com }', 'refused', ['refused']],
    ['a region is unknown', 'volumes: { data-1: { region: us-esat } }', 'not_found', ['not_found']],
    [
      'the causes agree',
      'volumes: { data-1: { size: 10 } }\nfirewalls: { spare: { devices: { computes: [1003] } } }',
      'conflict',
      ['conflict', 'conflict'],
    ],
    ['the causes differ', `volumes: { data-1: { size: 10 } }\n${twiceLabelled}`, 'refused', ['conflict', 'refused']],
    [
      'the file is wrong, too',
      'volumes: { data-1: { size: 10 } }\nrdns: { 192.0.2.11: mail }',
      'usage',
      ['conflict', 'usage'],
    ],
  ])(
    'has one cause in plan, apply and a saved plan where %s',
    async ([, text, code, causes], { skyctl, file, world, home }) => {
      // The API keeps labels of firewalls unique; somebody's labels may stand twice all the same.
      for (const id of [9101, 9102]) world.network.firewall({ id, label: 'twice' })
      const path = file('a.yaml', text)
      const lines = [
        `plan ${path}`,
        `plan ${path} --out ${home}/plan.json`,
        `apply ${path} --dry-run`,
        `apply ${path} --yes`,
      ]
      for (const line of lines) {
        const { exit, stdout, stderr } = await skyctl(`${line} --json`)
        const { error } = JSON.parse(stderr)
        const each = error.failures.map((one: { error: { code: string; exit_code: number } }) => one.error)
        expect({ line, exit, stdout, code: error.code, causes: each.map((one: { code: string }) => one.code) }).toEqual(
          {
            ...{ line, exit: exitCodes[code], stdout: '' },
            ...{ code, causes },
          },
        )
        expect(each.map((one: { exit_code: number }) => one.exit_code)).toEqual(causes.map((cause) => exitCodes[cause]))
        expect(await skyctl(line)).toMatchObject({ exit: exitCodes[code], stdout: '' })
      }
      expect(existsSync(`${home}/plan.json`)).toBe(false)
      expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  test('has its cause where a saved plan meets it later', async ({ skyctl, file, world, home }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }\nsshkeys: {}')
    const out = `${home}/plan.json`
    expect(await skyctl(`plan ${path} --out ${out}`)).toMatchObject({ exit: 0 })
    const volume = world.volumes.get(3001)
    if (volume) world.volumes.put({ ...volume, size: 80 })
    const { exit, stderr } = await skyctl(`apply ${out} --yes --json`)
    const { error } = JSON.parse(stderr)
    expect({ exit, code: error.code, message: error.failures[0].error.message }).toEqual({
      exit: 6,
      code: 'conflict',
      message: 'volumes.data-1.size: It has 80 GiB, and a volume cannot shrink',
    })
    expect(world.volumes.get(3001)?.size).toBe(80)
  })

  test('is told all at once, of every kind', async ({ skyctl, file, problems }) => {
    const text = `volumes:
  data-1: { size: 10 }
  database: { region: us-east }
firewalls:
  spare: { devices: { computes: [1003] } }
rdns:
  198.51.100.1: a.example.com`
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, lines: problems(stderr).map((line) => line.split(': ', 2).join(': ')) }).toEqual({
      exit: 6,
      lines: [
        'a.yaml:2: volumes.data-1.size',
        'a.yaml:3: volumes.database.region',
        'a.yaml:5: firewalls.spare.devices.computes',
        'a.yaml:7: rdns.198.51.100.1',
      ],
    })
  })

  test.for<[what: string, text: string, problem: string]>([
    [
      'a second balancer',
      'firewalls:\n  spare:\n    devices:\n      balancers: [2001, 2002]',
      'a.yaml:4: firewalls.spare.devices.balancers: Only one balancer can be assigned to a firewall',
    ],
    [
      '26 rules',
      `firewalls:\n  spare:\n    rules:\n      inbound: ${JSON.stringify(rules(26))}`,
      'a.yaml:3: firewalls.spare.rules: Too many rules submitted. Max allowed is 25',
    ],
  ])('is no file where no account could be so: %s', async ([, text, problem], { skyctl, file, problems, world }) => {
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect({ exit, problems: problems(stderr) }).toEqual({ exit: 2, problems: [problem] })
    expect(world.requests()).toEqual([])
  })
})

describe('what changes hands', () => {
  test('is a volume that is attached elsewhere: it is detached from there first, which the plan says', async ({
    skyctl,
    file,
    world,
  }) => {
    const path = file('a.yaml', 'volumes: { data-1: { compute_id: 1002 } }')
    expect((await skyctl(`plan ${path}`)).stdout).toBe(`~ volume "data-1" (3001)
    detached from compute instance 1001
    cuts off: compute instance 1001; unwritten data is lost
    attached to compute instance 1002
1 to update; 0 unchanged
`)
    expect((await skyctl(`apply ${path} --yes`)).exit).toBe(0)
    expect(world.volumes.get(3001)?.compute_id).toBe(1002)
    expect(world.requests('POST').map(({ path }) => path)).toEqual(['/volumes/3001/detach', '/volumes/3001/attach'])
  })

  test('is the room of an instance: who leaves it goes before who comes (api.md, Limits)', async ({
    skyctl,
    file,
    world,
  }) => {
    world.volume({ label: 'z-leaves', compute_id: 1004 })
    world.volume({ label: 'a-comes' })
    const text =
      'volumes:\n  a-comes: { compute_id: 1004 }\n  new: { compute_id: null, region: us-east }\n  z-leaves: { compute_id: null }\n'
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    const there = world.volumes.all().filter(({ compute_id }) => compute_id === 1004)
    expect(there.map(({ label }) => label)).toEqual(['a-comes'])
  })

  test('is a service whose firewall --prune removes', async ({ skyctl, file, world }) => {
    const old = world.network.firewall({ label: 'old', tags: ['team'] })
    for (const id of [1004, 1008]) world.network.device(old.id, 'compute', id)
    const path = file('a.yaml', `owner: team\nfirewalls:\n  new: { ${drop}, devices: { computes: [1004] } }\n`)
    expect((await skyctl(`plan ${path}`)).exit).toBe(6)
    expect((await skyctl(`plan ${path} --prune`)).stdout).toBe(`- firewall "old" (${old.id})
    no longer protects compute 1004
    unprotects: compute 1004 is open to all traffic for a moment, until firewall "new" protects it
    deleted
    destroys: all of its rules
    unprotects: compute 1008 is open to all traffic
+ firewall "new"
    protects nothing yet, tags team
    policy   inbound: none -> DROP
    policy   outbound: none -> ACCEPT
    protects compute 1004
    cuts off: newly blocked at tiny-1: all traffic from 0.0.0.0/0, ::/0
1 to create, 1 to delete; 0 unchanged
`)
    expect(await skyctl(`apply ${path} --prune --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(old.id)).toBeUndefined()
    const [made] = world.network.firewalls.all().filter(({ label }) => label === 'new')
    expect(world.network.devicesOf(made?.id ?? 0).map(({ entity }) => entity)).toEqual([1004])
  })

  test('is a service that has a firewall in waiting: one goes out of force before the other comes', async ({
    skyctl,
    file,
    world,
  }) => {
    const path = file('a.yaml', 'firewalls:\n  web-strict: { status: enabled }\n  web: { status: disabled }\n')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect([4001, 4002].map((id) => world.network.firewalls.get(id)?.status)).toEqual(['disabled', 'enabled'])
    expect(world.requests('PUT').map(({ path }) => path)).toEqual([
      '/networking/firewalls/4001',
      '/networking/firewalls/4002',
    ])
  })

  test('is no service of a firewall that is out of force, even where the file does not say that it is', async ({
    skyctl,
    file,
  }) => {
    const text = 'firewalls:\n  web-strict: { devices: { computes: [1001] } }\n  web: { status: enabled }\n'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 2 unchanged\n')
  })

  test('is nothing where a new firewall is to wait, out of force, beside the one that protects', async ({
    skyctl,
    file,
    world,
  }) => {
    const path = file('a.yaml', `firewalls:\n  next: { status: disabled, ${drop}, devices: { computes: [1003] } }\n`)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const next = world.network.firewalls.all().find(({ label }) => label === 'next')
    expect(next?.status).toBe('disabled')
    expect(world.network.devicesOf(next?.id ?? 0).map(({ entity }) => entity)).toEqual([1003])
    expect((await skyctl(`plan ${path} --exit-code`)).exit).toBe(0)
  })

  test('a service that is named twice is protected once', async ({ skyctl, file, world }) => {
    const text = `firewalls:\n  spare: { devices: { computes: [1004, 1004] } }\n  new: { ${drop}, devices: { computes: [1008, 1008] } }\n`
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.devices.all().filter(({ entity }) => entity === 1004 || entity === 1008)).toHaveLength(2)
  })
})

describe('what only the service knows', () => {
  test('a volume that is not ready yet is grown when it is', async ({ skyctl, file, world }) => {
    expect((await skyctl('volumes resize data-2 --size 30')).exit).toBe(0)
    const path = file('a.yaml', 'volumes: { data-2: { size: 40 } }')
    expect((await skyctl(`plan ${path}`)).stdout).toContain('    waits until it is active; it is resizing\n')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3002)?.size).toBe(40)
  })

  test('the failure of a single change names its object, and keeps its exit code', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'firewalls: { mover: { rules: { inbound: [] } } }')
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(/^skyctl: firewall "mover" \(4004\): Compute busy\. It may be migrating/m),
    })
  })

  test('an instance under migration fails what is about it and nothing else, and the next run does the rest', async ({
    skyctl,
    file,
    world,
  }) => {
    const text = `firewalls:
  mover: { rules: { inbound: [] } }
  next: { status: disabled, ${drop}, devices: { computes: [1007] } }
volumes:
  data-2: { size: 30 }
`
    const path = file('a.yaml', text)
    expect((await skyctl(`plan ${path}`)).exit).toBe(0)
    const { exit, stderr } = await skyctl(`apply ${path} --yes --json`)
    const { failures, message } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error
    const busy = 'Compute busy.'
    expect({ exit, message }).toEqual({
      exit: 9,
      message: `1 of 3 applied: firewall "mover" (4004): ${busy}; firewall "next": id: ${busy}`,
    })
    const hint = expect.stringContaining('migrating')
    expect(failures).toMatchObject([
      { target: 'firewall "mover" (4004)', error: { hint } },
      { target: 'firewall "next"', error: { hint } },
    ])
    expect(world.volumes.get(3002)?.size).toBe(30)
    const mover = world.computes.get(1007)
    if (mover) world.computes.put({ ...mover, live_migration: false })
    const sent = world.requests().length
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const changes = world
      .requests()
      .slice(sent)
      .filter(({ method }) => method !== 'GET')
    expect(changes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      expect.stringMatching(/^POST \/networking\/firewalls\/\d+\/devices$/),
      'PUT /networking/firewalls/4004/rules',
    ])
    expect((await skyctl(`plan ${path} --exit-code`)).exit).toBe(0)
  })
})
