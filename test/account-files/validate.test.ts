/** skyctl validate: what files have wrong in every account, found without one. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'
import { withoutColumn } from '../support/columns'
import { test as processes } from '../support/process'

/** Nobody is signed in, and nothing answers. */
const nobody = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: 'https://nowhere.invalid/v4' }

const whole = (tests: string) => `
firewalls:
  web:
    status: enabled
    devices: { computes: [1001], balancers: [] }
    rules:
      inbound: [{ action: accept, protocol: tcp, ports: 443, from: anywhere, label: https }]
      inbound_policy: drop
      outbound: []
      outbound_policy: accept
    tests: [${tests}]
`

describe('files without a fault', () => {
  test('are valid without a token and a network, in all formats', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', `volumes: { data-1: { size: 60 }, new-1: {} }${whole('')}`)
    const env = nobody
    expect(await skyctl(`validate ${path}`, { env, columns: 80 })).toEqual({
      exit: 0,
      stdout: 'Valid: 3 resources in 1 file\n',
      stderr: '',
    })
    const document = { files: 1, resources: 3 }
    expect(JSON.parse((await skyctl(`validate ${path} --json`, { env })).stdout)).toEqual(document)
    expect((await skyctl(`validate ${path} -o csv`, { env })).stdout).toBe('files,resources\n1,3\n')
    expect(world.requests()).toEqual([])
  })

  test('are those of an export, of folders, of levels and of stdin', async ({ skyctl, file, home }) => {
    const { stdout } = await skyctl('export')
    expect(await skyctl('validate -', { env: nobody, stdin: stdout })).toMatchObject({ exit: 0, stderr: '' })
    file('account/base/all.yaml', stdout)
    file('account/prod/more.yaml', 'volumes: { data-1: { size: 70 } }')
    const levels = await skyctl(`validate ${home}/account/base ${home}/account/prod --json`, { env: nobody })
    expect(JSON.parse(levels.stdout)).toMatchObject({ files: 2 })
  })

  test('are not judged by what only the account tells', async ({ skyctl, file }) => {
    // The account may have a region for the volume, other rules, a disabled firewall, the instance, and balancers,
    // which filter no UDP.
    const path = file(
      'a.yaml',
      `volumes: { new-1: {} }
firewalls:
  web:
    devices: { computes: [1001, 4711] }
    rules: { inbound: [] }
    tests: [{ protocol: tcp, port: 22, from: 192.0.2.1, expect: accept }]
  other: { devices: { computes: [1001] } }
  lan:
    rules: { inbound: [], inbound_policy: drop, outbound: [], outbound_policy: accept }
    tests: [{ protocol: udp, port: 53, from: 192.0.2.1, expect: accept }]
`,
    )
    expect(await skyctl(`validate ${path}`, { env: nobody })).toMatchObject({ exit: 0 })
  })
})

const wrong: [fault: string, text: string, line: number, message: string][] = [
  ['an unknown key', 'volumes:\n  data-1: { colour: red }', 2, 'volumes.data-1.colour: unknown key'],
  ['a wrong value', 'volumes:\n  data-1: { size: big }', 2, 'volumes.data-1.size: '],
  ['text that is no YAML', 'volumes: [', 1, ''],
  ['a network that nothing defines', `networks: {}${whole('').replace('anywhere', 'office')}`, 7, '"office"'],
  ['a tag that says the opposite', 'volumes:\n  data-1: { protect: false, tags: [protected] }', 2, 'data-1.protect: '],
  [
    'a test that fails',
    whole('{ name: ssh, protocol: tcp, port: 22, from: 192.0.2.1, expect: accept }'),
    11,
    'firewalls.web.tests[0]: "ssh": DROP by the inbound policy, but ACCEPT is expected',
  ],
  [
    'a test that fails at each kind of service',
    whole('{ name: ssh, protocol: tcp, port: 22, from: 192.0.2.1, expect: accept }').replace(/ +devices.*\n/, ''),
    10,
    'firewalls.web.tests[0]: "ssh": DROP by the inbound policy, but ACCEPT is expected',
  ],
  [
    'a service of two firewalls',
    'firewalls:\n  web: { status: enabled, devices: { computes: [1001] } }\n  database: { status: enabled, devices: { computes: [1001] } }',
    2,
    'compute 1001 is protected by firewall "database", and only one that is enabled can be',
  ],
]

/** A map in block form that is long enough to be parsed in pieces. */
const long = `volumes:\n${Array.from({ length: 2000 }, (_, index) => `  v-${index}: { size: 20 }\n`).join('')}`

describe('files with a fault', () => {
  test.for<[form: string, text: string, ...places: string[]]>([
    ['blocks', 'volumes:\n  a:\n    siez: 60\n    tags:\n      - 5\n', '3:5', '5:9'],
    ['flow', 'volumes: { a: { size: 20, siez: 60, tags: [b, 5] } }', '1:47', '1:27'],
    ['JSON', '{ "volumes":\n  { "a": { "size": 20, "siez": 60, "tags": ["b", 5] } } }', '2:50', '2:24'],
    ['JSON in one line', '{"volumes":{"a":{"siez":60}}}', '1:18'],
    ['pieces', `${long}  a: { siez: 60 }\n  b: 7\n`, '2002:8', '2003:3'],
    ['a missing key', 'sshkeys:\n  laptop: { ssh_key: }\n  desk: {}\n', '2:13', '3:3'],
    ['a text that is no YAML', 'volumes:\n  a: [1\n', '3:1'],
  ])('are refused with line and column: %s', async ([, text, ...places], { skyctl, file, home }) => {
    const { stderr } = await skyctl(`validate ${file('a.yaml', text)}`, { env: nobody })
    const problems = stderr.trimEnd().split('\n').slice(0, -1)
    expect(problems.map((line) => line.replace(`skyctl: ${home}/a.yaml:`, '').split(': ')[0])).toEqual(places)
  })

  test.for(wrong)(
    'are refused with its line, as plan does: %s',
    async ([, text, line, message], { skyctl, file, home }) => {
      const path = file('a.yaml', text)
      const { exit, stdout, stderr } = await skyctl(`validate ${path}`, { env: nobody })
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      const [first = ''] = stderr.split('\n')
      expect(withoutColumn(first.replace(`skyctl: ${home}/`, ''))).toMatch(new RegExp(`^a\\.yaml:${line}: `))
      expect(first).toContain(message)
      expect((await skyctl(`plan ${path}`)).stderr.split('\n')).toContain(first)
    },
  )

  test('are refused with all faults at once, also as JSON', async ({ skyctl, file }) => {
    const one = file('one.yaml', 'volumes: { data-1: { colour: red }, data-2: { size: big } }')
    const two = file('two.yaml', 'volumes: { data-1: { size: 30 } }')
    const { exit, stderr } = await skyctl(`validate ${one} ${two} --json`, { env: nobody })
    expect(exit).toBe(2)
    const { error } = JSON.parse(stderr)
    expect(error.failures.length).toBe(2)
    expect(error.errors.map(({ field }: { field: string }) => field)).toEqual([
      'volumes.data-1.colour',
      'volumes.data-2.size',
    ])
  })
})

processes('the hook of the recipe refuses a commit with a wrong file', async ({ home, processEnv }) => {
  const [hook = ''] = /#!\/bin\/sh\n# \.git\/hooks\/pre-commit[^`]*/.exec(readFileSync('docs/recipes.md', 'utf8')) ?? []
  const folder = join(home, 'project')
  mkdirSync(join(folder, 'account'), { recursive: true })
  const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com']
  const env = { ...processEnv, SKYCTL_TOKEN: '', GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...words: string[]) => execFileSync('git', [...who, ...words], { cwd: folder, env, stdio: 'pipe' })
  git('init', '-q')
  writeFileSync(join(folder, '.git/hooks/pre-commit'), hook)
  chmodSync(join(folder, '.git/hooks/pre-commit'), 0o755)
  const commit = (text: string) => {
    writeFileSync(join(folder, 'account/a.yaml'), text)
    git('add', '.')
    return git('commit', '-qm', 'change')
  }
  commit('volumes: { data-1: { size: 60 } }')
  expect(() => commit('volumes: { data-1: { colour: red } }')).toThrow('volumes.data-1.colour: unknown key')
})
