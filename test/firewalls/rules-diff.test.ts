/** Differences between rules as text and as data (interface.md, rules diff), and in the message of `--if-match`. */
import { describe, expect } from 'vitest'
import { dns, ruleSet, ssh, web } from '../support/firewall-rules'
import { test as base, type Fixtures } from '../support/skyctl'

const test = base.extend<{
  /** The firewall "edge" (9100), which allows SSH and HTTPS from 203.0.113.0/24. */
  edge: Fixtures['world']
  diff(rules: object, flags?: string): Promise<{ exit: number; stdout: string; stderr: string }>
}>({
  edge: async ({ world }, use) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) as never })
    await use(world)
  },
  diff: async ({ skyctl, edge: _ }, use) =>
    use((rules, flags = '') => skyctl(`firewalls rules diff edge --file - ${flags}`, { stdin: JSON.stringify(rules) })),
})

const wide = (label: string, ports: string, ipv4: string[]) => ({ ...ssh, label, ports, addresses: { ipv4 } })

const where = 'at the services of firewall "edge" (9100)'
const protectsNothing = 'The firewall protects nothing yet'

describe('rules diff', () => {
  test.for<[string, object, string[]]>([
    [
      'an added rule',
      ruleSet(ssh, web, dns),
      [
        'added    inbound 3: ACCEPT TCP 53 "dns" from 203.0.113.0/24 [allows more]',
        `newly allowed ${where}: tcp/53 from 203.0.113.0/24`,
      ],
    ],
    [
      'a removed rule',
      ruleSet(web),
      [
        'removed  inbound 1: ACCEPT TCP 22 "ssh" from 203.0.113.0/24 [blocks more]',
        `newly blocked ${where}: tcp/22 from 203.0.113.0/24`,
      ],
    ],
    [
      'another policy',
      { ...ruleSet(ssh, web), outbound_policy: 'DROP' },
      ['policy   outbound: ACCEPT -> DROP [blocks more]', `newly blocked ${where}: all traffic to 0.0.0.0/0, ::/0`],
    ],
    [
      'other ports',
      ruleSet(wide('ssh', '2222', ['203.0.113.0/24']), web),
      [
        'changed  inbound 1 "ssh": ports 22 -> 2222 [allows and blocks]',
        `newly blocked ${where}: tcp/22 from 203.0.113.0/24`,
        `newly allowed ${where}: tcp/2222 from 203.0.113.0/24`,
      ],
    ],
    [
      'other addresses',
      ruleSet(wide('ssh', '22', ['198.51.100.7/32']), web),
      [
        'changed  inbound 1 "ssh": addresses.ipv4 -203.0.113.0/24 +198.51.100.7/32 [allows and blocks]',
        `newly blocked ${where}: tcp/22 from 203.0.113.0/24`,
        `newly allowed ${where}: tcp/22 from 198.51.100.7`,
      ],
    ],
    [
      'another order',
      ruleSet(web, ssh),
      ['moved    inbound 2 -> 1: ACCEPT TCP 443 "web" from 203.0.113.0/24 [no effect]'],
    ],
    [
      'a rule of unknown effect',
      ruleSet(ssh, web, { ...dns, protocol: 'ALL' }),
      [
        'added    inbound 3: ACCEPT ALL 53 "dns" from 203.0.113.0/24 [unknown effect]',
        `unknown effect, because a rule cannot be judged, ${where}: tcp/53, udp/53, icmp, ipencap, other protocols from 203.0.113.0/24`,
      ],
    ],
  ])('prints %s with its effect', async ([, rules, lines], { diff }) => {
    const { exit, stdout, stderr } = await diff(rules, '--no-validate')
    const printed = stdout.trimEnd().split('\n')
    const last = lines.length > 1 ? [protectsNothing] : []
    expect({ exit, printed, stderr }).toEqual({ exit: 0, printed: [...lines, ...last], stderr: '' })
  })

  test('marks a rule that is never reached as without effect', async ({ diff }) => {
    const { stdout } = await diff(ruleSet(ssh, wide('one', '22', ['203.0.113.7/32']), web))
    expect(stdout).toBe('added    inbound 2: ACCEPT TCP 22 "one" from 203.0.113.7/32 [no effect]\n')
  })

  test('names the affected services, or the reason why there are none', async ({ diff, edge }) => {
    edge.compute({ id: 9001, label: 'app' })
    edge.network.device(9100, 'compute', 9001)
    const rules = ruleSet(ssh, web, dns)
    expect((await diff(rules)).stdout.split('\n').slice(1)).toEqual([
      'newly allowed at app: tcp/53 from 203.0.113.0/24',
      '',
    ])
    const firewall = edge.network.firewalls.get(9100)
    if (firewall) edge.network.firewalls.put({ ...firewall, status: 'disabled' })
    expect((await diff(rules)).stdout).toContain('The firewall is disabled: nothing of this takes effect yet\n')
  })

  test('judges changes by the filter of a balancer', async ({ diff, edge }) => {
    edge.network.device(9100, 'balancer', 2002)
    const udp = { ...dns, protocol: 'UDP' }
    expect((await diff(ruleSet(ssh, web, udp))).stdout).toBe(
      'added    inbound 3: ACCEPT UDP 53 "dns" from 203.0.113.0/24 [no effect]\n',
    )
  })

  const both = ruleSet(web, { ...dns, protocol: 'UDP', addresses: { ipv4: ['192.0.2.0/24'] } })
  const [green, red] = ['\u001b[32m', '\u001b[31m']

  test('colours changes that allow or block more, and their traffic', async ({ diff }) => {
    const { stdout } = await diff(both, '--color always')
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      expect.stringContaining(`${red}removed `),
      expect.stringContaining(`${green}added `),
      expect.stringContaining(`${red}newly blocked `),
      expect.stringContaining(`${green}newly allowed `),
    ])
    const start = '\u001b'
    const uncoloured = stdout.replaceAll(new RegExp(`${start}\\[\\d+m`, 'g'), '')
    expect(uncoloured).toBe((await diff(both)).stdout)
    expect(uncoloured).not.toContain(start)
  })

  test('has the traffic at the services as records of JSON, and asks for no devices with -o tsv', async ({
    diff,
    edge,
  }) => {
    await diff(both, '-o tsv')
    const paths = () => edge.requests('GET').map(({ path }) => path)
    expect(paths().filter((path) => path.includes('/devices'))).toEqual([])
    const records = JSON.parse((await diff(both, '--json')).stdout).slice(2)
    const one = (kind: string, protocol: string, ports: string, network: string) => ({
      kind,
      services: [],
      traffic: [{ direction: 'inbound', protocols: [{ protocol, ports }], networks: [network], except: [] }],
    })
    const expected = [one('blocked', 'TCP', '22', '203.0.113.0/24'), one('allowed', 'UDP', '53', '192.0.2.0/24')]
    expect(records).toEqual(expected)
    edge.compute({ id: 9001, label: 'app' })
    edge.network.device(9100, 'compute', 9001)
    const services = [{ type: 'compute', id: 9001, label: 'app' }]
    expect(JSON.parse((await diff(both, '--json')).stdout).slice(2)).toEqual(
      expected.map((record) => ({ ...record, services })),
    )
  })

  test('names SSH first of many blocked ports, all of them with -v, and all in JSON', async ({
    diff,
    edge,
    skyctl,
  }) => {
    const odd = Array.from({ length: 8 }, (_, index) =>
      wide(`odd-${index}`, `${1000 + 2 * index}`, [`10.${index}.0.0/16`]),
    )
    const firewall = edge.network.firewalls.get(9100)
    if (firewall) edge.network.firewalls.put({ ...firewall, rules: ruleSet(...odd, ssh) as never })
    edge.compute({ id: 9001, label: 'app' })
    edge.network.device(9100, 'compute', 9001)
    const blocked = (text: string) => text.split('\n').find((line) => line.startsWith('newly blocked')) ?? ''
    const begin = 'newly blocked at app: tcp/22 from 203.0.113.0/24; tcp/1000 from 10.0.0.0/16; '
    const end = '; tcp/1014 from 10.7.0.0/16'
    const update = (flags: string) =>
      skyctl(`firewalls rules update edge --file - --dry-run ${flags}`, { stdin: JSON.stringify(ruleSet(web)) })
    for (const text of [(await diff(ruleSet(web))).stdout, (await update('')).stderr])
      expect(blocked(text)).toMatch(new RegExp(`^${begin}.*; and 5 more$`))
    for (const text of [(await diff(ruleSet(web), '-v')).stdout, (await update('-v')).stderr])
      expect({ begin: blocked(text).startsWith(begin), end: blocked(text).endsWith(end) }).toEqual({
        begin: true,
        end: true,
      })
    const { effects } = JSON.parse((await update('--json')).stdout)
    expect(effects).toMatchObject([
      { kind: 'blocked', services: [{ id: 9001 }] },
      { kind: 'allowed', services: [{ id: 9001 }] },
    ])
    expect(effects[0].traffic).toHaveLength(9)
  })

  test('has a record for each change, with its numbers from 1', async ({ diff }) => {
    const json = async (rules: object) =>
      JSON.parse((await diff(rules, '--json')).stdout).filter((one: object) => 'direction' in one)
    const rule = (label: string) => expect.objectContaining({ label })
    expect(await json(ruleSet(web))).toEqual([{ kind: 'removed', direction: 'inbound', from: 1, rule: rule('ssh') }])
    expect(await json(ruleSet(ssh, web, dns))).toEqual([
      { kind: 'added', direction: 'inbound', to: 3, rule: rule('dns') },
    ])
    expect(await json({ ...ruleSet(ssh, web), inbound_policy: 'ACCEPT' })).toEqual([
      { kind: 'policy', direction: 'inbound', from: 'DROP', to: 'ACCEPT' },
    ])
    const rows = (await diff(ruleSet(ssh, web, dns), '-o tsv')).stdout.trimEnd().split('\n')
    expect(rows.map((row) => row.split('\t').slice(0, 4))).toEqual([
      ['kind', 'direction', 'from', 'to'],
      ['added', 'inbound', '', '3'],
    ])
    expect(rows[0]).toBe('kind\tdirection\tfrom\tto\tfields\trule')
    expect((await diff(ruleSet(web), '--quiet')).stdout).toBe('removed\n')
  })

  test('succeeds with a message if there is no difference', async ({ diff }) => {
    expect(await diff(ruleSet(ssh, web), '--exit-code')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'The rules of firewall "edge" (9100) do not differ\n',
    })
    expect(await diff(ruleSet(ssh, web), '--exit-code --json')).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
  })

  test.for([
    [ruleSet(web), '1 change'],
    [ruleSet(web, dns), '2 changes'],
  ] as const)('with --exit-code ends with 13 and the number of changes: $1', async ([rules, count], { diff }) => {
    expect(await diff(rules, '--exit-code')).toMatchObject({
      exit: 13,
      stderr: `skyctl: the rules of firewall "edge" (9100) differ: ${count}\n`,
    })
    const { exit, stderr } = await diff(rules, '--exit-code --json')
    expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({ exit: 13, error: { code: 'mismatch' } })
  })
})

describe('--if-match', () => {
  const remove = 'firewalls rules remove edge inbound label:ssh --yes'
  const hashOf = async (skyctl: Fixtures['skyctl']) => (await skyctl('firewalls rules list edge --hash')).stdout.trim()

  test('fails without differences if there is no backup', async ({ skyctl, edge: _ }) => {
    const { exit, stderr } = await skyctl(`${remove} --if-match ${'0'.repeat((await hashOf(skyctl)).length)}`)
    expect(exit).toBe(6)
    expect(stderr).not.toContain('Differences')
    expect(stderr).toMatch(/Show the current rules: skyctl firewalls rules list 9100\n$/)
  })
})
