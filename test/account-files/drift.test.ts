/** Drift: differences between account and files, with the last change that the history of this machine has. */
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, onTestFinished } from 'vitest'
import { test as base } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'
import { readMarkdown } from '../support/plan-texts'
import { openProxy } from '../support/proxy'
import { openTestSandbox } from '../support/sandbox'
import type { Options, Result } from '../support/skyctl'

const json = (text: string) => JSON.parse(text)

interface Drift {
  /** Changes the account as somebody else, from another machine. */
  elsewhere(line: string): Promise<void>
  /** Changes the account from this machine. */
  here(line: string): Promise<void>
  /** Returns the differences of a file by name and field. */
  drift(text: string, env?: Record<string, string>): Promise<Record<string, unknown>>
  /** Runs `plan --drift` of a file. */
  report(text: string, flags?: string, options?: Options): Promise<Result>
}

const test = base.extend<Drift>({
  elsewhere: async ({ skyctl, world, home, clock }, use) =>
    use(async (line) => {
      clock.advance(3_600_000)
      const env = { SKYCTL_TOKEN: world.token('*', 3), SKYCTL_STATE_DIR: join(home, 'elsewhere') }
      expect(await skyctl(`${line} --yes`, { env })).toMatchObject({ exit: 0 })
    }),
  here: async ({ skyctl, clock }, use) =>
    use(async (line) => {
      clock.advance(3_600_000)
      expect(await skyctl(`${line} --yes`)).toMatchObject({ exit: 0 })
    }),
  report: async ({ skyctl, file }, use) =>
    use((text, flags = '', options = {}) => skyctl(`plan ${file('a.yaml', text)} --drift ${flags}`, options)),
  drift: async ({ report }, use) =>
    use(async (text, env = {}) => {
      const { exit, stdout } = await report(text, '--json', { env })
      expect(exit).toBe(0)
      const { objects, ...others } = json(stdout)
      const differences = objects.flatMap(({ name, state, differences: all }: Record<string, unknown>) =>
        (all as { field: string | null }[]).map(({ field, ...one }) => [`${name} ${field ?? state}`, one]),
      )
      return { ...Object.fromEntries(differences), others }
    }),
})

/** Change by the owner from this machine. */
const changedAt = (hour: number, number: number, command: string) => ({
  last_change: { number, time: `2026-01-15T${hour}:00:00`, command, by: 'owner' },
})

const notChangedHere = { last_change: null }

describe('a difference', () => {
  test('is reported with the reason why apply cannot change it, beside all others', async ({
    report,
    drift,
    elsewhere,
  }) => {
    await elsewhere('volumes resize data-1 --size 60')
    const text = 'volumes: { data-1: { size: 40, compute_id: null, tags: [db] } }'
    expect(await drift(text)).toMatchObject({
      'data-1 size': { account: 60, files: 40, reason: 'It has 60 GiB, and a volume cannot shrink' },
      'data-1 compute_id': { account: 1001, files: null, reason: null },
      'data-1 tags': { account: ['production'], files: ['db'], reason: null },
    })
    const { stdout } = await report(text)
    expect(stdout).toContain(`~ volume "data-1" (3001)
    size: the account has 60 GiB, the files have 40 GiB
      apply cannot change it: It has 60 GiB, and a volume cannot shrink
`)
  })

  test('in a protected object is reported, too', async ({ drift, world }) => {
    world.volume({ label: 'safe', compute_id: 1004, tags: ['protected'] })
    expect(await drift('volumes: { safe: { compute_id: null, protect: true } }')).toMatchObject({
      'safe compute_id': { account: 1004, files: null },
    })
  })

  test('of rules lists the changes from the account to the files', async ({ report, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh) })
    const text = 'firewalls: { edge: { rules: { inbound: [], inbound_policy: accept } } }'
    const { stdout } = await report(text)
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      `~ firewall "edge" (${id})`,
      '    rules: they differ; from the account to the files:',
      '      policy   inbound: DROP -> ACCEPT',
      expect.stringMatching(/^ {6}removed {2}inbound 1: ACCEPT TCP 22/),
    ])
  })

  test('of SSH keys shows both keys, or reports an old key that apply would delete', async ({ report, here }) => {
    const [one, two] = [
      'IJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD',
      'IGGfa+k3oJua5sGa8o1VxK361GI2XF3I5p3VrKIgwg9g',
    ].map((end) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${end} x`)
    await here(`profile sshkeys add --label mine --ssh-key '${one}'`)
    const text = `sshkeys: { mine: { ssh_key: ${two} } }`
    const { objects } = json((await report(text, '--json')).stdout)
    const added = changedAt(13, 1, 'profile sshkeys add')
    expect(objects).toMatchObject([{ differences: [{ field: 'ssh_key', account: one, files: two, ...added }] }])
    await here(`profile sshkeys add --label mine --ssh-key '${two}' --allow-duplicate`)
    const { stdout } = await report(text)
    expect(stdout).toContain(
      '    it differs, and apply would change it: another ssh-ed25519 key of this label is deleted\n',
    )
  })

  test('is reported for each missing resource, even if its entry lacks fields to create it', async ({
    skyctl,
    file,
    here,
    world,
  }) => {
    world.network.firewall({ label: 'edge', rules: ruleSet() })
    await here('volumes delete data-2')
    await here('firewalls delete edge')
    await here('volumes resize data-1 --size 60')
    const entries = 'volumes: { data-1: { size: 70 }, data-2: { size: 40 } }, firewalls: { edge: { status: enabled } }'
    const path = file('a.yaml', `{ owner: web-team, ${entries} }`)
    const { exit, stdout } = await skyctl(`plan ${path} --drift --exit-code`)
    expect(exit).toBe(13)
    expect(stdout).toContain('~ volume "data-1" (3001)\n    size: the account has 60 GiB, the files have 70 GiB\n')
    const missing = '\n    the files have it, the account does not\n      apply cannot create it: A new'
    expect(stdout).toContain(`- volume "data-2"${missing} volume needs a region or a compute_id\n`)
    expect(stdout).toContain(`- firewall "edge"${missing} firewall needs rules\n`)
    expect(stdout.endsWith('\n3 resources differ; 0 as in the files\n')).toBe(true)
    const { objects } = json((await skyctl(`plan ${path} --drift --json`)).stdout)
    expect(objects.map(({ state }: { state: string }) => state)).toEqual(['differs', 'missing', 'missing'])
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 2 })
  })

  test('is a whole object on one side if the other lacks it', async ({ drift, world }) => {
    world.volume({ label: 'spare', size: 30, region: 'eu-west', tags: ['team'] })
    const fields = { size: 30, region: 'eu-west' }
    expect(await drift('owner: team\nvolumes: { new: { size: 30, region: eu-west } }')).toMatchObject({
      'spare extra': { account: fields, files: null },
      'new missing': { account: null, files: fields },
    })
  })

  test('of an assigned address shows its compute instance in every format', async ({ report }) => {
    const text = 'ips: { 192.0.2.31: { compute_id: 1002 } }'
    const lines = '~ address 192.0.2.31\n    compute_id: the account has 1001, the files have 1002\n'
    expect((await report(text)).stdout).toContain(lines)
    expect((await report(text, '-o markdown')).stdout).toContain(lines.replace('~', '!'))
    const { objects } = json((await report(text, '--json')).stdout)
    expect(objects).toMatchObject([{ differences: [{ field: 'compute_id', account: 1001, files: 1002 }] }])
  })

  test('is not reported if the files are invalid', async ({ report }) => {
    const text = 'volumes: { data-1: { size: 40, protect: false, tags: [protected] } }'
    expect(await report(text)).toMatchObject({ exit: 2, stdout: '' })
  })
})

describe('the last change of a difference', () => {
  test('is that of its field in the history of this machine, also if others have changed it since', async ({
    drift,
    report,
    here,
    elsewhere,
  }) => {
    await here('volumes update data-2 --tag ours')
    await here('volumes resize data-2 --size 30')
    const text = 'volumes: { data-2: { size: 40, tags: [db], compute_id: 1001 } }'
    const expected = {
      'data-2 tags': changedAt(13, 1, 'volumes update'),
      'data-2 size': changedAt(14, 2, 'volumes resize'),
      'data-2 compute_id': notChangedHere,
    }
    expect(await drift(text)).toMatchObject(expected)
    await elsewhere('volumes update data-2 --tag theirs')
    expect(await drift(text)).toMatchObject(expected)
    const { stdout } = await report(text)
    expect(stdout.match(/last changed here: .*/g)).toEqual(
      expect.arrayContaining(['last changed here: 2026-01-15 14:00:00 UTC by owner (change 2, volumes resize)']),
    )
    expect(stdout.match(/last changed here/g)).toHaveLength(2)
  })

  test('of rules, services and status is that of the firewall', async ({ drift, here, elsewhere, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh) })
    await here('firewalls rules remove edge inbound label:ssh')
    await here(`firewalls devices add ${id} --compute-id 1004`)
    await elsewhere(`firewalls disable ${id}`)
    const rules = JSON.stringify(ruleSet(ssh))
    const text = `firewalls: { edge: { rules: ${rules}, status: enabled, devices: { computes: [] } } }`
    expect(await drift(text)).toMatchObject({
      'edge rules': changedAt(13, 1, 'firewalls rules remove'),
      'edge devices': changedAt(14, 2, 'firewalls devices add'),
      'edge status': notChangedHere,
    })
    expect(world.requests().filter(({ path }) => path.includes('events'))).toEqual([])
  })

  test('of an address is its assignment', async ({ drift, here, world }) => {
    const [address, range] = ['203.0.113.7', '2001:db8:77::']
    for (const id of [7001, 7002]) {
      world.compute({ id, region: 'us-east' })
      world.network.address({ address: `203.0.113.${id - 6900}`, compute_id: id })
    }
    world.network.address({ address, compute_id: 7001 })
    world.network.address({ address: range, compute_id: 7001, type: 'ipv6/range', prefix: 64 })
    await here(`ips rdns ${address} www.example.net`)
    await here(`ips assign ${address}=7002 ${range}/64=7002`)
    const text = `ips: { ${address}: { compute_id: 7001 }, "${range}/64": { compute_id: 7001 } }\nrdns: { ${address}: null }`
    expect(await drift(text)).toMatchObject({
      [`${address} compute_id`]: changedAt(14, 2, 'ips assign'),
      [`${range}/64 compute_id`]: changedAt(14, 2, 'ips assign'),
      [`${address} rdns`]: changedAt(13, 1, 'ips rdns'),
    })
  })

  test('of a missing resource is its deletion', async ({ drift, here, elsewhere, world }) => {
    world.network.firewall({ label: 'edge', rules: ruleSet() })
    await here('volumes delete data-2')
    await here('volumes create --label theirs --region us-east')
    await elsewhere('volumes delete theirs')
    await elsewhere('firewalls delete edge')
    const volumes = ['data-2', 'theirs', 'never'].map((label) => `${label}: { region: us-east }`).join(', ')
    const rules = 'rules: { inbound: [], inbound_policy: drop, outbound: [], outbound_policy: accept }'
    expect(await drift(`volumes: { ${volumes} }\nfirewalls: { edge: { ${rules} } }`)).toMatchObject({
      'data-2 missing': { account: null, ...changedAt(13, 1, 'volumes delete') },
      'theirs missing': notChangedHere,
      'edge missing': notChangedHere,
      'never missing': notChangedHere,
    })
  })

  test('of a missing resource may be its rename, and the new label is printed', async ({
    report,
    drift,
    skyctl,
    file,
    here,
    elsewhere,
    world,
  }) => {
    world.volume({ label: 'mine' })
    await here('volumes resize data-2 --size 30')
    await elsewhere('volumes update data-2 --label theirs')
    await here('volumes update mine --label renamed')
    const text = 'volumes: { data-2: { region: us-east }, mine: { region: us-east }, never: { region: us-east } }'
    expect(await drift(text)).toMatchObject({
      'data-2 missing': notChangedHere,
      'mine missing': changedAt(15, 2, 'volumes update'),
    })
    const path = file('a.yaml', text)
    const { stdout } = await skyctl(`plan ${path} --drift`)
    const missing = '    the files have it, the account does not\n'
    expect(stdout).toContain(
      `- volume "data-2"\n${missing}      volume "theirs" (3002) had this label: it may have been renamed\n`,
    )
    expect(stdout.match(/may have been renamed/g)).toHaveLength(2)
    const { objects } = json((await skyctl(`plan ${path} --drift --json`)).stdout)
    expect(objects[0]).toMatchObject({ name: 'data-2', id: null, renamed_to: { id: 3002, name: 'theirs' } })
    expect(objects[2]).not.toHaveProperty('renamed_to')
    expect((await report(`${text.slice(0, -1)}, theirs: {} }`)).stdout).not.toContain('"theirs"')
  })

  test('of a resource that is in no file is its creation or a change of its tags', async ({
    drift,
    here,
    elsewhere,
  }) => {
    await here('volumes create --label ours --region us-east --tag team')
    await elsewhere('volumes create --label theirs --region us-east --tag team')
    await here('volumes update data-2 --tag team')
    await here('volumes resize ours --size 30')
    expect(await drift('owner: team\nvolumes: { data-1: {} }')).toMatchObject({
      'ours extra': { files: null, ...changedAt(13, 1, 'volumes create') },
      'theirs extra': notChangedHere,
      'data-2 extra': changedAt(15, 2, 'volumes update'),
    })
  })

  test('is not taken from the history of another account or user', async ({ drift, skyctl, world, clock }) => {
    const another = await openTestSandbox({ clock })
    onTestFinished(() => another.close())
    const env = { SKYCTL_BASE_URL: another.baseUrl, SKYCTL_TOKEN: another.ownerToken }
    expect(await skyctl('volumes resize data-2 --size 30 --yes', { env })).toMatchObject({ exit: 0 })
    const theirs = { SKYCTL_TOKEN: world.token('*', 3) }
    expect(await skyctl('volumes update backup --tag x', { env: theirs })).toMatchObject({ exit: 0 })
    expect(await drift('volumes: { data-2: { size: 40 }, backup: { tags: [y] } }')).toMatchObject({
      'data-2 size': notChangedHere,
      'backup tags': notChangedHere,
    })
  })

  test('is unknown if the API does not return the user, with the reason', async ({ drift, skyctl, sandbox }) => {
    const proxy = await openProxy(sandbox.baseUrl, { before: ({ path }) => (path === '/profile' ? 'drop' : undefined) })
    onTestFinished(() => proxy.close())
    const env = { SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_RETRIES: '0' }
    expect(await skyctl('volumes update data-2 --tag x', { env })).toMatchObject({ exit: 0 })
    expect(await drift('volumes: { data-2: { tags: [y] } }', env)).toMatchObject({
      'data-2 tags': notChangedHere,
      others: { unread: { history: expect.any(String) } },
    })
  })

  test('of a profile is that of its field', async ({ drift, here }) => {
    await here('profile update --timezone Europe/Paris')
    expect(await drift('profile: { timezone: UTC, email_notifications: false }')).toMatchObject({
      ' timezone': changedAt(13, 1, 'profile update'),
      ' email_notifications': notChangedHere,
    })
  })
})

describe('the report', () => {
  test('is printed as text, CSV and Markdown with names in code, and exits with 13', async ({
    report,
    world,
    here,
  }) => {
    world.volume({ label: '`@x|<b>', tags: ['team'] })
    await here('volumes resize data-2 --size 30')
    const text = 'owner: team\nvolumes: { data-2: { size: 40 }, data-1: {} }'
    const screen = await report(text, '--exit-code')
    expect(screen).toMatchObject({
      exit: 13,
      stderr: expect.stringContaining('the account differs from the files: 2 objects'),
    })
    expect(screen.stdout).toContain(`~ volume "data-2" (3002)
    size: the account has 30 GiB, the files have 40 GiB
      last changed here: 2026-01-15 13:00:00 UTC by owner (change 1, volumes resize)
`)
    expect(screen.stdout.endsWith('\n2 resources differ; 1 as in the files\n')).toBe(true)
    const { outside, code } = readMarkdown((await report(text, '-o markdown')).stdout)
    expect(code).toContain('! volume "data-2" (3002)')
    expect(code).toMatch(/^\+ volume "`@x\|<b>"/m)
    expect(outside).toMatch(/^\*\*2 resources differ; 1 as in the files\*\*\n/)
    expect(outside).not.toMatch(/[@`<]/)
    const csv = await report(text, '-o csv --columns name,state,field,account,files,last_change,by')
    expect(csv.stdout).toContain('data-2,differs,size,30,40,2026-01-15T13:00:00,owner\n')
    const narrow = await report(text, '--color always', { columns: 40 })
    expect(narrow.stdout).toContain('\u001b[')
    const widths = stripVTControlCharacters(narrow.stdout)
      .split('\n')
      .map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(40)
  })

  test('names resources of its kinds that are in no file, without the tag of the owner', async ({ report, world }) => {
    for (const label of ['by-hand', 'ours']) world.volume({ label, tags: label === 'ours' ? ['team'] : [] })
    const text = 'owner: team\nvolumes: { data-1: {} }'
    const { objects, notes } = json((await report(text, '--json')).stdout)
    expect(objects).toMatchObject([{ name: 'ours', state: 'extra' }])
    expect(notes).toEqual([expect.stringMatching(/^In no file, so not compared: volumes .*"by-hand" \(\d+\)/)])
    expect(notes[0]).not.toMatch(/"ours"|"data-1"|firewall/)
    expect((await report(text)).stdout).toContain(notes[0].slice(0, 40))
  })

  test('includes selected resources that are in no file, and rejects a label without a match', async ({
    skyctl,
    file,
    world,
  }) => {
    world.volume({ label: 'gone', tags: ['team'] })
    world.volume({ label: 'gone-too', tags: ['team'] })
    const path = file('a.yaml', 'owner: team\nvolumes: { data-1: { size: 70 } }')
    const { objects } = json((await skyctl(`plan ${path} --drift --only volumes/gone --json`)).stdout)
    expect(objects).toMatchObject([{ name: 'gone', state: 'extra' }])
    expect(await skyctl(`plan ${path} --drift --only volumes/none`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('"volumes/none" matches nothing in the files'),
    })
    expect(await skyctl(`plan ${path} --only volumes/gone`)).toMatchObject({ exit: 2 })
  })

  test('without differences prints "No drift" and exits with 0', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes: { data-1: {} }')
    const result = await skyctl(`plan ${path} --drift --exit-code`)
    const stdout = expect.stringMatching(/^No drift; 1 as in the files$/m)
    expect(result).toEqual({ exit: 0, stdout, stderr: '' })
    const markdown = (await skyctl(`plan ${path} --drift -o markdown`)).stdout
    expect(markdown).toMatch(/^\*\*No drift; 1 as in the files\*\*\n/)
  })

  test.for(['--prune', '--out x.json', '--max-deletes 3', '--full', '--force', '--allow-lockout'])(
    'plans nothing, so it rejects %s',
    async (flag, { report, world }) => {
      const text = 'volumes: { data-1: {} }'
      const name = flag.split(' ')[0]
      expect(await report(text, `${flag}`)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(`${name} and --drift contradict each other`),
      })
      expect(world.requests()).toEqual([])
    },
  )
})

test('a token that is not as expected is reported in every format and counts as a difference', async ({ report }) => {
  const text = 'tokens: { nightly: { scopes: [volumes:read_only] } }'
  const screen = await report(text, '--exit-code')
  expect(screen).toMatchObject({ exit: 13, stdout: expect.stringContaining('! token "nightly"\n') })
  expect(screen.stdout).toMatch(/a\.yaml:1\)[\s\S]*No drift; 0 as in the files; 1 not as expected\n$/)
  const { expectations } = json((await report(text, '--json')).stdout)
  expect(expectations).toMatchObject([{ kind: 'tokens', name: 'nightly', checked: true }])
  expect((await report(text, '-o markdown')).stdout).toContain('**Not as expected**')
  expect((await report(text, '-o csv')).stdout).toContain('tokens,nightly,,unexpected,')
})

describe('a failed test of a firewall', () => {
  const failing = '{ name: nobody, protocol: tcp, port: 443, from: 198.51.100.7, expect: drop }'
  const open = 'rules: { inbound_policy: accept, inbound: [], outbound_policy: accept, outbound: [] }'
  const contradiction = `firewalls: { web: { ${open}, tests: [${failing}] } }`

  test('is no difference of a field, but not as expected', async ({ report }) => {
    const text = `firewalls:\n  web:\n    tests: [${failing}]\n`
    const screen = await report(text, '--exit-code')
    expect(screen).toMatchObject({
      exit: 13,
      stdout: expect.stringMatching(
        /^! firewall "web" \(4001\)\n {4}tests\[0\]: Failed test: "nobody": ACCEPT by inbound rule 1, but DROP is expected\s+\(\S*a\.yaml:3\)\n/,
      ),
    })
    expect(screen.stdout).toMatch(/No drift; 0 as in the files; 1 not as expected\n$/)
    expect(json((await report(text, '--json')).stdout)).toMatchObject({
      objects: [],
      expectations: [{ kind: 'firewalls', name: 'web', id: 4001, checked: true, differences: [{ field: 'tests[0]' }] }],
    })
  })

  test('is not counted if it contradicts its own file', async ({ report, world: { network } }) => {
    const rules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }
    for (const one of network.firewalls.all()) network.firewalls.put({ ...one, rules: { ...one.rules, ...rules } })
    const { exit, stdout } = await report(contradiction, '--exit-code')
    expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringMatching(/No drift; 1 as in the files\n$/) })
    expect(stdout).toContain('tests[0]: It contradicts the rules of the file: "nobody": ACCEPT by the inbound policy')
    expect(json((await report(contradiction, '--json')).stdout).expectations).toMatchObject([{ checked: false }])
  })

  test('does not hide the differences of its firewall', async ({ report }) => {
    const { objects } = json((await report(contradiction, '--json')).stdout)
    expect(objects).toMatchObject([{ name: 'web', differences: [{ field: 'rules' }] }])
    const missing = json((await report(contradiction.replace('web', 'new'), '--json')).stdout)
    expect(missing).toMatchObject({
      objects: [{ name: 'new', state: 'missing', differences: [{ field: null, reason: null }] }],
      expectations: [{ name: 'new', id: null, checked: false }],
    })
  })
})
