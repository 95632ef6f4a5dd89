/** Texts about newly blocked and allowed traffic, and the flag values that keep traffic open. */
import { describe, expect, test } from 'vitest'
import { open } from '../../src/firewall/classify-traffic'
import { blockedRequirements, effectsOf, effectText, opensAll, type Service } from '../../src/firewall/effects'
import { type KeptOpen, parseKeptOpen, sshConnection } from '../../src/firewall/keep-open'
import { trafficText } from '../../src/firewall/traffic-text'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'

const web1: Service = { type: 'compute', id: 1001, label: 'web-1' }
const bare: Service = { type: 'compute', id: 1002, label: null }
const front: Service = { type: 'balancer', id: 2001, label: 'front-1' }
const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }

const descriptions = (services: readonly Service[], before = rulesOf([]), after = rulesOf([])) =>
  effectsOf({ before, after, services }).map((effect) => effectText(effect))

describe('The effect on services', () => {
  test('is one line if it is equal for them, with type and id of one without a label', () => {
    const before = rulesOf([rule({ ipv4: ['198.51.100.0/24'] })])
    expect(descriptions([web1, bare, front], before)).toEqual([
      'newly blocked at web-1, compute 1002, front-1: tcp/22 from 198.51.100.0/24',
    ])
    expect(descriptions([], before)).toEqual([])
  })

  test('on a balancer is only inbound TCP', () => {
    const before = rulesOf([rule({ protocol: 'UDP', ports: '53', ...anyone })])
    expect(descriptions([front], before)).toEqual([])
    expect(descriptions([front], open, { ...open, outbound_policy: 'DROP' })).toEqual([])
  })

  test('on protocols that no rule names is that of the policy', () => {
    const every = ['TCP', 'UDP', 'ICMP', 'IPENCAP'].map((protocol) => rule({ protocol, ports: undefined, ...anyone }))
    const other = 'other protocols (such as GRE and ESP) from 0.0.0.0/0, ::/0'
    expect(descriptions([web1, front], rulesOf(every), rulesOf(every, 'ACCEPT'))).toEqual([
      `newly allowed at web-1: ${other}`,
    ])
    expect(descriptions([web1, front], rulesOf(every, 'ACCEPT'), rulesOf(every))).toEqual([
      `newly blocked at web-1: ${other}`,
    ])
    expect(descriptions([web1], rulesOf([]), rulesOf(every))).toEqual([
      'newly allowed at web-1: tcp, udp, icmp, ipencap from 0.0.0.0/0, ::/0',
    ])
    expect(opensAll(rulesOf([]), rulesOf(every))).toBe(true)
  })

  test('lists the first of many services and pieces', () => {
    const many = Array.from({ length: 6 }, (_, index) => ({ ...web1, label: `web-${index}` }))
    const pieces = Array.from({ length: 7 }, (_, index) =>
      rule({ ports: `${1000 + 2 * index}`, ipv4: [`10.${index}.0.0/16`] }),
    )
    expect(descriptions(many, rulesOf(pieces))).toEqual([
      'newly blocked at web-0, web-1, web-2 and 3 more: tcp/1000 from 10.0.0.0/16; tcp/1002 from 10.1.0.0/16; tcp/1004 from 10.2.0.0/16; tcp/1006 from 10.3.0.0/16; and 3 more',
    ])
    const ports = Array.from({ length: 9 }, (_, index) => 100 + 2 * index).join()
    const hosts = Array.from({ length: 6 }, (_, index) => `10.0.${index}.7/32`)
    expect(descriptions([web1], rulesOf([rule({ ports, ipv4: hosts })]))).toEqual([
      'newly blocked at web-1: tcp/100,102,104,106,108,110 and 3 more from 10.0.0.7, 10.0.1.7, 10.0.2.7 and 3 more',
    ])
  })

  test('begins with SSH and other known ports, whatever their addresses', () => {
    const pieces = [1000, 1002, 1004, 1006, 6379, 22].map((port, index) =>
      rule({ ports: `${port}`, ipv4: [`10.${index}.0.0/16`] }),
    )
    const [text] = descriptions([web1], rulesOf(pieces))
    expect(text).toBe(
      'newly blocked at web-1: tcp/22 from 10.5.0.0/16; tcp/6379 from 10.4.0.0/16; tcp/1000 from 10.0.0.0/16; tcp/1002 from 10.1.0.0/16; and 2 more',
    )
    const [full] = effectsOf({ before: rulesOf(pieces), after: rulesOf([]), services: [web1] })
    expect(full && effectText(full, { full: true })).toBe(
      `${text?.replace('; and 2 more', '')}; tcp/1004 from 10.2.0.0/16; tcp/1006 from 10.3.0.0/16`,
    )
  })

  test('on outbound traffic has "to" before its networks', () => {
    const rules = { ...open, outbound: [rule({ action: 'DROP', ports: '25', ...anyone })] }
    expect(descriptions([web1], open, rules)).toEqual(['newly blocked at web-1: tcp/25 to 0.0.0.0/0, ::/0'])
    expect(descriptions([web1], rules, open)).toEqual(['newly allowed at web-1: tcp/25 to 0.0.0.0/0, ::/0'])
  })

  test('lists exceptions if that is shorter', () => {
    const after = rulesOf([rule({ ports: '22, 80-90', ...anyone })])
    expect(descriptions([front], open, after)).toEqual([
      'newly blocked at front-1: tcp (but 22,80-90) from 0.0.0.0/0, ::/0',
    ])
    expect(descriptions([web1], open, rulesOf([]))).toEqual([
      'newly blocked at web-1: all traffic from 0.0.0.0/0, ::/0',
    ])
  })
})

describe('The text about traffic', () => {
  const text = (some: [string, string | null][], more: object = {}) => {
    const protocols = some.map(([protocol, ports]) => ({ protocol, ports }))
    return trafficText([{ direction: 'inbound', protocols, networks: ['198.51.100.7/32'], except: [], ...more }])
  }
  const rest: [string, null][] = [
    ['UDP', null],
    ['ICMP', null],
    ['IPENCAP', null],
  ]

  test.for<[string, [string, string | null][]]>([
    ['all traffic', [['TCP', null], ...rest, ['OTHER', null]]],
    ['tcp, udp, icmp, ipencap', [['TCP', null], ...rest]],
    ['other protocols (such as GRE and ESP)', [['OTHER', null]]],
    ['tcp/22, udp, icmp, ipencap', [['TCP', '22'], ...rest]],
    ['udp, icmp, ipencap', rest],
    ['icmp', [['ICMP', null]]],
    ['tcp/1-100', [['TCP', '1-100']]],
    ['tcp (but 101)', [['TCP', '1-100,102-65535']]],
    ['tcp (but 1-9,65535)', [['TCP', '10-19,20,21-65534']]],
    ['tcp/1,3,5,7,9,11', [['TCP', '1,3,5,7,9,11']]],
    ['tcp/1,3,5,7,9,11 and 1 more', [['TCP', '1,3,5,7,9,11,13']]],
    ['tcp/22,5432,1,3,5,7 and 2 more', [['TCP', '1,3,5,7,9,11,22,5432']]],
    ['tcp (but 22,10,30,40,50,60 and 1 more)', [['TCP', '1-9,11-21,23-29,31-39,41-49,51-59,61-69,71-65535']]],
  ])('has protocols and ports: %s', ([expected, some]) => {
    expect(text(some)).toBe(`${expected} from 198.51.100.7`)
  })

  test('has its direction, networks and exceptions', () => {
    const networks = ['0.0.0.0/0', '2001:db8::7/128']
    expect(text([['ICMP', null]], { networks, except: ['10.0.0.0/8', '192.0.2.7/32'], direction: 'outbound' })).toBe(
      'icmp to 0.0.0.0/0, 2001:db8::7 but 10.0.0.0/8, 192.0.2.7',
    )
  })

  test('has up to four pieces, and the number of further ones', () => {
    const pieces = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        direction: 'inbound' as const,
        protocols: [{ protocol: 'TCP', ports: `${index + 1}` }],
        networks: ['::/0'],
        except: [],
      }))
    const four = 'tcp/1 from ::/0; tcp/2 from ::/0; tcp/3 from ::/0; tcp/4 from ::/0'
    expect([trafficText(pieces(4)), trafficText(pieces(5))]).toEqual([four, `${four}; and 1 more`])
  })
})

describe('The report of traffic that should stay open', () => {
  const required = (parseKeptOpen('tcp/22@198.51.100.0/24') as KeptOpen).rules
  const closed = (ifOpen: boolean, before = rulesOf([])) =>
    blockedRequirements({ before, after: rulesOf([]), services: [web1, front] }, required, ifOpen).map((effect) =>
      effectText(effect),
    )
  const all = ['newly blocked at web-1, front-1: tcp/22 from 198.51.100.0/24']

  test('has traffic that is closed, or only traffic that was open before', () => {
    expect(closed(false)).toEqual(all)
    expect(closed(true)).toEqual([])
    expect(closed(true, rulesOf([rule({ ipv4: ['198.51.100.0/24'] })]))).toEqual(all)
  })

  test('has one line for both directions', () => {
    const shut = { ...rulesOf([]), outbound_policy: 'DROP' }
    const after = { ...rulesOf([rule({ protocol: 'ICMP', ports: undefined })]), outbound_policy: 'ACCEPT' }
    expect(descriptions([web1], shut, after)).toEqual([
      'newly allowed at web-1: icmp from 203.0.113.0/24; all traffic to 0.0.0.0/0, ::/0',
    ])
  })
})

describe('Traffic to keep open', () => {
  const acceptingRules = (text: string) => (parseKeptOpen(text) as KeptOpen).rules.inbound

  test.for<[string, object]>([
    ['tcp/22@198.51.100.7', { protocol: 'TCP', ports: '22', addresses: { ipv4: ['198.51.100.7/32'], ipv6: [] } }],
    ['UDP/53, 60-70', { protocol: 'UDP', ports: '53, 60-70', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } }],
    ['icmp@::1,10.0.0.0/8', { protocol: 'ICMP', addresses: { ipv4: ['10.0.0.0/8'], ipv6: ['::1/128'] } }],
  ])('is parsed: %s', ([text, expected]) => {
    expect(acceptingRules(text)).toEqual([{ action: 'ACCEPT', ...expected }])
  })

  test.for([
    ['', 'it begins with a protocol: tcp, udp, icmp, ipencap'],
    ['22', 'it begins with a protocol: tcp, udp, icmp, ipencap'],
    ['icmp/8', 'icmp has no ports'],
    ['tcp/', 'Must not be empty; leave ports out for all of them'],
    ['tcp/22@', '"" is neither an address nor a network'],
    ['tcp/22@a@b', '"a@b" is neither an address nor a network'],
    ['tcp/22@fe80::1%eth0', '"fe80::1%eth0" is neither an address nor a network'],
  ])('is rejected: "%s": %s', ([text = '', reason]) => {
    expect(parseKeptOpen(text)).toBe(reason)
  })

  test.for<[string | undefined, string | undefined]>([
    ['198.51.100.7 50022 192.0.2.11 22', 'tcp/22@198.51.100.7'],
    [' 2001:db8::7  50022 2001:db8::1 2222 ', 'tcp/2222@2001:db8::7'],
    ['::ffff:198.51.100.7 50022 ::FFFF:192.0.2.11 22', 'tcp/22@::ffff:198.51.100.7'],
    ['fe80::7%eth0 50022 fe80::1%eth0 22', 'tcp/22@fe80::7'],
    ['198.51.100.7 50022 192.0.2.11', undefined],
    ['198.51.100.7 50022 192.0.2.11 0', undefined],
    ['198.51.100.0/24 50022 192.0.2.11 22', undefined],
    ['198.51.100.7 50022 host 22', undefined],
    ['2001:db8::ffff:198.51.100.7 50022 2001:db8::1 22', 'tcp/22@2001:db8::ffff:198.51.100.7'],
    ['UNKNOWN 0 UNKNOWN 0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is that of SSH_CONNECTION "%s": %s', ([value, text]) => {
    const connection = sshConnection({ SSH_CONNECTION: value })
    if (text === undefined) expect(connection).toBeUndefined()
    else expect(connection?.text).toBe(text)
  })
})
