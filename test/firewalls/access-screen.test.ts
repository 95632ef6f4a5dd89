/** Inbound access in `firewalls view`, with notes on unknown effects and on firewalls that protect nothing. */
import { describe, expect } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { rulesOf, ruleThat } from '../support/firewall-rules'
import { test as base } from '../support/skyctl'

interface AccessFixtures {
  /** Shows a firewall with these rules and types of services, and returns the lines about access. */
  accessLines(
    rules: FirewallRules,
    more?: { devices?: string[]; status?: string; flags?: string; columns?: number },
  ): Promise<string[]>
}

const test = base.extend<AccessFixtures>({
  accessLines: async ({ skyctl, world }, use) =>
    use(async (rules, { devices = ['compute'], status = 'enabled', flags = '', columns } = {}) => {
      const { id } = world.network.firewall({ label: 'edge', status, rules } as never)
      for (const type of devices) {
        if (type === 'compute') world.network.device(id, type, 1004)
        else world.network.device(id, type as never, type === 'balancer' ? 2002 : 77)
      }
      const { exit, stdout } = await skyctl(`firewalls view ${id} ${flags}`, columns === undefined ? {} : { columns })
      expect(exit).toBe(0)
      const lines = stdout.split('\n')
      const start = lines.findIndex((line) => line.includes('Who gets in'))
      return lines.slice(start + 1, lines.indexOf('', start))
    }),
})

const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const web = ruleThat({ ...anyone, ports: '80, 443' })
const office = ruleThat({ ipv6: ['2001:db8:f::/48'] })

describe('firewalls view shows', () => {
  test.for<[string, FirewallRules, string[]]>([
    [
      'ports with their networks, the widest first, then the policy',
      rulesOf([office, web]),
      [
        '  tcp/80,443       anywhere',
        '  tcp/22           203.0.113.0/24, 2001:db8:f::/48',
        '  everything else  blocked (policy DROP)',
      ],
    ],
    ['that all traffic is blocked', rulesOf([]), ['  all traffic  blocked (policy DROP)']],
    ['that all traffic is allowed', rulesOf([web], 'ACCEPT'), ['  all traffic  anywhere (rules and policy ACCEPT)']],
    [
      'that the policy blocks other protocols, if rules allow all that they can name',
      rulesOf(['TCP', 'UDP', 'ICMP', 'IPENCAP'].map((protocol) => ruleThat({ ...anyone, protocol, ports: undefined }))),
      [
        '  tcp, udp, icmp, ipencap                anywhere',
        '  other protocols (such as GRE and ESP)  blocked (policy DROP)',
      ],
    ],
    [
      'traffic that rules block if the policy allows',
      rulesOf([ruleThat({ action: 'DROP', ports: '25', ipv4: ['0.0.0.0/0'] })], 'ACCEPT'),
      ['  tcp/25           blocked: any IPv4 address', '  everything else  anywhere (policy ACCEPT)'],
    ],
    [
      'exceptions by an earlier rule',
      rulesOf([ruleThat({ action: 'DROP', ipv4: ['198.51.100.7/32'] }), ruleThat(anyone)]),
      ['  tcp/22           anywhere but 198.51.100.7', '  everything else  blocked (rules and policy DROP)'],
    ],
    [
      'traffic of unknown effect, with the rule that causes it',
      rulesOf([ruleThat({ protocol: '47', ports: undefined, ipv4: ['192.0.2.0/24'], label: 'tunnel' })]),
      [
        '  all traffic      not judged: 192.0.2.0/24',
        '  everything else  blocked (policy DROP)',
        '  Rule 1 "tunnel" cannot be judged: the API does not document what protocol 47 matches',
      ],
    ],
    ['an unknown policy', rulesOf([], 'REJECT'), ['  all traffic  not judged (policy REJECT)']],
  ])('%s', async ([, rules, lines], { accessLines }) => {
    expect(await accessLines(rules)).toEqual(lines)
  })

  test('traffic that a balancer does not filter', async ({ accessLines }) => {
    expect(await accessLines(rulesOf([web]), { devices: ['balancer'] })).toEqual([
      '  tcp/80,443          anywhere',
      '  udp, icmp, ipencap  anywhere: a balancer filters TCP only',
      '  all other tcp       blocked (policy DROP)',
    ])
    expect((await accessLines(rulesOf([web]), { devices: ['balancer', 'compute'] })).at(-1)).toBe(
      '  At a balancer, only TCP is filtered: all other traffic gets in',
    )
  })

  test.for<[string, { devices?: string[]; status?: string }, string]>([
    [
      'a disabled firewall',
      { status: 'disabled' },
      'The firewall is disabled and protects nothing. Its rules would allow:',
    ],
    ['a firewall without services', { devices: [] }, 'The firewall protects nothing yet. Its rules would allow:'],
    [
      'a firewall of unknown status',
      { status: 'paused' },
      'The status paused is unknown: skyctl cannot tell whether these rules are enforced',
    ],
  ])('a note first for %s', async ([, more, line], { accessLines }) => {
    const [first, ...rest] = await accessLines(rulesOf([web]), more)
    expect(first).toBe(`  ${line}`)
    expect(rest[0]).toBe('  tcp/80,443       anywhere')
  })

  const many = Array.from({ length: 12 }, (_, index) => `203.0.113.${2 * index}/32`)

  test('some of many networks on a terminal, and all of them in a pipe', async ({ accessLines }) => {
    const rules = rulesOf([ruleThat({ ipv4: many })])
    expect((await accessLines(rules, { columns: 300, flags: '--color never' }))[0]).toBe(
      '  tcp/22           203.0.113.0, 203.0.113.2, 203.0.113.4, 203.0.113.6, 203.0.113.8, 203.0.113.10 and 6 more',
    )
    expect((await accessLines(rules))[0]).toBe(
      `  tcp/22           ${many.map((one) => one.replace('/32', '')).join(', ')}`,
    )
  })

  test.for([80, 40])('lines of at most %i columns', async (columns, { accessLines }) => {
    const ports = Array.from({ length: 15 }, (_, index) => 1000 + 2 * index).join(', ')
    const lines = await accessLines(rulesOf([ruleThat({ ports, ipv4: many }), web]), {
      columns,
      flags: '--color never',
    })
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.filter((line) => line.length > columns)).toEqual([])
  })

  test('allowed and blocked traffic in colours on a terminal only', async ({ accessLines }) => {
    const coloured = (await accessLines(rulesOf([web]), { columns: 80 })).join('\n')
    expect(coloured).toContain('\u001b[32manywhere')
    expect(coloured).toContain('\u001b[31mblocked')
    expect((await accessLines(rulesOf([web]))).join('\n')).not.toContain('\u001b')
  })
})
