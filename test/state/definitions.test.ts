/** Named networks and groups of rules in account files: their expansion, and the lines of their problems (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import { isRecord } from '../../src/rules/records'
import { type Files, problemsIn, read } from '../support/desired-state'

const accept = 'action: accept, protocol: tcp, ports: 22'

/** Returns the rules of firewall "web", inbound and outbound. */
async function rulesIn(files: Files, names?: string[]): Promise<unknown> {
  const { entries } = await read(files, names)
  const value = entries.get('firewalls')?.get('web')?.value
  return isRecord(value) && value.rules
}

/** Returns the addresses of the first inbound rule of firewall "web". */
async function addressesIn(networks: string, from: string): Promise<unknown> {
  const text = `networks: ${networks}\nfirewalls: { web: { rules: { inbound: [{ ${accept}, from: ${from} }] } } }`
  const { inbound } = (await rulesIn({ 'a.yaml': text })) as { inbound: { addresses: unknown }[] }
  return inbound[0]?.addresses
}

const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '22' }

describe('a named network', () => {
  test.for<[networks: string, from: string, addresses: object]>([
    ['{ office: [203.0.113.0/24, "2001:db8::/48"] }', 'office', { ipv4: ['203.0.113.0/24'], ipv6: ['2001:db8::/48'] }],
    [
      '{ office: [203.0.113.0/24], vpn: 198.51.100.7 }',
      '[vpn, 192.0.2.7, office]',
      { ipv4: ['198.51.100.7/32', '192.0.2.7/32', '203.0.113.0/24'] },
    ],
    ['{}', 'anywhere', { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }],
    ['{ v6: ["::1"] }', '[Anywhere, v6]', { ipv4: ['0.0.0.0/0'], ipv6: ['::/0', '::1/128'] }],
    // Addresses of several names are kept once, also in another spelling.
    [
      '{ a: [192.0.2.7, "2001:DB8:0::/48"], b: [192.0.2.7/32, "2001:db8::/48", 192.0.2.8] }',
      '[a, b, a, 192.0.2.8/32]',
      { ipv4: ['192.0.2.7/32', '192.0.2.8/32'], ipv6: ['2001:DB8:0::/48'] },
    ],
    // A network within another one is not a repetition of it.
    ['{ a: [192.0.2.0/24], b: [192.0.2.0/25] }', '[a, b]', { ipv4: ['192.0.2.0/24', '192.0.2.0/25'] }],
    ['{ constructor: [192.0.2.7] }', 'constructor', { ipv4: ['192.0.2.7/32'] }],
  ])('is replaced by its addresses, each in its family: %s from %s', async ([networks, from, addresses]) => {
    expect(await addressesIn(networks, from)).toEqual(addresses)
  })

  test('may be defined in another file than the rules, before or after them', async () => {
    const web = `firewalls: { web: { rules: { outbound: [{ ${accept}, to: office }] } } }`
    const files = { 'a.yaml': web, 'networks.yaml': 'networks: { office: 192.0.2.7 }' }
    const outbound = [{ ...rule, addresses: { ipv4: ['192.0.2.7/32'] } }]
    expect(await rulesIn(files, ['a.yaml', 'networks.yaml'])).toEqual({ outbound })
    expect(await rulesIn(files, ['networks.yaml', 'a.yaml'])).toEqual({ outbound })
  })

  test('may be named in a rules file that an account file includes', async () => {
    const files = {
      'a.yaml': 'networks: { office: 192.0.2.7 }\nfirewalls: { web: { rules: web.yaml } }',
      'web.yaml': `inbound:\n  - { ${accept}, from: office }\n  - { ${accept}, from: ofice }`,
    }
    const { problems } = await problemsIn(files)
    expect(problems).toEqual([
      'web.yaml:3: firewalls.web.rules.inbound[1].from[0]: no network has the name "ofice". Did you mean "office"?',
    ])
    const inbound = [{ ...rule, addresses: { ipv4: ['192.0.2.7/32'] } }]
    expect(await rulesIn({ ...files, 'web.yaml': files['web.yaml'].replace(/\n.*ofice.*/, '') })).toEqual({ inbound })
  })

  test('may be defined twice with the same addresses, and may be unused', async () => {
    const files = {
      'a.yaml': 'networks: { office: [192.0.2.7, 192.0.2.8], vpn: 192.0.2.9 }',
      'b.yaml': 'networks: { office: [192.0.2.8/32, 192.0.2.7/32] }',
    }
    expect((await read(files)).entries.size).toBe(0)
  })

  test('cannot be defined twice with different addresses', async () => {
    const files = {
      'a.yaml': 'networks:\n  office: [192.0.2.7]',
      'b.yaml': `networks:\n\n  office: [192.0.2.8]\nfirewalls: { web: { rules: { inbound: [{ ${accept}, from: office }] } } }`,
    }
    expect(await problemsIn(files)).toEqual({
      code: 'usage',
      problems: ['b.yaml:3: networks.office: is already in a.yaml:2, with other contents (used in b.yaml:4)'],
    })
  })
})

/** Writes a file with networks in lines 1 to 4 and the rule in line 8. */
const withRule = (one: string, direction = 'inbound') =>
  `networks:
  office: [203.0.113.0/24]
  vpn: [198.51.100.7]
  empty: []
rules: {}
firewalls:
  web:
    rules: { ${direction}: [{ action: accept, protocol: tcp, ${one} }] }
`.replace(one.includes('empty') ? '' : '  empty: []', '')

describe('a rule with the names of networks', () => {
  type Row = [rule: string, direction: 'inbound' | 'outbound', ...problems: string[]]
  const empty = 'a.yaml:4: networks.empty: Must not be empty (used in a.yaml:8)'

  /** Each problem follows the place of the rule, unless it begins with a place of its own. */
  test.for<Row>([
    ['from: [ofice, vpn]', 'inbound', 'from[0]: no network has the name "ofice". Did you mean "office"?'],
    ['from: zzzz', 'inbound', 'from[0]: no network has the name "zzzz". The networks are: office, vpn'],
    ['from: anywere', 'inbound', 'from[0]: no network has the name "anywere". Did you mean "anywhere"?'],
    ['to: office', 'inbound', 'to: cannot be used in an inbound rule, which has "from"'],
    ['from: office', 'outbound', 'from: cannot be used in an outbound rule, which has "to"'],
    ['from: office, to: vpn', 'outbound', 'from: cannot be used in an outbound rule, which has "to"'],
    ['from: office, addresses: 192.0.2.7', 'inbound', 'from: addresses sets the same, so set only one of them'],
    ['from: []', 'inbound', 'from: Must not be empty'],
    ['from: {}', 'inbound', 'from: Must be an array, not an object. Begin each item with "- "'],
    ['from: [5]', 'inbound', 'from[0]: Must be a string, not a number. Put it in quotes'],
    ['ports: 22', 'inbound', 'addresses: is required, unless the rule has from or to'],
    [
      'from: [office, 300.0.0.1, 10.0.0.0/33]',
      'inbound',
      'from[1]: Must contain only valid IPv4 addresses or networks: not an address',
      'from[2]: Must contain only valid IPv4 addresses or networks: the mask must be 0 to 32',
    ],
    ['from: [empty, office]', 'inbound', empty],
    ['from: [empty, ofice]', 'inbound', empty, 'from[1]: no network has the name "ofice". Did you mean "office"?'],
    ['use: ssh', 'inbound', 'use: the group sets the whole rule. Remove "action"'],
    [
      'from: office, ports: 99999, lable: ssh',
      'inbound',
      'ports: "99999" is out of range: ports are 1 to 65535',
      'lable: unknown key. Did you mean "label"?',
    ],
  ])('is rejected with the lines of its use and its definition: %s', async ([text, direction, ...problems]) => {
    const withPlace = (problem: string) =>
      problem.startsWith('a.yaml') ? problem : `a.yaml:8: firewalls.web.rules.${direction}[0].${problem}`
    expect(await problemsIn({ 'a.yaml': withRule(text, direction) })).toEqual({
      code: 'usage',
      problems: problems.map(withPlace),
    })
  })

  test('is rejected with a hint if the files define no networks', async () => {
    const text = `firewalls: { web: { rules: { inbound: [{ ${accept}, from: zzzz }] } } }`
    expect((await problemsIn({ 'a.yaml': text })).problems).toEqual([
      'a.yaml:1: firewalls.web.rules.inbound[0].from[0]: no network has the name "zzzz". The files define no networks. Name the file that does, too, as in: skyctl plan account.yaml networks.yaml',
    ])
  })

  test('has at most 255 addresses after expansion', async () => {
    const some = (count: number, third: number) =>
      `[${Array.from({ length: count }, (_, index) => `10.0.${third}.${index}`).join(', ')}]`
    const file = (more: string) =>
      `networks:\n  a: ${some(200, 1)}\n  b: ${some(55, 2)}\nfirewalls:\n  web:\n    rules:\n      inbound:\n        - { ${accept}, from: [a, b${more}] }`
    const reason =
      'Too many addresses submitted. Max allowed is 255, with 200 of "a" (a.yaml:2) and 55 of "b" (a.yaml:3)'
    expect((await problemsIn({ 'a.yaml': file(', 192.0.2.7') })).problems).toEqual([
      `a.yaml:8: firewalls.web.rules.inbound[0].from: ${reason}`,
    ])
    // An address that is also in a network counts once.
    expect((await problemsIn({ 'a.yaml': file(', 10.0.2.7') })).problems).toEqual([])
  })
})

describe('networks', () => {
  const noName = 'Must be an address or a network: a name cannot stand for other names'

  test.for<[networks: string, ...problems: string[]]>([
    ['[office]', 'a.yaml:1: networks: Must be an object, not a list'],
    ['{ office: }', 'a.yaml:1: networks.office: Must be an array, but has no value'],
    ['{ office: 5 }', 'a.yaml:1: networks.office: Must be an array, not a number'],
    ['{ office: [5] }', 'a.yaml:1: networks.office[0]: Must be a string, not a number. Put it in quotes'],
    ['\n  vpn: [192.0.2.7]\n  office: [192.0.2.8, vpn]', `a.yaml:3: networks.office[1]: ${noName}`],
    ['{ office: [office] }', `a.yaml:1: networks.office[0]: ${noName}`],
    ['{ office: [anywhere] }', `a.yaml:1: networks.office[0]: ${noName}`],
    [
      '{ office: ["fe80::1%eth0"] }',
      'a.yaml:1: networks.office[0]: Must contain only valid IPv6 addresses or networks: a zone id is not allowed',
    ],
    ['{ Anywhere: [192.0.2.7] }', 'a.yaml:1: networks.Anywhere: is reserved for 0.0.0.0/0 and ::/0'],
    [
      '{ 10.0.0.1: [192.0.2.7] }',
      'a.yaml:1: networks.10.0.0.1: A name begins with a letter, and has only letters, digits and "._-"',
    ],
    [
      '\noffice: [192.0.2.7]',
      'a.yaml:1: networks: is empty, and the next keys are probably indented too little: office',
    ],
  ])('are rejected with the line of each problem: %j', async ([networks, ...problems]) => {
    expect(await problemsIn({ 'a.yaml': `networks: ${networks}` })).toEqual({ code: 'usage', problems })
  })

  test('are rejected with the first three of their uses', async () => {
    const rules = Array.from({ length: 5 }, () => `\n        - { ${accept}, from: office }`).join('')
    const text = `networks:\n  office: []\nfirewalls:\n  web:\n    rules:\n      inbound:${rules}`
    expect((await problemsIn({ 'a.yaml': text })).problems).toEqual([
      'a.yaml:2: networks.office: Must not be empty (used in a.yaml:7, a.yaml:8, a.yaml:9 and 2 more)',
    ])
  })
})

const withGroup = (group: string, use = '{ use: ssh }', direction = 'inbound') => `networks: { office: 192.0.2.7 }
rules:
  ssh:
${group}
firewalls:
  web:
    rules:
      ${direction}:
        - ${use}
`

describe('a group of rules', () => {
  test('replaces each rule that uses it', async () => {
    const http = '{ action: drop, protocol: tcp, ports: 80, addresses: 0.0.0.0/0 }'
    const text = `rules:
  ssh:
    - { ${accept}, from: office, label: ssh }
    - { action: drop, protocol: icmp, addresses: { ipv6: "::/0" }, description: null }
firewalls:
  web: { rules: { inbound: [${http}, { use: ssh }, ${http}, { use: ssh }, { use: none }] } }
  db1: { rules: { inbound: [{ use: ssh }] } }`
    const files = { 'a.yaml': text, 'b.yaml': 'networks: { office: 192.0.2.7 }\nrules: { none: [], unused: [] }' }
    const { entries } = await read(files)
    const group = [
      { ...rule, addresses: { ipv4: ['192.0.2.7/32'] }, label: 'ssh' },
      { action: 'DROP', protocol: 'ICMP', addresses: { ipv6: ['::/0'] } },
    ]
    const own = { action: 'DROP', protocol: 'TCP', ports: '80', addresses: { ipv4: ['0.0.0.0/0'] } }
    expect(entries.get('firewalls')?.get('web')?.value).toEqual({
      rules: { inbound: [own, ...group, own, ...group] },
    })
    expect(entries.get('firewalls')?.get('db1')?.value).toEqual({ rules: { inbound: group } })
  })

  test('without from and to can be used in both directions', async () => {
    const text = withGroup(`    - { ${accept}, addresses: 192.0.2.7 }`, '{ use: ssh }\n      outbound: [{ use: ssh }]')
    const both = [{ ...rule, addresses: { ipv4: ['192.0.2.7/32'] } }]
    expect(await rulesIn({ 'a.yaml': text })).toEqual({ inbound: both, outbound: both })
  })

  const own = `    - { ${accept}, from: office }`

  test.for<{ use: string; direction?: 'inbound' | 'outbound'; group?: string; problem: string }>([
    { use: '{ use: shs }', problem: 'no group of rules has the name "shs". Did you mean "ssh"?' },
    { use: '{ use: zzzzzz }', problem: 'no group of rules has the name "zzzzzz". The groups are: ssh' },
    { use: '{ use: [ssh] }', problem: 'Must be the name of a group of rules' },
    { use: '{ use: ssh, label: abc }', problem: 'the group sets the whole rule. Remove "label"' },
    { use: '{ use: ssh }', direction: 'outbound', problem: '"ssh" is not for outbound rules: a.yaml:4 has "from"' },
    {
      use: '{ use: ssh }',
      group: `    - { ${accept}, to: office }`,
      problem: '"ssh" is not for inbound rules: a.yaml:4 has "to"',
    },
  ])(
    'is rejected with the line of a wrong use: $use $direction $group',
    async ({ use, direction = 'inbound', group = own, problem }) => {
      expect(await problemsIn({ 'a.yaml': withGroup(group, use, direction) })).toEqual({
        code: 'usage',
        problems: [`a.yaml:9: firewalls.web.rules.${direction}[0].use: ${problem}`],
      })
    },
  )

  test.for<[group: string, ...problems: string[]]>([
    ['    - use: other', '4: rules.ssh[0].use: a group of rules cannot use another one'],
    [
      `    - { ${accept}, from: ofice }`,
      '4: rules.ssh[0].from[0]: no network has the name "ofice". Did you mean "office"?',
    ],
    [
      `    - { ${accept}, from: office, to: office }`,
      '4: rules.ssh[0].to: a rule with "from" is for the other direction',
    ],
    [
      `    - { action: accept, protocol: tcp, ports: 080, from: office }`,
      '4: rules.ssh[0].ports: "080" is neither a port nor a range of ports',
    ],
    [
      '    - { action: accept }',
      '4: rules.ssh[0].protocol: is required',
      '4: rules.ssh[0].addresses: is required, unless the rule has from or to',
    ],
    ['    - office', '4: rules.ssh[0]: Must be an object, not a text'],
    ['    from: office', '3: rules.ssh: Must be an array, not an object. Begin each item with "- "'],
    ['', '3: rules.ssh: Must be an array, but has no value'],
  ])('is rejected with its line and the line of its use: %s', async ([group, ...problems]) => {
    expect(await problemsIn({ 'a.yaml': withGroup(group) })).toEqual({
      code: 'usage',
      problems: problems.map((problem) => `a.yaml:${problem} (used in a.yaml:9)`),
    })
  })

  test('with an invalid network is not rejected itself: the problem of the network names its line', async () => {
    const text = withGroup(`    - { ${accept}, from: office }`).replace('192.0.2.7', '[]')
    expect((await problemsIn({ 'a.yaml': text })).problems).toEqual([
      'a.yaml:1: networks.office: Must not be empty (used in a.yaml:4)',
    ])
  })

  test('cannot be defined twice with different rules', async () => {
    const one = (port: number) => `rules:\n  ssh: [{ action: accept, protocol: tcp, ports: ${port}, from: anywhere }]`
    const files = { 'a.yaml': one(22), 'b.yaml': one(23), 'c.yaml': one(22) }
    expect((await problemsIn(files)).problems).toEqual([
      'b.yaml:2: rules.ssh: is already in a.yaml:2, with other contents',
    ])
  })

  test('counts with all its rules towards the 25 of a firewall', async () => {
    const rules = (count: number) => Array.from({ length: count }, () => `\n    - { ${accept}, from: office }`).join('')
    const file = (own: number) =>
      `networks: { office: 192.0.2.7 }\nrules:\n  ssh:${rules(12)}\nfirewalls:\n  web:\n   rules:\n    inbound:\n    - use: ssh${rules(own)}\n    - use: ssh`
    expect((await problemsIn({ 'a.yaml': file(1) })).problems).toEqual([])
    expect((await problemsIn({ 'a.yaml': file(2) })).problems).toEqual([
      'a.yaml:18: firewalls.web.rules: Too many rules submitted. Max allowed is 25: a.yaml:20 uses 12 of "ssh" (a.yaml:3), a.yaml:23 uses 12 of "ssh" (a.yaml:3)',
    ])
  })

  test('does not shift the lines of the rules that follow it', async () => {
    const text = withGroup(
      `    - { ${accept}, from: office }\n    - { ${accept}, from: office }`,
      `use: ssh\n        - { action: accept, protocol: tcp, ports: 080, from: office }`,
    )
    expect((await problemsIn({ 'a.yaml': text })).problems).toEqual([
      'a.yaml:11: firewalls.web.rules.inbound[1].ports: "080" is neither a port nor a range of ports',
    ])
  })
})
