/** `firewalls test`: verdicts as sentences and as data (interface.md, firewalls test). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ruleSet, ruleThat, ssh } from '../support/firewall-rules'
import { test as base, type Fixtures } from '../support/skyctl'

type World = Fixtures['world']

interface VerdictFixtures {
  /** The firewall "edge" (9100), which allows SSH from 203.0.113.0/24 and protects nothing. */
  edge: World
  /** Writes cases to a file and returns its path. */
  cases(list: readonly object[]): string
}

const unlabeled = { ...ruleThat({ ports: '53' }), label: undefined }

const test = base.extend<VerdictFixtures>({
  edge: async ({ world }, use) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet<object>(ssh, unlabeled) as never })
    await use(world)
  },
  cases: async ({ home }, use) =>
    use((list) => {
      const path = join(home, 'cases.json')
      writeFileSync(path, JSON.stringify(list))
      return path
    }),
})

const inside = { protocol: 'tcp', port: 22, from: '203.0.113.9' }
const outside = { protocol: 'tcp', port: 22, from: '198.51.100.7' }

describe('A verdict', () => {
  test.for([
    ['tcp --port 22 --from 203.0.113.9', 'ACCEPT inbound TCP 22 from 203.0.113.9: rule 1 "ssh"'],
    ['tcp --port 53 --from 203.0.113.9', 'ACCEPT inbound TCP 53 from 203.0.113.9: rule 2'],
    ['tcp --port 22 --from 198.51.100.7', 'DROP inbound TCP 22 from 198.51.100.7: the inbound policy'],
    ['icmp --to 192.0.2.1', 'ACCEPT outbound ICMP to 192.0.2.1: the outbound policy'],
    [
      'udp --port 9 --from 192.0.2.1 --service balancer',
      'ACCEPT inbound UDP 9 from 192.0.2.1: a balancer filters inbound TCP only',
    ],
    [
      'tcp --port 22 --from 203.0.113.9 --expect drop',
      'ACCEPT inbound TCP 22 from 203.0.113.9: rule 1 "ssh", but DROP is expected',
    ],
  ] as const)('has the deciding rule or policy: --protocol %s', async ([packet, expected], { skyctl, edge: _ }) => {
    const { stdout, exit } = await skyctl(`firewalls test edge --protocol ${packet}`)
    expect({ stdout, exit }).toEqual({ stdout: `${expected}\n`, exit: expected.includes('expected') ? 13 : 0 })
  })

  describe('at a firewall with instances and a balancer', () => {
    const packet = 'edge --protocol udp --port 9 --from 192.0.2.1'
    const both = [
      'DROP inbound UDP 9 from 192.0.2.1 at compute instances: the inbound policy',
      'ACCEPT inbound UDP 9 from 192.0.2.1 at the balancer: a balancer filters inbound TCP only',
    ]
    const mixed = (edge: World) => {
      edge.network.device(9100, 'compute', 1004)
      edge.network.device(9100, 'balancer', 2002)
    }

    test('is printed for both if they differ, and expected of both', async ({ skyctl, edge, cases }) => {
      mixed(edge)
      expect((await skyctl(`firewalls test ${packet}`)).stdout.trimEnd().split('\n')).toEqual(both)
      expect((await skyctl(`firewalls test ${packet} --expect drop`)).exit).toBe(13)
      expect(await skyctl(`firewalls test ${packet} --expect drop --service compute`)).toMatchObject({ exit: 0 })
      const path = cases([{ protocol: 'udp', port: 9, from: '192.0.2.1', expect: 'ACCEPT' }])
      const { exit, stdout } = await skyctl(`firewalls test edge --cases ${path} --json`)
      const rows = JSON.parse(stdout).map(({ service, action, holds }: Record<string, unknown>) => [
        service,
        action,
        holds,
      ])
      expect({ exit, rows }).toEqual({
        exit: 13,
        rows: [
          ['compute', 'DROP', false],
          ['balancer', 'ACCEPT', true],
        ],
      })
    })

    test('needs one of them for a single record', async ({ skyctl, edge }) => {
      mixed(edge)
      const { exit, stdout, stderr } = await skyctl(`firewalls test ${packet} --json`)
      const { code, message, hint } = JSON.parse(stderr).error
      expect({ exit, stdout, code, message, hint }).toEqual({
        exit: 2,
        stdout: '',
        code: 'usage',
        message: `the firewall has two verdicts. ${both.join('. ')}`,
        hint: 'Choose one: add --service compute or --service balancer',
      })
      expect(JSON.parse((await skyctl(`firewalls test ${packet} --service balancer --json`)).stdout).action).toBe(
        'ACCEPT',
      )
    })

    test('is one if they agree', async ({ skyctl, edge }) => {
      mixed(edge)
      const { stdout } = await skyctl('firewalls test edge --port 22 --from 203.0.113.9')
      expect(stdout).toBe('ACCEPT inbound TCP 22 from 203.0.113.9: rule 1 "ssh"\n')
    })

    test('is expected of both by tests of an account file', async ({ skyctl, edge }) => {
      mixed(edge)
      const plan = (expected: string, service = '') =>
        skyctl('plan -', {
          stdin: `firewalls: { edge: { tests: [{ protocol: udp, port: 9, from: 192.0.2.1, expect: ${expected}${service} }] } }`,
        })
      expect((await plan('drop')).stderr).toContain(
        'ACCEPT at the balancer by default, for it filters inbound TCP only, but DROP is expected',
      )
      expect((await plan('accept')).stderr).toContain(
        'DROP at compute instances by the inbound policy, but ACCEPT is expected',
      )
      expect((await plan('accept', ', service: balancer')).exit).toBe(0)
    })
  })

  test('is a record with the packet, the decision, and the expectation if there is one', async ({
    skyctl,
    edge: _,
  }) => {
    const recordOf = async (flags: string) => JSON.parse((await skyctl(`firewalls test edge ${flags} --json`)).stdout)
    const inbound = { direction: 'inbound', protocol: 'TCP', port: 22, from: '203.0.113.9', service: 'compute' }
    const verdict = { action: 'ACCEPT', by: 'rule', number: 1, rule: expect.objectContaining({ label: 'ssh' }) }
    const flags = '--protocol tcp --port 22 --from 203.0.113.9'
    expect(await recordOf(flags)).toEqual({ ...inbound, ...verdict })
    expect(await recordOf(`${flags} --expect accept`)).toEqual({
      ...inbound,
      ...verdict,
      expect: 'ACCEPT',
      holds: true,
    })
    expect(await recordOf(`${flags} --expect drop`)).toMatchObject({ expect: 'DROP', holds: false })
    expect(await recordOf('--protocol icmp --to 192.0.2.1')).toEqual({
      direction: 'outbound',
      protocol: 'ICMP',
      to: '192.0.2.1',
      service: 'compute',
      action: 'ACCEPT',
      by: 'policy',
      number: null,
      rule: null,
    })
  })

  test('is its action with --quiet, and a row of columns with -o tsv', async ({ skyctl, edge: _ }) => {
    const line = 'firewalls test edge --protocol tcp --port 22 --from 203.0.113.9'
    expect((await skyctl(`${line} --quiet`)).stdout).toBe('ACCEPT\n')
    expect((await skyctl(`${line} -o tsv`)).stdout).toBe(
      'name\tdirection\tprotocol\tport\tfrom\tto\tservice\taction\tby\tnumber\texpect\tholds\n' +
        '\tinbound\tTCP\t22\t203.0.113.9\t\tcompute\tACCEPT\trule\t1\t\t\n',
    )
  })
})

describe('Cases of a file', () => {
  test('get a verdict each, with a count of those that fail', async ({ skyctl, edge: _, cases }) => {
    const path = cases([
      { ...inside, name: 'office', expect: 'accept' },
      { ...outside, expect: 'accept' },
      { ...outside, name: 'others', expect: 'drop' },
      outside,
    ])
    const result = await skyctl(['firewalls', 'test', 'edge', '--cases', path])
    expect(result).toEqual({
      exit: 13,
      stdout:
        'office: ACCEPT inbound TCP 22 from 203.0.113.9: rule 1 "ssh"\n' +
        'DROP inbound TCP 22 from 198.51.100.7: the inbound policy, but ACCEPT is expected\n' +
        'others: DROP inbound TCP 22 from 198.51.100.7: the inbound policy\n' +
        'DROP inbound TCP 22 from 198.51.100.7: the inbound policy\n',
      stderr: 'skyctl: 1 of 4 verdicts are not as expected\n',
    })
    const { exit, stdout } = await skyctl(['firewalls', 'test', 'edge', '--cases', path, '--json'])
    expect([exit, JSON.parse(stdout).map(({ holds }: { holds?: boolean }) => holds)]).toEqual([
      13,
      [true, false, true, undefined],
    ])
  })

  test('are rejected with their position if one is invalid, as are invalid flags', async ({ skyctl, edge, cases }) => {
    const path = cases([inside, { ...inside, protocol: 'icmp' }])
    for (const [flags, message] of [
      [`--cases ${path}`, 'cases[1]: port: ICMP has no ports (line 1)'],
      ['--protocol tcp --from 203.0.113.9', '--port is required with TCP'],
    ]) {
      const { exit, stdout, stderr } = await skyctl(`firewalls test edge ${flags}`)
      expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: `skyctl: ${message}\n` })
    }
    expect(edge.requests()).toEqual([])
  })

  test('are a list in JSON, even if there is only one', async ({ skyctl, edge: _, cases }) => {
    const { stdout, exit } = await skyctl(['firewalls', 'test', 'edge', '--cases', cases([inside]), '--json'])
    expect([exit, JSON.parse(stdout)]).toEqual([0, [expect.objectContaining({ action: 'ACCEPT' })]])
  })

  test.for(['--protocol tcp', '--port 22', '--from 203.0.113.9', '--expect drop', '--service compute'])(
    'cannot be combined with %s',
    async (flag, { skyctl, edge, cases }) => {
      expect(await skyctl(`firewalls test edge --cases ${cases([inside])} ${flag}`)).toEqual({
        exit: 2,
        stdout: '',
        stderr: `skyctl: --cases and ${flag.split(' ')[0]} contradict each other: each case sets it\n`,
      })
      expect(edge.requests()).toEqual([])
    },
  )
})

describe('A file of rules', () => {
  const line = 'firewalls test --file - --protocol tcp --port 22 --from 203.0.113.7'

  test('causes warnings about normalized addresses and open ports', async ({ skyctl }) => {
    const open = { ...ssh, addresses: { ipv4: ['0.0.0.0/0', '203.0.113.7'] } }
    const { exit, stderr } = await skyctl(line, { stdin: JSON.stringify(ruleSet(open)) })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr:
        'A plain address is a network of its own: 203.0.113.7/32\nskyctl: warning: inbound rule 1 lets any IPv4 address reach SSH (22), which gives away a shell (line 1)\n',
    })
  })

  test('is rejected with field and line if it is invalid', async ({ skyctl, world }) => {
    const stdin = 'inbound_policy: DROP\noutbound_policy: DROP\ninbound:\n  - {action: DROP, protocol: TCP}\n'
    const { exit, stdout, stderr } = await skyctl(line, { stdin })
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(stderr).toContain('inbound[0].addresses is required (line 4)')
  })
})

describe('The rules of a verdict', () => {
  const packet = '--protocol tcp --port 22 --from 198.51.100.7'

  test.for([
    ['', 'rules are required'],
    ['edge --file rules.json', 'a firewall and --file cannot be combined'],
  ])('are of a firewall or a file, and exactly one is required: "%s"', async ([args, message], { skyctl, edge }) => {
    expect(await skyctl(`firewalls test ${args} ${packet}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: ${message}. Pass either a firewall or --file FILE\n`,
    })
    expect(edge.requests()).toEqual([])
  })

  test('may be a file with policies only, without a request', async ({ skyctl, edge }) => {
    const stdin = 'inbound_policy: drop\noutbound_policy: accept\n'
    expect((await skyctl(`firewalls test --file - ${packet}`, { stdin })).stdout).toBe(
      'DROP inbound TCP 22 from 198.51.100.7: the inbound policy\n',
    )
    expect(edge.requests()).toEqual([])
  })

  test('are those at a balancer if the firewall protects only balancers', async ({ skyctl, edge }) => {
    const udp = 'firewalls test edge --protocol udp --port 9 --from 192.0.2.1 --query service --json'
    const service = async () => JSON.parse((await skyctl(udp)).stdout)
    expect(await service()).toBe('compute')
    edge.network.device(9100, 'balancer', 2002)
    expect(await service()).toBe('balancer')
  })

  test('get a warning if the firewall is disabled', async ({ skyctl, edge }) => {
    expect((await skyctl(`firewalls test edge ${packet}`)).stderr).toBe('')
    const firewall = edge.network.firewalls.get(9100)
    if (firewall) edge.network.firewalls.put({ ...firewall, status: 'disabled' })
    expect(await skyctl(`firewalls test edge ${packet}`)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^DROP /),
      stderr: 'skyctl: warning: firewall "edge" (9100) is disabled and drops nothing\n',
    })
  })
})
