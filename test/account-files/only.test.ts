/** `--only`: the part of the files that it selects, cannot separate and leaves unchanged. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'

const account = `owner: team
volumes:
  log-1: { size: 30, region: us-east }
  log-2: { size: 30, region: us-east }
  pgdata: { size: 60, region: us-east }
profile: { timezone: UTC }
`

interface Parts {
  /** Returns the title of each object in a plan, and its summary. */
  titles(flags: string, text?: string): Promise<string[]>
  /** Returns the labels of matching volumes, sorted. */
  labels(pattern: RegExp): string[]
  /** Creates enabled firewalls with the owner's tag, each for an instance. */
  firewalls(instances: Record<string, number>): void
}

const test = base.extend<Parts>({
  titles: async ({ skyctl, file }, use) =>
    use(async (flags, text = account) => {
      const { exit, stdout, stderr } = await skyctl(`plan ${file('a.yaml', text)} ${flags}`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      return stdout.split('\n').filter((line) => /^[-+~\d]|^No|^ {2}\S/.test(line))
    }),
  labels: async ({ world }, use) =>
    use((pattern) => {
      const all = world.volumes.all().map(({ label }) => label)
      return all.filter((label) => pattern.test(label)).sort()
    }),
  firewalls: async ({ world }, use) =>
    use((instances) => {
      for (const [label, compute] of Object.entries(instances)) {
        world.compute({ id: compute, region: 'us-east' })
        world.network.address({ address: `203.0.113.${compute - 7000}`, compute_id: compute })
        const { id } = world.network.firewall({ label, tags: ['team'], rules: ruleSet(ssh) })
        world.network.device(id, 'compute', compute)
      }
    }),
})

describe('--only', () => {
  test.for<[flags: string, ...titles: string[]]>([
    ['--only volumes/pgdata', '+ volume "pgdata"', '1 to create; 0 unchanged, 3 not selected'],
    [
      '--only volumes/log-? --only profile',
      '+ volume "log-1"',
      '+ volume "log-2"',
      '~ profile',
      '2 to create, 1 to update; 0 unchanged, 1 not selected',
    ],
    [
      '--only volumes',
      '+ volume "log-1"',
      '+ volume "log-2"',
      '+ volume "pgdata"',
      '3 to create; 0 unchanged, 1 not selected',
    ],
    [
      '--only profile --only volumes/*',
      '+ volume "log-1"',
      '+ volume "log-2"',
      '+ volume "pgdata"',
      '~ profile',
      '3 to create, 1 to update; 0 unchanged',
    ],
  ])('plans a part of the files, and counts the rest: %s', async ([flags, ...expected], { titles }) => {
    expect(await titles(flags)).toEqual(expected)
  })

  test('applies a part of the files, and changes nothing else', async ({ skyctl, file, world, labels }) => {
    const path = file('a.yaml', account)
    const timezone = () => world.users.all().map(({ timezone }) => timezone)
    const before = timezone()
    const { exit, stderr } = await skyctl(`apply ${path} --only volumes/log* --yes`)
    expect({ exit, created: labels(/log|pgdata/), timezone: timezone() }).toEqual({
      ...{ exit: 0, timezone: before },
      created: ['log-1', 'log-2'],
    })
    expect(stderr).toContain('2 to create; 0 unchanged, 2 not selected')
    const again = await skyctl(`apply ${path} --only volumes/log* --yes`)
    expect(again).toMatchObject({ exit: 0, stderr: 'No changes; 2 unchanged, 2 not selected\n' })
    const json = JSON.parse((await skyctl(`plan ${path} --only volumes/log* --json`)).stdout)
    expect(json).toMatchObject({ objects: [], same: 2, unselected: 2 })
    expect(JSON.parse((await skyctl(`plan ${path} --json`)).stdout)).toMatchObject({ same: 2, unselected: 0 })
  })

  test('reads only the kinds that it selects', async ({ world, titles }) => {
    const text = `${account}firewalls: { web: {} }\nsshkeys: {}\n`
    const reads = () => world.requests('GET').map(({ path }) => path.replace(/^.*?\/v\d+/, ''))
    await titles('--only volumes/log*', text)
    const part = reads()
    expect(part.filter((path) => /firewall|profile/.test(path))).toEqual([])
    await titles('--only volumes --only firewalls --only profile', text)
    expect(reads().slice(part.length).join()).toMatch(/firewall.*profile|profile.*firewall/)
  })

  test.for<[only: string, message: string]>([
    ['volumes/pgdat', 'matches nothing in the files. Did you mean "volumes/pgdata"?'],
    ['volumes/x*', 'matches nothing in the files. The volumes are: log-1, log-2, pgdata'],
    ['volumes/log', 'matches nothing in the files. Did you mean "volumes/log-1" or "volumes/log-2"?'],
    ['volumes/LOG-1', 'matches nothing in the files. Did you mean "volumes/log-1" or "volumes/log-2"?'],
    ['firewalls', 'matches nothing in the files. The files have no firewalls'],
    ['volume/pgdata', 'does not begin with a kind. Did you mean "volumes"?'],
    ['pgdata', 'does not begin with a kind. The kinds are: volumes, firewalls, sshkeys, ips, rdns, tokens, profile'],
    [
      'networks/office',
      'does not begin with a kind. The kinds are: volumes, firewalls, sshkeys, ips, rdns, tokens, profile',
    ],
    ['volumes/', 'lacks a label after "/". For all of them, write volumes'],
    ['profile/UTC', 'has a label, but there is only one. Write profile'],
  ])('is rejected before any request if it is wrong: %s', async ([only, message], { skyctl, file, world }) => {
    for (const command of ['plan', 'apply --yes']) {
      const { exit, stderr } = await skyctl(`${command} ${file('a.yaml', account)} --only profile --only ${only}`)
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: `skyctl: --only: "${only}" ${message}\n` })
    }
    expect(world.requests()).toEqual([])
  })

  test('ignores conflicts of other objects with the account, but no mistake in the files', async ({
    skyctl,
    file,
    world,
    problems,
    titles,
  }) => {
    world.volume({ label: 'pgdata', size: 90, region: 'us-east' })
    expect(await titles('--only volumes/log-1')).toEqual([
      '+ volume "log-1"',
      '1 to create; 0 unchanged, 3 not selected',
    ])
    const { exit, stderr } = await skyctl(
      `plan ${file('a.yaml', `${account}firewalls:\n  x: {}\n`)} --only volumes/log-1`,
    )
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: [expect.stringMatching(/^a\.yaml:8: firewalls\.x: /)],
    })
  })

  test('prunes only selected resources, and none that a file names by its new or former label', async ({
    world,
    titles,
    labels,
    skyctl,
    file,
  }) => {
    for (const label of ['gone-1', 'gone-2', 'old-1', 'log-1', 'left'])
      world.volume({ label, tags: ['team'], region: 'us-east', size: 30 })
    const text = account.replace('pgdata: {', 'pgdata: { was: old-1,')
    expect(await titles('--only volumes/gone-1 --prune', text)).toEqual([
      expect.stringMatching(/^- volume "gone-1"/),
      '1 to delete; 0 unchanged, 4 not selected',
    ])
    // It is in the files by its former label.
    const renamed = await skyctl(`plan ${file('a.yaml', text)} --only volumes/old-* --prune`)
    expect(renamed).toMatchObject({ exit: 2, stderr: expect.stringContaining('matches nothing in the files') })
    expect(await titles('--only volumes/*-1 --prune', text)).toEqual([
      expect.stringMatching(/^- volume "gone-1"/),
      '1 to delete; 1 unchanged, 3 not selected',
    ])
    const path = file('a.yaml', text)
    expect((await skyctl(`apply ${path} --only volumes/*-1 --prune --yes`)).exit).toBe(0)
    expect(labels(/gone|old|left/)).toEqual(['gone-2', 'left', 'old-1'])
  })

  test('lists only the selected ones of the resources that are in no file', async ({ world, titles }) => {
    for (const label of ['gone-1', 'other']) world.volume({ label, tags: ['team'] })
    expect(await titles('--only volumes/*-1')).toEqual([
      '+ volume "log-1"',
      expect.stringMatching(/^ {2}volume "gone-1" .* is in no file and stays; --prune deletes it$/),
      '1 to create; 0 unchanged, 3 not selected',
    ])
  })

  test('limits the count of --max-deletes to selected resources', async ({ world, skyctl, file }) => {
    for (const label of ['gone-1', 'gone-2', 'other']) world.volume({ label, tags: ['team'] })
    const path = file('a.yaml', account)
    expect((await skyctl(`plan ${path} --prune --max-deletes 2`)).exit).toBe(6)
    expect((await skyctl(`plan ${path} --prune --max-deletes 2 --only volumes/gone*`)).exit).toBe(0)
    expect((await skyctl(`plan ${path} --prune --max-deletes 1 --only volumes/gone*`)).exit).toBe(6)
  })

  test('is part of a saved plan, which stays valid if other resources change', async ({
    skyctl,
    file,
    home,
    world,
    labels,
  }) => {
    const path = file('a.yaml', account)
    const plan = `${home}/plan.json`
    const { stdout } = await skyctl(`plan ${path} --only volumes/log-1 --prune --out ${plan}`)
    expect((await skyctl(`apply ${plan} --dry-run`)).stdout).toBe(stdout)
    const refused = await skyctl(`apply ${plan} --only volumes/log-1 --yes`)
    expect(refused).toMatchObject({ exit: 2, stderr: 'skyctl: --only: a saved plan already decides what it changes\n' })
    const edited = `${home}/edited.json`
    writeFileSync(edited, readFileSync(plan, 'utf8').replace('"volumes/log-1"', '"volumes/log-*"'))
    expect((await skyctl(`apply ${edited} --yes`)).exit).toBe(2)
    world.volume({ label: 'log-2', size: 90, tags: ['team'] })
    expect((await skyctl(`apply ${plan} --yes`)).exit).toBe(0)
    expect(labels(/log|pgdata/)).toEqual(['log-1', 'log-2'])
  })

  test('selects addresses in any notation, and labels with slashes as a whole', async ({ world, titles }) => {
    world.network.address({ address: '2001:db8::7', compute_id: 1001 } as never)
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc a'
    const text = `rdns: { "2001:db8::7": a.example.net }\nsshkeys:\n  ada/desk: { ssh_key: "${key}" }\n  ada.desk: { ssh_key: "${key}" }\n`
    expect(await titles('--only rdns/2001:DB8:0::7', text)).toEqual([
      '~ address 2001:db8::7',
      '1 to update; 0 unchanged, 2 not selected',
    ])
    expect(await titles('--only sshkeys/ada/desk', text)).toEqual([
      '+ SSH key "ada/desk"',
      '1 to create; 0 unchanged, 2 not selected',
    ])
    // A dot matches only a dot.
    expect(await titles('--only sshkeys/*.desk', text)).toEqual([
      '+ SSH key "ada.desk"',
      '1 to create; 0 unchanged, 2 not selected',
    ])
  })
})

describe('--only of one firewall', () => {
  const devices = (lists: Record<string, number[]>) =>
    `owner: team\nfirewalls:\n${Object.entries(lists)
      .map(([label, computes]) => `  ${label}: { devices: { computes: [${computes}] } }\n`)
      .join('')}`

  test.for<[what: string, only: string, prune: boolean, problem: string]>([
    [
      'that takes a service',
      'fw-b',
      false,
      'a.yaml:4: firewalls.fw-b: compute 7001 moves between it and firewall "fw-a", so select them together. Add --only firewalls/fw-a',
    ],
    [
      'that releases a service',
      'fw-a',
      false,
      'a.yaml:3: firewalls.fw-a: compute 7001 moves between it and firewall "fw-b", so select them together. Add --only firewalls/fw-b',
    ],
    [
      'that takes a service from one that is pruned',
      'fw-d',
      true,
      'a.yaml:5: firewalls.fw-d: compute 7003 moves between it and firewall "fw-c", so select them together. Add --only firewalls/fw-c',
    ],
    [
      'that is pruned and whose service another one takes',
      'fw-c',
      true,
      '--prune: firewalls.fw-c: compute 7003 moves between it and firewall "fw-d", so select them together. Add --only firewalls/fw-d',
    ],
  ])(
    '%s is rejected with the firewalls to add',
    async ([, only, prune, problem], { skyctl, file, firewalls, problems, world }) => {
      firewalls({ 'fw-a': 7001, 'fw-b': 7002, 'fw-c': 7003, 'fw-d': 7004 })
      const text = devices({ 'fw-a': [], 'fw-b': [7001, 7002], ...(prune && { 'fw-d': [7003, 7004] }) })
      const args = `${file('a.yaml', text)} --only firewalls/${only} ${prune ? '--prune' : ''}`
      const { exit, stderr } = await skyctl(`apply ${args} --yes`)
      expect({ exit, problems: problems(stderr) }).toEqual({ exit: 6, problems: [problem] })
      const [, missingFlag] = /(--only \S+)$/.exec(problem) ?? []
      expect((await skyctl(`apply ${args} ${missingFlag} --yes --allow-lockout`)).exit).toBe(0)
      expect(world.requests('POST').filter(({ path }) => path.endsWith('/devices'))).toHaveLength(1)
    },
  )

  test('in a chain of moves names all firewalls of the chain', async ({ skyctl, file, firewalls, problems }) => {
    firewalls({ 'fw-a': 7001, 'fw-b': 7002, 'fw-c': 7003, 'fw-d': 7004 })
    // Nothing moves between the first and the third one.
    const text = devices({ 'fw-a': [7001, 7002], 'fw-b': [7003], 'fw-c': [], 'fw-d': [7004] })
    const { stderr } = await skyctl(`plan ${file('a.yaml', text)} --only firewalls/fw-a`)
    expect(problems(stderr)).toEqual([
      'a.yaml:3: firewalls.fw-a: compute 7002 moves between it and firewall "fw-b", firewall "fw-c", so select them together. Add --only firewalls/fw-b --only firewalls/fw-c',
    ])
    expect((await skyctl(`plan ${file('a.yaml', text)} --only firewalls/fw-d`)).stdout).toBe(
      'No changes; 1 unchanged, 3 not selected\n',
    )
  })

  test('is rejected even if the firewall that has its service cannot be planned', async ({
    skyctl,
    file,
    firewalls,
    problems,
    world,
  }) => {
    firewalls({ 'fw-a': 7001, 'fw-b': 7002 })
    const text = devices({ 'fw-b': [7001, 7002], 'fw-a': [] })
    const problemsWith = async (more: string) => {
      const path = file('a.yaml', text.replace('fw-a: {', `fw-a: { ${more},`))
      return problems((await skyctl(`plan ${path} --only firewalls/fw-b`)).stderr)
    }
    const failing = 'tests: [{ from: 192.0.2.7, protocol: udp, port: 1, expect: accept }]'
    expect(await problemsWith(failing)).toEqual([
      expect.stringContaining('compute 7001 moves between it and firewall "fw-a", so select them together'),
    ])
    // Two firewalls with one label have no steps.
    world.network.firewall({ label: 'fw-a' })
    expect(await problemsWith('status: enabled')).toEqual([
      'a.yaml:3: firewalls.fw-b: compute 7001 moves between it and another firewall, so select them together',
    ])
  })
})

describe('--only of one half of a change', () => {
  test('warns of the volume that leaves the instance to which a selected volume is attached', async ({
    world,
    titles,
  }) => {
    world.compute({ id: 7001, region: 'us-east' })
    world.volume({ label: 'old', region: 'us-east', compute_id: 7001 })
    const text = 'volumes: { new: { compute_id: 7001 }, old: { compute_id: null }, other: { region: us-east } }'
    const note =
      '  volume "new": compute instance 7001 may have too many volumes: the files detach volume "old" from it, but --only leaves that out'
    expect(await titles('--only volumes/new', text)).toEqual([
      '+ volume "new"',
      note,
      '1 to create; 0 unchanged, 2 not selected',
    ])
    expect(await titles('--only volumes/other', text)).toEqual([
      '+ volume "other"',
      '1 to create; 0 unchanged, 2 not selected',
    ])
    expect(await titles('--only volumes/new --only volumes/old', text)).not.toContain(note)
  })

  test('names the other address of a swap', async ({ skyctl, file }) => {
    const ips = 'ips: { 192.0.2.14: { compute_id: 1005 }, 192.0.2.15: { compute_id: 1004 } }'
    const path = file('swap.yaml', ips)
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0 })
    expect(await skyctl(`plan ${path} --only ips/192.0.2.14`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('1004 would have no public IPv4 address. Add --only ips/192.0.2.15\n'),
    })
  })
})
