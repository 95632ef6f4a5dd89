/** Reading firewall rules: match expressions, rule order, verdicts on packets, and advice. */
import { describe, expect, test } from 'vitest'
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import { adviseOn } from '../../src/firewall/advice'
import { orderMatters } from '../../src/firewall/merge'
import { type Match, matches, parseMatch } from '../../src/firewall/rule-selector'
import { judge } from '../../src/firewall/verdict'
import { type IpNetwork, parseAddress } from '../../src/rules/addresses'
import { type RuleFields, ruleThat as rule, rulesOf as set } from '../support/firewall-rules'

describe('A match expression', () => {
  test.for([
    ['tcp', { protocol: 'tcp' }],
    ['TCP/22', { protocol: 'tcp', ports: '22-22' }],
    ['tcp/443, 22', { protocol: 'tcp', ports: '22-22,443-443' }],
    ['tcp/80-81,82,90-95,91', { protocol: 'tcp', ports: '80-82,90-95' }],
    ['tcp/80-90,85-86,92', { protocol: 'tcp', ports: '80-90,92-92' }],
    ['icmp@203.0.113.7', { protocol: 'icmp', networks: '203.0.113.7/32' }],
    ['50@203.0.113.7/24,2001:DB8::/32,203.0.113.0/24', { protocol: '50', networks: '2001:db8::/32,203.0.113.0/24' }],
    ['udp/53@::1', { protocol: 'udp', ports: '53-53', networks: '::1/128' }],
  ] as const)('is parsed: %s', ([text, match]) => {
    expect(parseMatch(text)).toEqual(match)
  })

  test.for([
    ['', 'it begins with a protocol'],
    ['/22', 'it begins with a protocol'],
    ['tcp 22', 'it begins with a protocol'],
    ['@203.0.113.7', 'it begins with a protocol'],
    ['tcp/', 'Must not be empty; leave ports out for all of them'],
    ['tcp/x', '"x" is neither a port nor a range of ports'],
    ['tcp@', '"" is neither an address nor a network'],
    ['tcp@203.0.113.7,x', '"x" is neither an address nor a network'],
  ] as const)('is rejected: %j: %s', ([text, reason]) => {
    expect(parseMatch(text)).toBe(reason)
  })

  test.for([
    ['tcp', {}, true],
    ['udp', {}, false],
    ['tcp/22', {}, true],
    ['tcp/22', { ports: '22, 23' }, false],
    ['tcp/22,23', { ports: '22-23' }, true],
    ['tcp/1-65535', { ports: undefined }, true],
    ['tcp/22', { ports: undefined }, false],
    ['tcp/22', { ports: 'x' }, false],
    ['tcp@203.0.113.0/24', {}, true],
    ['tcp@203.0.113.9/24', {}, true],
    ['tcp@203.0.113.9', {}, false],
    ['tcp@203.0.113.0/24', { ipv6: ['::/0'] }, false],
    ['tcp@::/0,203.0.113.0/24', { ipv6: ['::/0'] }, true],
    ['50', { protocol: 50 as never }, true],
  ] as const)('%s matches a rule with %j: %s', ([text, fields, isMatch]) => {
    expect(matches(rule(fields as RuleFields), parseMatch(text) as Match)).toBe(isMatch)
  })
})

describe('The order of two rules matters', () => {
  const drop = (fields: RuleFields = {}) => rule({ action: 'DROP', ...fields } as RuleFields)

  test.for([
    ['the same action', rule(), rule(), false],
    ['the same traffic', rule(), drop(), true],
    ['different protocols', rule(), drop({ protocol: 'UDP' }), false],
    ['an unknown protocol', rule(), drop({ protocol: '50' }), true],
    ['two unknown protocols', rule({ protocol: '51' }), drop({ protocol: '50' }), true],
    ['different ports', rule({ ports: '22-25' }), drop({ ports: '26' }), false],
    ['port ranges that overlap', rule({ ports: '22-25' }), drop({ ports: '25-30' }), true],
    ['port ranges that overlap, swapped', rule({ ports: '25-30' }), drop({ ports: '22-25' }), true],
    ['several ports, one of them the same', rule({ ports: '22,80' }), drop({ ports: '80,443' }), true],
    ['all and some ports', rule({ ports: undefined }), drop({ ports: '26' }), true],
    ['some and all ports', rule({ ports: '26' }), drop({ ports: undefined }), true],
    ['all ports both', rule({ ports: undefined }), drop({ ports: undefined }), true],
    ['invalid and some ports', rule({ ports: 'x' }), drop({ ports: '26' }), true],
    ['some and invalid ports', rule({ ports: '26' }), drop({ ports: 'x' }), true],
    ['different networks', rule(), drop({ ipv4: ['198.51.100.0/24'] }), false],
    ['a network and a part of it', rule(), drop({ ipv4: ['203.0.113.7/32'] }), true],
    ['a network and a wider one', rule({ ipv4: ['203.0.113.7/32'] }), drop(), true],
    ['a network among others', rule(), drop({ ipv4: ['198.51.100.0/24', '203.0.113.7/32'] }), true],
    ['different address families', rule(), drop({ ipv4: [], ipv6: ['::/0'] }), false],
    ['no and some networks', rule({ ipv4: [] }), drop(), true],
    ['some and no networks', rule(), drop({ ipv4: [] }), true],
    ['invalid and some networks', rule({ ipv4: ['x'] }), drop(), true],
    ['some and invalid networks', rule(), drop({ ipv4: ['x'] }), true],
  ] as const)('%s: $3', ([, one, other, matters]) => {
    expect(orderMatters(one, other)).toBe(matters)
    expect(orderMatters(other, one)).toBe(matters)
  })
})

describe('The verdict on a packet', () => {
  const packet = (fields: object = {}) => ({
    direction: 'inbound' as const,
    protocol: 'TCP',
    port: 22,
    address: parseAddress('203.0.113.7') as IpNetwork,
    service: 'compute' as const,
    ...fields,
  })
  const rules = set([
    rule({ ports: '80', action: 'DROP' }),
    rule({ ports: '20-22' }),
    rule({ ports: undefined, action: 'DROP' }),
  ])

  test('is that of the first matching rule, or of the policy if none matches', () => {
    expect(judge(rules, packet())).toMatchObject({ action: 'ACCEPT', by: 'rule', number: 2 })
    expect(judge(rules, packet({ port: 20 }))).toMatchObject({ action: 'ACCEPT', number: 2 })
    expect(judge(rules, packet({ port: 19 }))).toMatchObject({ action: 'DROP', number: 3 })
    expect(judge(rules, packet({ port: 23 }))).toMatchObject({ action: 'DROP', number: 3 })
    expect(judge(rules, packet({ protocol: 'UDP' }))).toEqual({
      action: 'DROP',
      by: 'policy',
      number: null,
      rule: null,
    })
    const elsewhere = packet({ address: parseAddress('198.51.100.1') })
    expect(judge(rules, elsewhere)).toEqual({ action: 'DROP', by: 'policy', number: null, rule: null })
    expect(judge(rules, packet({ direction: 'outbound' }))).toMatchObject({ action: 'ACCEPT', by: 'policy' })
  })

  test.for<[string, RuleFields, string]>([
    ['invalid ports', { ports: 'x' }, 'its ports "x" are invalid'],
    ['a prefix list', { ipv4: ['pl:cdn'] }, '"pl:cdn" is neither an address nor a network'],
    ['no addresses', { ipv4: [] }, 'it has no addresses'],
  ])('is unknown with a reason at a rule with %s', ([, fields, reason]) => {
    const verdict = judge(set([rule(fields), rule()]), packet())
    expect(verdict).toMatchObject({ action: null, by: 'unknown', number: 1, reason })
  })

  test('is that of a rule at its networks beside a prefix list', () => {
    const partlyUnknown = set([rule({ ipv4: ['pl:cdn', '203.0.113.0/24'] })])
    expect(judge(partlyUnknown, packet())).toMatchObject({ action: 'ACCEPT', by: 'rule', number: 1 })
  })

  test('is that of a rule for an address without a mask', () => {
    expect(judge(set([rule({ ipv4: ['203.0.113.7'] })]), packet())).toMatchObject({ action: 'ACCEPT', number: 1 })
  })

  test('without a port is that of a rule for all ports', () => {
    expect(judge(rules, packet({ port: undefined }))).toMatchObject({ number: 3 })
  })

  test('at a balancer depends on rules only for inbound TCP', () => {
    const exempt = { action: 'ACCEPT', by: 'exempt', number: null, rule: null }
    expect(judge(rules, packet({ service: 'balancer', port: 80 }))).toMatchObject({ action: 'DROP', by: 'rule' })
    expect(judge(rules, packet({ service: 'balancer', protocol: 'UDP' }))).toEqual(exempt)
    expect(judge(rules, packet({ service: 'balancer', direction: 'outbound' }))).toEqual(exempt)
  })

  test('is unknown if a rule of an unknown protocol may match its port and address', () => {
    const withUnknownProtocol = (fields: RuleFields) => set([rule({ protocol: '50', ...fields } as RuleFields)])
    const unknown = { action: null, by: 'unknown', number: 1 }
    expect(judge(withUnknownProtocol({ ports: undefined }), packet())).toMatchObject(unknown)
    expect(judge(withUnknownProtocol({ ports: '22' }), packet())).toMatchObject(unknown)
    expect(judge(withUnknownProtocol({ ports: '23' }), packet())).toMatchObject({ by: 'policy' })
    expect(judge(withUnknownProtocol({ ports: '23' }), packet({ port: undefined }))).toMatchObject(unknown)
    expect(judge(withUnknownProtocol({ ports: '22', ipv4: ['198.51.100.0/24'] }), packet())).toMatchObject({
      by: 'policy',
    })
  })
})

describe('Advice', () => {
  const texts = (...inbound: FirewallRule[]) => adviseOn(set(inbound)).map(({ text }) => text)
  const never = (number: number) => `is never reached: rule ${number} matches all of its traffic first`

  test('reports a rule that equals another but for its label', () => {
    expect(texts(rule(), rule({ label: 'again' }))).toEqual(['inbound rule 2 is the same as rule 1'])
  })

  test.for([
    ['ports within those of the first', rule({ ports: '20-25' }), rule({ ports: '22-23' }), true],
    ['ports that exceed those of the first', rule({ ports: '20-25' }), rule({ ports: '22-26' }), false],
    ['one of two ports', rule({ ports: '20-25' }), rule({ ports: '22,80' }), false],
    ['a range that two ranges cover together', rule({ ports: '85-90,80-84' }), rule({ ports: '82-88' }), true],
    ['a range that two ranges cover with a gap', rule({ ports: '80-84,86-90' }), rule({ ports: '82-88' }), false],
    ['all ports', rule({ ports: undefined }), rule({ ports: '22' }), true],
    ['all ports after some', rule({ ports: '22' }), rule({ ports: undefined }), false],
    ['a network within that of the first', rule(), rule({ ipv4: ['203.0.113.7/32'], action: 'DROP' }), true],
    ['a network outside that of the first', rule(), rule({ ipv4: ['203.0.113.7/32', '198.51.100.7/32'] }), false],
    ['another protocol', rule({ ports: '20-25' }), rule({ protocol: 'UDP' }), false],
    ['invalid ports', rule(), rule({ ports: 'x' }), false],
    ['invalid networks', rule(), rule({ ipv4: ['x'] }), false],
  ] as const)('reports a rule that is never reached: %s', ([, first, second, isHidden]) => {
    expect(texts(first, second)).toEqual(isHidden ? [`inbound rule 2 ${never(1)}`] : [])
  })

  test('names the hiding rule of several', () => {
    const first = rule({ ports: '443', label: 'x' })
    expect(texts(first, rule({ ports: '20-25' }), rule({ ports: '22' }))).toEqual([`inbound rule 3 ${never(2)}`])
  })

  test.for([
    [{ ports: '22' }, 'SSH (22), which gives away a shell'],
    [{ ports: '2375,6379' }, 'Docker (2375), Redis (6379), which gives away root on the host and data'],
    [
      { ports: '10000-20000', protocol: 'UDP' },
      'Memcached (11211, the only known port in 10000-20000), which gives away data',
    ],
    [
      { ports: '20-6000' },
      'SSH (22), Telnet (23), SMB (445), Docker (2375-2376), Docker Swarm (2377), RDP (3389) and 23 more',
    ],
    [{ ports: '80' }, undefined],
    [{ ports: '22', protocol: 'UDP' }, undefined],
    [{ ports: '22', action: 'DROP' }, undefined],
    [{ ports: '22', ipv4: ['64.0.0.0/3'] }, undefined],
  ] as const)('reports a rule that opens known ports to everybody: %j', ([fields, reached]) => {
    const one = rule({ ipv4: ['203.0.113.0/24', '0.0.0.0/0'], ipv6: ['::/0'], ...(fields as RuleFields) })
    const open = 'ipv4' in fields ? rule(fields as unknown as RuleFields) : one
    const rules = set([open, rule({ ports: '9999' })])
    const advice = adviseOn(rules).map(({ text }) => text)
    expect(advice).toEqual(reached ? [`inbound rule 1 lets everybody reach ${reached}`] : [])
    expect(adviseOn({ ...set([rule({ ports: '443' })]), outbound: [open] })).toEqual([])
  })

  test('names everything that opens a port together, with the share of addresses', () => {
    const half = (ipv4: string) => rule({ ports: '22', ipv4: [ipv4] })
    expect(texts(half('0.0.0.0/1'), half('128.0.0.0/1'))).toEqual([
      'inbound rules 1 and 2 let any IPv4 address reach SSH (22), which gives away a shell',
    ])
    expect(texts(rule({ ports: '22', ipv4: ['128.0.0.0/1'] }))).toEqual([
      'inbound rule 1 lets 43 % of IPv4 reach SSH (22), which gives away a shell',
    ])
    const rest = ['1-21', '23-65535'].map((ports) =>
      rule({ action: 'DROP', ports, ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }),
    )
    const udp = rule({ action: 'DROP', protocol: 'UDP', ports: undefined, ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] })
    const inbound = [rule({ ports: '22', ipv4: ['0.0.0.0/1'], ipv6: ['::/0'] }), ...rest, udp]
    expect(adviseOn(set(inbound, 'ACCEPT'))).toEqual([
      {
        field: 'inbound[0].addresses',
        text: 'inbound rule 1 and the inbound policy let everybody reach SSH (22), which gives away a shell',
      },
    ])
  })

  test('reports nothing about a port that an earlier rule drops', () => {
    const drop = rule({ action: 'DROP', ports: '22', ipv4: ['0.0.0.0/0'] })
    expect(texts(drop, rule({ ports: '22', ipv4: ['0.0.0.0/0'] }))).toEqual([`inbound rule 2 ${never(1)}`])
  })

  test.for([
    ['0.0.0.0/32', 'all IPv4 is 0.0.0.0/0'],
    ['127.0.0.1/32', 'all IPv4 is 0.0.0.0/0'],
    ['239.1.0.0/16', 'all IPv4 is 0.0.0.0/0'],
    ['255.255.255.255/32', 'all IPv4 is 0.0.0.0/0'],
    ['::/128', 'all IPv6 is ::/0'],
    ['::1/128', 'all IPv6 is ::/0'],
    ['ff00::/8', 'all IPv6 is ::/0'],
  ])('reports %s, from which no packet comes', ([network = '', all]) => {
    const one = network.includes(':') ? rule({ ports: '80', ipv6: [network] }) : rule({ ports: '80', ipv4: [network] })
    expect(adviseOn(set([one]))).toEqual([
      { field: 'inbound[0].addresses', text: `inbound rule 1: ${network} matches nothing; ${all}` },
    ])
  })

  test('reports no network that has a source, and no multicast destination', () => {
    const some = rule({ ports: '80', ipv4: ['0.0.0.0/7', '240.0.0.0/4', '224.0.0.0/3'], ipv6: ['fe80::/10', '::/127'] })
    expect(texts(some)).toEqual([])
    const outbound = [rule({ ports: '80', ipv4: ['224.0.0.251/32', '0.0.0.0/32'], ipv6: ['ff02::fb/128'] })]
    expect(adviseOn({ ...set([rule()]), outbound }).map(({ text }) => text)).toEqual([
      'outbound rule 1: 0.0.0.0/32 matches nothing; all IPv4 is 0.0.0.0/0',
    ])
  })

  test('reports host bits, and rules that block all inbound traffic', () => {
    expect(texts(rule({ ipv4: ['203.0.113.7/24'], action: 'DROP' }))).toEqual([
      'inbound rule 1: 203.0.113.7/24 has host bits set: it means 203.0.113.0/24',
      'the inbound policy is DROP and no rule accepts: all inbound traffic is blocked',
    ])
    expect(adviseOn(set([], 'ACCEPT'))).toEqual([
      { field: 'inbound_policy', text: expect.stringMatching(/^the inbound policy lets everybody reach SSH \(22\), /) },
    ])
    const both = { ...set([]), outbound: [rule({ ipv4: ['203.0.113.7/24'] })] }
    expect(adviseOn(both).map(({ field }) => field)).toEqual(['inbound_policy', 'outbound[0].addresses'])
    expect(adviseOn({ ...set([rule()]), outbound_policy: 'DROP' } as FirewallRules)).toEqual([])
  })
})
