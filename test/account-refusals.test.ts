/** Plans that are refused before anything is sent, and the order of steps that depend on each other. */
import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { test } from './support/account-files'
import { ruleSet, ssh } from './support/firewall-rules'

const drop = 'rules: { inbound_policy: drop, outbound_policy: accept }'
const rules = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ssh, label: `rule-${index}` }))
const shrinks = 'volumes: { data-1: { size: 10 } }'
const twiceLabelled = 'firewalls:\n  twice: { tags: [x] }'
const unknownInstance = 'No address, volume or firewall names compute instance 999999'
const onlyOneEnabled = 'and only one that is enabled can be'

describe('a plan', () => {
  test.for<[what: string, code: ErrorCode, text: string, ...failures: [ErrorCode, problem: string][]]>([
    [
      'a smaller size',
      'conflict',
      'volumes:\n  data-1:\n    size: 10',
      ['conflict', '3: volumes.data-1.size: It has 40 GiB, and a volume cannot shrink'],
    ],
    [
      'an instance that no address, volume or firewall names',
      'not_found',
      'volumes:\n  data-2:\n    compute_id: 999999',
      ['not_found', `3: volumes.data-2.compute_id: ${unknownInstance}`],
    ],
    [
      'a firewall for such an instance',
      'not_found',
      'firewalls:\n  spare:\n    devices: { computes: [999999] }',
      ['not_found', `3: firewalls.spare.devices.computes: ${unknownInstance}`],
    ],
    [
      'an unknown region of a new volume',
      'not_found',
      'volumes:\n  new:\n    region: eu-wset',
      ['not_found', '3: volumes.new.region: "eu-wset" is not a region. Did you mean "eu-west"?'],
    ],
    [
      'an unknown default region',
      'not_found',
      'defaults:\n  region: nowhere\nprofile: {}',
      ['not_found', '2: defaults.region: "nowhere" is not a region. See: skyctl regions list'],
    ],
    [
      'an unknown time zone',
      'refused',
      'profile:\n  timezone: Europe/Berln',
      [
        'refused',
        '2: profile.timezone: Must be a time zone of the IANA list, with its capitals, such as Europe/Berlin; a new zone may need a newer Node',
      ],
    ],
    [
      'the name of a private address',
      'refused',
      'rdns:\n  192.168.128.11: a.example.com',
      ['refused', '2: rdns.192.168.128.11: A private address has no reverse DNS'],
    ],
    [
      'a label that two firewalls have',
      'refused',
      twiceLabelled,
      [
        'refused',
        '2: firewalls.twice: 2 firewalls of the account have this label: 9101, 9102. Rename one: skyctl firewalls update 9101 --label twice-2',
      ],
    ],
    [
      'a new firewall without rules',
      'usage',
      'firewalls:\n  new: {}',
      ['usage', '2: firewalls.new.rules: A new firewall needs rules'],
    ],
    [
      'a new firewall with a part of its rules',
      'usage',
      'firewalls:\n  new:\n    rules: { inbound: [], inbound_policy: drop }',
      ['usage', '3: firewalls.new.rules: A new firewall needs all of it: outbound_policy is required'],
    ],
    [
      'a service that another firewall protects',
      'conflict',
      'firewalls:\n  spare:\n    devices: { computes: [1003] }',
      [
        'conflict',
        `3: firewalls.spare.devices.computes: compute 1003 is protected by firewall "database", ${onlyOneEnabled}`,
      ],
    ],
    [
      'a new firewall for a service that has one',
      'conflict',
      `firewalls:\n  new:\n    ${drop}\n    devices: { computes: [1003] }`,
      [
        'conflict',
        `4: firewalls.new.devices.computes: compute 1003 is protected by firewall "database", ${onlyOneEnabled}. It looks like firewall "database" (4003), which is in no file. To rename that one instead, add to its entry: was: "database" (a.yaml:2)`,
      ],
    ],
    [
      'a balancer that has another firewall',
      'conflict',
      `firewalls:\n  new:\n    ${drop}\n    devices:\n      balancers: [2001]`,
      [
        'conflict',
        `5: firewalls.new.devices.balancers: balancer 2001 is protected by firewall "web", ${onlyOneEnabled}`,
      ],
    ],
    [
      'an enabled firewall for a service of another one that is in no file',
      'conflict',
      'firewalls:\n  web-strict:\n    status: enabled',
      ['conflict', `3: firewalls.web-strict.status: compute 1001 is protected by firewall "web", ${onlyOneEnabled}`],
    ],
    [
      'two firewalls for one service',
      'conflict',
      'firewalls:\n  spare: { devices: { computes: [1008] } }\n  database: { devices: { computes: [1008] } }',
      ['conflict', expect.stringMatching(/^a\.yaml:2: firewalls\.spare\.devices\.computes: /)],
      ['conflict', expect.stringMatching(/^a\.yaml:3: firewalls\.database\.devices\.computes: /)],
    ],
    [
      'a test that the rules fail',
      'refused',
      'firewalls:\n  spare:\n    tests:\n      - { from: 203.0.113.9, protocol: tcp, port: 22, expect: accept }',
      ['refused', '4: firewalls.spare.tests[0]: DROP by the inbound policy, but ACCEPT is expected'],
    ],
    [
      'problems of several kinds',
      'refused',
      `volumes:
  data-1: { size: 10 }
  new: { region: us-esat }
firewalls:
  spare: { devices: { computes: [1003] } }
rdns:
  198.51.100.1: a.example.com`,
      ['conflict', expect.stringMatching(/^a\.yaml:2: volumes\.data-1\.size: /)],
      ['not_found', expect.stringMatching(/^a\.yaml:3: volumes\.new\.region: /)],
      ['conflict', expect.stringMatching(/^a\.yaml:5: firewalls\.spare\.devices\.computes: /)],
      ['not_found', '7: rdns.198.51.100.1: The account has no such public address'],
    ],
    [
      'a conflict with the account and a mistake in the file',
      'usage',
      `${shrinks}\nrdns: { 192.0.2.11: my_mail.example.net }`,
      ['conflict', expect.stringContaining('cannot shrink')],
      [
        'usage',
        expect.stringContaining('"my_mail.example.net" is not a domain name. Write it in full, as in mail.example.net'),
      ],
    ],
  ])(
    'fails with line and cause, as does apply, and nothing is sent: %s',
    async ([, code, text, ...failures], { skyctl, file, problems, world, home }) => {
      // The API keeps firewall labels unique, but an account may have duplicates.
      for (const id of [9101, 9102]) world.network.firewall({ id, label: 'twice' })
      const path = file('a.yaml', text)
      for (const line of [`plan ${path} --out ${home}/plan.json`, `apply ${path} --yes`]) {
        const { exit, stdout, stderr } = await skyctl(line)
        expect({ line, exit, stdout, problems: problems(stderr) }).toEqual({
          ...{ line, exit: exitCodes[code], stdout: '' },
          problems: failures.map(([, problem]) => (typeof problem === 'string' ? `a.yaml:${problem}` : problem)),
        })
        const { error } = JSON.parse((await skyctl(`${line} --json`)).stderr)
        expect(error).toMatchObject({
          ...{ code, exit_code: exitCodes[code] },
          failures: failures.map(([cause]) => ({ error: { code: cause, exit_code: exitCodes[cause] } })),
        })
      }
      expect(existsSync(`${home}/plan.json`)).toBe(false)
      expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  test('warns that instances are not checked if the token may not read addresses', async ({ skyctl, file, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('a.yaml', 'volumes:\n  data-2: { compute_id: 999999 }\n')
    expect(await skyctl(`plan ${path}`, { env })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(
        'the token may not read addresses, so the plan does not check that the compute instances exist',
      ),
    })
  })

  test('accepts the region of an existing volume that is no longer in the list', async ({ skyctl, file, world }) => {
    world.volume({ label: 'old', region: 'us-retired' })
    const path = file('a.yaml', 'volumes: { old: { region: us-retired } }')
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0, stdout: 'No changes; 1 unchanged\n' })
  })

  test('refuses more than 25 rules from file and account together', async ({ skyctl, file, problems, world }) => {
    world.network.firewall({ label: 'full', rules: { ...ruleSet(), outbound: rules(20) } })
    const text = (count: number) => `firewalls:\n  full:\n    rules:\n      inbound: ${JSON.stringify(rules(count))}\n`
    const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text(6))}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: ['a.yaml:3: firewalls.full.rules: With the current rules: Too many rules submitted. Max allowed is 25'],
    })
    expect((await skyctl(`apply ${file('a.yaml', text(5))} --yes`)).exit).toBe(0)
  })

  test('accepts more than 25 current rules if the file has none', async ({ skyctl, file, world }) => {
    const { id } = world.network.firewall({ label: 'over', rules: ruleSet(...rules(26)) })
    const path = file('a.yaml', 'firewalls: { over: { tags: [x] } }')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(id)?.tags).toEqual(['x'])
  })
})

describe('a handover', () => {
  test('detaches a volume before it attaches another to a full instance (api.md, Limits)', async ({
    skyctl,
    file,
    world,
  }) => {
    world.volume({ label: 'z-leaves', compute_id: 1004 })
    world.volume({ label: 'a-comes' })
    const text =
      'volumes:\n  a-comes: { compute_id: 1004 }\n  new: { compute_id: null, region: us-east }\n  z-leaves: { compute_id: null }\n'
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes --concurrency 1`)).toMatchObject({ exit: 0 })
    const attached = world.volumes.all().filter(({ compute_id }) => compute_id === 1004)
    expect(attached.map(({ label }) => label)).toEqual(['a-comes'])
  })

  test('takes a service from a firewall that --prune deletes', async ({ skyctl, file, world }) => {
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
    const [created] = world.network.firewalls.all().filter(({ label }) => label === 'new')
    expect(world.network.devicesOf(created?.id ?? 0).map(({ entity }) => entity)).toEqual([1004])
  })

  test('ignores the services of a disabled firewall, even without its status in the file', async ({ skyctl, file }) => {
    const text = 'firewalls:\n  web-strict: { devices: { computes: [1001] } }\n  web: { status: enabled }\n'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 2 unchanged\n')
  })

  test('is not needed for a new disabled firewall of a protected service', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', `firewalls:\n  next: { status: disabled, ${drop}, devices: { computes: [1003] } }\n`)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const next = world.network.firewalls.all().find(({ label }) => label === 'next')
    expect(next?.status).toBe('disabled')
    expect(world.network.devicesOf(next?.id ?? 0).map(({ entity }) => entity)).toEqual([1003])
    expect((await skyctl(`plan ${path} --exit-code`)).exit).toBe(0)
  })

  test('protects a service once if the file names it twice', async ({ skyctl, file, world }) => {
    const text = `firewalls:\n  spare: { devices: { computes: [1004, 1004] } }\n  new: { ${drop}, devices: { computes: [1008, 1008] } }\n`
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.devices.all().filter(({ entity }) => entity === 1004 || entity === 1008)).toHaveLength(2)
  })
})

describe('apply', () => {
  test('waits until a volume is active before it resizes it', async ({ skyctl, file, world }) => {
    expect((await skyctl('volumes resize data-2 --size 30')).exit).toBe(0)
    const path = file('a.yaml', 'volumes: { data-2: { size: 40 } }')
    expect((await skyctl(`plan ${path}`)).stdout).toContain('    waits until it is active; it is resizing\n')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3002)?.size).toBe(40)
  })

  test('names the object of a single failed change, and keeps its exit code', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'firewalls: { mover: { rules: { inbound: [] } } }')
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(
        /^skyctl: firewall "mover" \(4004\): Compute busy \(instance mover-1\)\. It may be migrating/m,
      ),
    })
  })

  test('fails only the objects of a migrating instance, and completes them in the next run', async ({
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
    expect({ exit, message }).toEqual({
      exit: 9,
      message:
        '1 of 3 applied: firewall "mover" (4004): Compute busy (instance mover-1); firewall "next": id: Compute busy (instance 1007)',
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
