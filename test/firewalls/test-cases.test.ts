/** Parsing packets and rules from flags and files (interface.md, firewalls test and rules). */
import { describe, expect, test } from 'vitest'
import { caseOfFlags, readCases } from '../../src/commands/firewalls/test-cases'
import type { Session } from '../../src/engine/session'
import { tidyRule, tidyRules } from '../../src/firewall/normalize-rules'
import { parseAddress } from '../../src/rules/addresses'

describe('A case from flags', () => {
  const packet = (more: object) => ({
    name: undefined,
    direction: 'inbound',
    protocol: 'TCP',
    port: 22,
    address: parseAddress('192.0.2.7'),
    service: undefined,
    expect: undefined,
    ...more,
  })
  const defaults = { protocol: 'tcp', port: '22', from: '192.0.2.7' }

  test.for<[object, object]>([
    [defaults, {}],
    [
      { ...defaults, name: 'ssh', service: 'Balancer', expect: 'drop', direction: 'INBOUND' },
      { name: 'ssh', service: 'balancer', expect: 'DROP' },
    ],
    [
      { protocol: 'icmp', from: '192.0.2.7' },
      { protocol: 'ICMP', port: undefined },
    ],
    [
      { protocol: 'UDP', port: '65535', to: '::1' },
      { protocol: 'UDP', port: 65_535, direction: 'outbound', address: parseAddress('::1') },
    ],
    [{ ...defaults, port: '1', other: 'x', yes: true }, { port: 1 }],
    [
      { port: '22', from: '203.0.113.9' },
      { protocol: 'TCP', port: 22, address: parseAddress('203.0.113.9') },
    ],
  ])('is parsed: %j', ([flags, more]) => {
    expect(caseOfFlags(flags as never, 'web')).toEqual(packet(more))
  })

  test.for<[object, string]>([
    [{ from: '192.0.2.7' }, '--protocol is required'],
    [{ ...defaults, protocol: 'x' }, '--protocol: "x" is not one of TCP, UDP, ICMP, IPENCAP'],
    [{ protocol: 'tcp', from: '192.0.2.7' }, '--port is required with TCP'],
    [{ protocol: 'udp', from: '192.0.2.7' }, '--port is required with UDP'],
    [{ ...defaults, protocol: 'icmp' }, '--port: ICMP has no ports'],
    ...['0', '65536', '100000', '022', '1-2', '22.5', '1e3', 'x', ''].map((port): [object, string] => [
      { ...defaults, port },
      `--port: "${port}" is not a port from 1 to 65535`,
    ]),
    [{ protocol: 'tcp', port: '22' }, '--from is required with inbound traffic'],
    [{ ...defaults, direction: 'outbound' }, '--from: outbound traffic is judged by "to"'],
    [{ ...defaults, to: '::1' }, '--from: outbound traffic is judged by "to"'],
    [{ ...defaults, direction: 'inbound', to: '::1' }, '--to: inbound traffic is judged by "from"'],
    [{ protocol: 'tcp', port: '22', direction: 'outbound' }, '--to is required with outbound traffic'],
    [{ ...defaults, from: '192.0.2.0/24' }, '--from: "192.0.2.0/24" is not a single IPv4 or IPv6 address'],
    [{ ...defaults, direction: 'x' }, '--direction: "x" is not one of inbound, outbound'],
    [{ ...defaults, service: 'x' }, '--service: "x" is not one of compute, balancer'],
    [{ ...defaults, expect: 'x' }, '--expect: "x" is not one of ACCEPT, DROP'],
  ])('is rejected: %j: %s', ([flags, message]) => {
    expect(() => caseOfFlags(flags as never, 'web')).toThrow(expect.objectContaining({ code: 'usage', message }))
  })
})

describe('Cases from a file', () => {
  const cases = (text: string) => readCases('-', { ui: { readStdin: async () => text } } as unknown as Session)
  const one = { protocol: 'TCP', port: 22, from: '192.0.2.7' }

  test('are a list, or an object with the key "cases"', async () => {
    const expected = [
      { protocol: 'TCP', port: 22, name: '7' },
      { protocol: 'UDP', port: 53 },
    ]
    const list = [
      { ...one, name: 7 },
      { ...one, protocol: 'udp', port: '53' },
    ]
    expect(await cases(JSON.stringify(list))).toMatchObject(expected)
    expect(await cases(JSON.stringify({ cases: list, more: 1 }))).toMatchObject(expected)
    expect(await cases('- {protocol: tcp, port: 22, from: 192.0.2.7}')).toMatchObject([{ port: 22 }])
  })

  test.for<[unknown, string]>([
    [null, 'stdin is empty'],
    [[], 'stdin must hold a list of cases'],
    [{}, 'stdin must hold a list of cases'],
    [{ cases: 'x' }, 'stdin must hold a list of cases'],
    ['x', 'stdin must hold a list of cases'],
    [[7], 'cases[0]: a case must be an object (line 1)'],
    [[one, { ...one, port: 0 }], 'cases[1]: port: "0" is not a port from 1 to 65535 (line 1)'],
    [{ cases: [{ ...one, protocol: undefined }] }, 'cases[0]: protocol is required (line 1)'],
    [[{ ...one, form: 1 }], 'cases[0].form: unknown key. Did you mean "from"? (line 1)'],
    [
      [{ ...one, zzz: 1 }],
      'cases[0].zzz: unknown key. The keys are: name, direction, protocol, port, from, to, service, expect (line 1)',
    ],
  ])('are rejected: %j: %s', async ([value, message]) => {
    const problem = await cases(JSON.stringify(value)).catch((error) => error)
    expect([problem.code, problem.message]).toEqual(['usage', message])
  })
})

describe('Rules from a file', () => {
  const rulesWith = (changes: object) => ({
    inbound: [],
    inbound_policy: 'DROP',
    outbound: [],
    outbound_policy: 'ACCEPT',
    ...changes,
  })

  test('are normalized: keywords in upper case, without null values, with prefix lengths', () => {
    const rule = {
      action: 'accept',
      protocol: 'udp',
      ports: null,
      label: null,
      addresses: { ipv4: ['192.0.2.7', '192.0.2.0/24'], ipv6: null },
    }
    expect(tidyRules(rulesWith({ inbound: [rule, 'x'], inbound_policy: 'drop', outbound: null }))).toEqual({
      value: rulesWith({
        inbound: [{ action: 'ACCEPT', protocol: 'UDP', addresses: { ipv4: ['192.0.2.7/32', '192.0.2.0/24'] } }, 'x'],
      }),
      masked: ['192.0.2.7/32'],
    })
    expect(tidyRules(rulesWith({ outbound: [{ addresses: { ipv6: ['::1'] } }] })).masked).toEqual(['::1/128'])
  })

  test('are unchanged if they are invalid', () => {
    for (const invalid of [
      rulesWith({ inbound: 'x' }),
      rulesWith({ inbound_policy: 'reject' }),
      rulesWith({ inbound: [{ action: 'x', protocol: 50, addresses: 'x' }] }),
      rulesWith({ inbound: [{ addresses: { ipv4: 'x', ipv6: [7, 'y', ['192.0.2.7']] } }] }),
      { inbound_policy: 7 },
    ])
      expect(tidyRules(invalid)).toEqual({ value: invalid, masked: [] })
  })

  test('have ports as texts, even where the file has a number', () => {
    const { value } = tidyRules(rulesWith({ inbound: [{ ports: '22' }, { ports: 80 }], outbound: [{ ports: 443 }] }))
    expect(value).toEqual(rulesWith({ inbound: [{ ports: '22' }, { ports: '80' }], outbound: [{ ports: '443' }] }))
    expect(tidyRule({ ports: 80 }, [])).toEqual({ ports: '80' })
  })
})
