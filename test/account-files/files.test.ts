/** Account files: their content, the lines of their problems, and folders of them (state.md). */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const invalid = 'volumes:\n  x: { size: 0 }'
const labels = (world: { volumes: { all(): { label: string }[] } }) => world.volumes.all().map(({ label }) => label)

/** `firewalls.web` with these lines below it. */
const web = (...lines: string[]) => ['firewalls:', '  web:', ...lines.map((line) => `    ${line}`)].join('\n')
const longLabel = 'x'.repeat(65)
const tooMany = JSON.stringify(Array.from({ length: 26 }, (_, index) => ({ ...ssh, label: `rule-${index}` })))

describe('a file', () => {
  test.for<[what: string, exit: number, text: string, ...problems: string[]]>([
    ['an unknown key', 2, 'volumes:\n  data:\n    sise: 20', '3: volumes.data.sise: unknown key. Did you mean "size"?'],
    [
      'a value of another type',
      2,
      'volumes:\n  data:\n    size: big',
      '3: volumes.data.size: Must be an integer, not a text',
    ],
    [
      'a label that no SSH key can have',
      2,
      `sshkeys:\n  ${longLabel}: { ssh_key: ${key} }`,
      `2: sshkeys.${longLabel}: Must be 0-64 characters`,
    ],
    [
      'a missing key file',
      12,
      'sshkeys:\n  k: { file: none.pub }',
      '2: sshkeys.k.file: cannot read "none.pub": no such file',
    ],
    [
      'a private key',
      2,
      'sshkeys:\n  k: { ssh_key: "-----BEGIN OPENSSH PRIVATE KEY-----" }',
      '2: sshkeys.k.ssh_key: Must be a public key; this is a private one',
    ],
    [
      'a list without a value, and an object instead of a list',
      2,
      web('devices:', '  computes:', 'tests: {}'),
      '4: firewalls.web.devices.computes: Must be an array, but has no value',
      '5: firewalls.web.tests: Must be an array, not an object. Begin each item with "- "',
    ],
    [
      'a rule without its action',
      2,
      web('rules:', '  inbound:', '    - protocol: icmp', '      addresses: 0.0.0.0/0'),
      '5: firewalls.web.rules.inbound[0].action: is required',
    ],
    [
      'a test without a protocol, one without an expectation, and one with an unknown key',
      2,
      web('tests:', '  - { from: 203.0.113.9 }', '  - { protocol: icmp, from: 203.0.113.9 }', '  - { ports: 22 }'),
      '4: firewalls.web.tests[0]: protocol is required',
      '5: firewalls.web.tests[1]: expect is required',
      '6: firewalls.web.tests[2].ports: unknown key. Did you mean "port"?',
    ],
    [
      'a second balancer',
      2,
      web('devices:', '  balancers: [2001, 2002]'),
      '4: firewalls.web.devices.balancers: Only one balancer can be assigned to a firewall',
    ],
    [
      '26 rules (api.md, Limits)',
      2,
      web('rules:', `  inbound: ${tooMany}`),
      '3: firewalls.web.rules: Too many rules submitted. Max allowed is 25',
    ],
  ])(
    'is rejected with the lines of its problems before any request: %s',
    async ([, code, text, ...expected], { skyctl, file, problems, world }) => {
      const { exit, stdout, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ exit, stdout, problems: problems(stderr) }).toEqual({
        exit: code,
        stdout: '',
        problems: expected.map((problem) => `a.yaml:${problem}`),
      })
      expect(stderr).toMatch(/\n\d problems?; nothing was sent\n$/)
      expect(world.requests()).toEqual([])
    },
  )

  test('has all its problems reported at once, also as JSON', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes:\n  a: { size: 0 }\n  b: { size: x }\n')
    const { exit, stderr } = await skyctl(`apply ${path} --yes --json`)
    expect(exit).toBe(2)
    expect(JSON.parse(stderr).error.failures).toMatchObject([{ target: `${path}:2:8` }, { target: `${path}:3:8` }])
  })

  test('has its problems reported with lines if it is JSON, too', async ({ skyctl, file, problems }) => {
    const lines = '{\n"volumes": {\n"a": {"size": 0}\n}\n}'
    expect(problems((await skyctl(`plan ${file('a.json', lines)}`)).stderr)).toEqual([
      'a.json:3: volumes.a.size: Must be 1 or greater',
    ])
  })

  test('has no port with a leading zero, which readers of YAML take for different numbers', async ({
    skyctl,
    file,
    problems,
  }) => {
    const text = web('rules:', '  inbound:', '    - { action: accept, protocol: tcp, ports: 080, from: 192.0.2.1 }')
    expect(problems((await skyctl(`plan ${file('a.yaml', text)}`)).stderr).join()).toContain('080')
  })

  test('keeps names as they are written, even if YAML would read a number or null', async ({ skyctl, file, world }) => {
    for (const label of ['007', '1.10', '1e3', 'null']) world.volume({ label })
    const text = 'volumes:\n  007: {}\n  1.10: {}\n  1e3: {}\n  null: {}\n'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 4 unchanged\n')
  })

  test('leaves all fields and objects unchanged, except those that it names', async ({ skyctl, file }) => {
    const text = 'volumes: { data-1: { size: 40 } }\nfirewalls: { web: }\nprofile: {}\nsshkeys:\n'
    expect((await skyctl(`plan ${file('a.yaml', text)}`)).stdout).toBe('No changes; 3 unchanged\n')
    expect((await skyctl(`plan ${file('a.yaml', '{}')}`)).stdout).toBe('No changes\n')
  })

  test('may include other files of its folder, which are then not read as account files', async ({
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

  test('names other files by relative paths, by paths from the home folder or by absolute paths', async ({
    skyctl,
    file,
    home,
  }) => {
    const absolute = file('keys/one.pub', key)
    for (const name of ['keys/one.pub', '~/keys/one.pub', absolute, '../keys/one.pub']) {
      const path = file(name.startsWith('..') ? 'below/a.yaml' : 'a.yaml', `sshkeys: { k: { file: "${name}" } }`)
      const { exit, stdout } = await skyctl(`plan ${path}`, { env: { HOME: home } })
      expect({ name, exit, stdout }).toEqual({ name, exit: 0, stdout: expect.stringContaining('+ SSH key "k"') })
    }
  })

  test.for([
    ['a.yaml/b', 'cannot read "a.yaml/b": ENOTDIR'],
    ['x'.repeat(300), `cannot read "${'x'.repeat(300)}": ENAMETOOLONG`],
    ['none', 'cannot read "none": no such file'],
  ] as const)(
    'that cannot be read is an ordinary error and not a defect of skyctl: %s',
    async ([path, message], { skyctl, file, home }) => {
      file('a.yaml', '')
      const { exit, stderr } = await skyctl(`plan ${home}/${path}`)
      expect({ exit, stderr: stderr.replaceAll(`${home}/`, '') }).toEqual({ exit: 12, stderr: `skyctl: ${message}\n` })
    },
  )

  test('cannot be a saved plan, which only apply accepts, without other files', async ({
    skyctl,
    file,
    home,
    problems,
    world,
  }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    await skyctl(`plan ${path} --out ${home}/saved.json`)
    for (const args of [`plan ${home}/saved.json`, `apply ${home}/saved.json ${path} --yes`]) {
      const { exit, stderr } = await skyctl(args)
      expect({ exit, problems: problems(stderr) }).toEqual({
        exit: 2,
        problems: ['saved.json: it is a saved plan, which only apply accepts, without other files'],
      })
    }
    expect(world.requests('POST')).toEqual([])
  })

  test('may be stdin once, but stdin cannot be named in a file', async ({ skyctl, file, problems }) => {
    const stdin = 'sshkeys: { k: { file: "-" } }'
    const { exit, stderr } = await skyctl('plan - -', { stdin })
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: 'skyctl: "-" is named twice: stdin is read once\n' })
    for (const args of ['plan -', `plan ${file('a.yaml', stdin)}`])
      expect(problems((await skyctl(args, { stdin })).stderr).join()).toMatch(
        /1: sshkeys.k.file: cannot read ".*-": no such file$/,
      )
  })

  test('with an owner is planned with a warning if the token cannot read kinds that the file lacks', async ({
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
})

describe('a folder of account files', () => {
  test('keeps the resources of files in sub-folders when apply prunes', async ({ skyctl, file, home, world }) => {
    for (const label of ['a', 'b', 'c', 'd']) world.volume({ label, tags: ['team'] })
    file('account/a.yaml', 'owner: team\nvolumes: { a: {} }')
    file('account/prod/b.yml', 'volumes: { b: {} }')
    file('account/prod/eu/west/c.json', '{"volumes": {"c": {}}}')
    const { exit, stdout } = await skyctl(`plan ${home}/account --prune`)
    expect({ exit, removed: stdout.match(/volume "."/g) }).toEqual({ exit: 0, removed: ['volume "d"'] })
    expect((await skyctl(`apply ${home}/account --prune --yes`)).exit).toBe(0)
    expect(labels(world).filter((label) => label.length === 1)).toEqual(['a', 'b', 'c'])
  })

  test('is read by name, its own files first and then those of sub-folders', async ({
    skyctl,
    file,
    home,
    problems,
  }) => {
    for (const [at, name] of ['z.yaml', 'b/2.yaml', 'a.yaml', 'b/10.yaml', 'b/0/x.json', 'a/z.YML'].entries())
      file(`all/${name}`, `{"volumes": {"v${at}": {"size": 0}}}`)
    const { exit, stderr } = await skyctl(`plan ${home}/all`)
    const names = problems(stderr).map((line) => line.split(':')[0])
    const order = ['a.yaml', 'z.yaml', 'a/z.YML', 'b/10.yaml', 'b/2.yaml', 'b/0/x.json']
    expect({ exit, names: [...new Set(names)] }).toEqual({ exit: 2, names: order.map((name) => `all/${name}`) })
  })

  test('may contain the JSON Schema of account files, which is not an account file', async ({
    skyctl,
    file,
    home,
    problems,
  }) => {
    file('all/a.yaml', 'volumes: { data-1: {} }')
    const schema = file('all/account.schema.json', (await skyctl('export --schema')).stdout)
    expect(await skyctl(`plan ${home}/all`)).toMatchObject({ exit: 0, stdout: 'No changes; 1 unchanged\n', stderr: '' })
    expect((await skyctl(`plan ${home}/all -v`)).stderr).toContain(
      `skipped: "${schema}" is the JSON Schema of account files\n`,
    )
    const named = await skyctl(`plan ${schema}`)
    expect({ exit: named.exit, problems: problems(named.stderr) }).toEqual({
      exit: 2,
      problems: [
        'all/account.schema.json: it is a JSON Schema, with which editors check account files, and no account file',
      ],
    })
  })

  test('has its skipped files listed with -v only', async ({ skyctl, file, home }) => {
    file('all/sub/a.yaml', 'volumes: {}')
    for (const name of ['README.md', '.hidden.yaml', '.git/config.yaml', 'sub/a.yaml.bak']) file(`all/${name}`, invalid)
    const quiet = await skyctl(`plan ${home}/all`)
    expect(quiet).toMatchObject({ exit: 0, stderr: '' })
    const { stderr } = await skyctl(`plan ${home}/all -v`)
    expect(
      stderr
        .replaceAll(`${home}/`, '')
        .split('\n')
        .filter((line) => line.startsWith('skipped')),
    ).toEqual([
      'skipped: "all/.git" is hidden: its name begins with a dot',
      'skipped: "all/.hidden.yaml" is hidden: its name begins with a dot',
      'skipped: "all/README.md" is not a .yaml, .yml or .json file',
      'skipped: "all/sub/a.yaml.bak" is not a .yaml, .yml or .json file',
    ])
    const notes = (await skyctl(`plan ${home}/all -v --json`)).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(notes).toContainEqual({
      note: { message: `skipped: "${home}/all/README.md" is not a .yaml, .yml or .json file` },
    })
  })

  test('may have files in its sub-folders only, but is rejected without any', async ({ skyctl, file, home, world }) => {
    const folder = join(home, 'all')
    file('all/notes.txt', '')
    mkdirSync(join(folder, 'empty'))
    expect(await skyctl(`plan ${folder}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: "${folder}" holds no .yaml, .yml or .json file\n`,
    })
    expect(world.requests()).toEqual([])
    file('all/sub/a.yaml', 'volumes: { data-1: {} }')
    expect(await skyctl(`plan ${folder}`)).toMatchObject({ exit: 0, stdout: 'No changes; 1 unchanged\n' })
  })

  test('is read once, however many links and arguments lead to it', async ({ skyctl, file, home }) => {
    file('all/sub/a.yaml', 'volumes: { data-1: {} }')
    file('elsewhere/b.yaml', 'volumes: { data-2: {} }')
    symlinkSync('..', join(home, 'all/sub/loop'))
    symlinkSync('sub', join(home, 'all/z'))
    symlinkSync('../elsewhere', join(home, 'all/linked'))
    for (const args of ['all', 'all all', 'all/sub all', 'all all/sub/', './all/../all']) {
      const paths = args.split(' ').map((arg) => `${home}/${arg}`)
      const { exit, stdout } = await skyctl(`plan ${paths.join(' ')}`)
      expect({ args, exit, stdout }).toEqual({ args, exit: 0, stdout: 'No changes; 2 unchanged\n' })
    }
    const { stderr } = await skyctl(`plan ${home}/all -v`)
    expect(stderr.replaceAll(`${home}/`, '')).toContain(
      'skipped: "all/sub/loop" is the folder "all", which is already read\n',
    )
  })

  test.for<[what: string, target: string, reason: string]>([
    ['leads nowhere', 'gone', 'no such file'],
    ['leads to itself', 'link', 'ELOOP'],
  ])(
    'is rejected if a link in it %s, because the target may have been a folder',
    async ([, target, reason], { skyctl, file, home, world }) => {
      file('all/a.yaml', 'owner: team\nvolumes: {}')
      symlinkSync(target, join(home, 'all/link'))
      world.volume({ label: 'b', tags: ['team'] })
      const { exit, stderr } = await skyctl(`apply ${home}/all --prune --yes`)
      expect({ exit, stderr }).toEqual({ exit: 12, stderr: `skyctl: cannot read "${home}/all/link": ${reason}\n` })
      expect(world.requests()).toEqual([])
    },
  )
})
