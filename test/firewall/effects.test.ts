/** Who is cut off, in words, and what is to be kept open as it is written. */
import { describe, expect, test } from 'vitest'
import { open } from '../../src/firewall/classify-traffic'
import { closings, effectsOf, effectText, type Service, trafficText } from '../../src/firewall/effects'
import { type KeptOpen, parseKeptOpen, sshConnection } from '../../src/firewall/keep-open'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'

const web1: Service = { type: 'compute', id: 1001, label: 'web-1' }
const bare: Service = { type: 'compute', id: 1002, label: null }
const front: Service = { type: 'balancer', id: 2001, label: 'front-1' }
const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }

const said = (services: readonly Service[], before = rulesOf([]), after = rulesOf([])) =>
  effectsOf({ before, after, services }).map((effect) => effectText(effect))

describe('what is different for services', () => {
  test('is one line where it is the same for them; who has no label is named by type and id', () => {
    const before = rulesOf([rule({ ipv4: ['198.51.100.0/24'] })])
    expect(said([web1, bare, front], before)).toEqual([
      'newly blocked at web-1, compute 1002, front-1: tcp/22 from 198.51.100.0/24',
    ])
    expect(said([], before)).toEqual([])
  })

  test('of a balancer is inbound TCP', () => {
    const before = rulesOf([rule({ protocol: 'UDP', ports: '53', ...anyone })])
    expect(said([front], before)).toEqual([])
    expect(said([front], open, { ...open, outbound_policy: 'DROP' })).toEqual([])
  })

  test('of many services and many pieces the first are named', () => {
    const many = Array.from({ length: 6 }, (_, index) => ({ ...web1, label: `web-${index}` }))
    const pieces = Array.from({ length: 7 }, (_, index) =>
      rule({ ports: `${1000 + 2 * index}`, ipv4: [`10.${index}.0.0/16`] }),
    )
    expect(said(many, rulesOf(pieces))).toEqual([
      'newly blocked at web-0, web-1, web-2 and 3 more: tcp/1000 from 10.0.0.0/16; tcp/1002 from 10.1.0.0/16; tcp/1004 from 10.2.0.0/16; tcp/1006 from 10.3.0.0/16; and 3 more',
    ])
    const ports = Array.from({ length: 9 }, (_, index) => 100 + 2 * index).join()
    const hosts = Array.from({ length: 6 }, (_, index) => `10.0.${index}.7/32`)
    expect(said([web1], rulesOf([rule({ ports, ipv4: hosts })]))).toEqual([
      'newly blocked at web-1: tcp/100,102,104,106,108,110 and 3 more from 10.0.0.7, 10.0.1.7, 10.0.2.7 and 3 more',
    ])
  })

  test('that goes out is said to go to somewhere', () => {
    const rules = { ...open, outbound: [rule({ action: 'DROP', ports: '25', ...anyone })] }
    expect(said([web1], open, rules)).toEqual(['newly blocked at web-1: tcp/25 to 0.0.0.0/0, ::/0'])
    expect(said([web1], rules, open)).toEqual(['newly allowed at web-1: tcp/25 to 0.0.0.0/0, ::/0'])
  })

  test('says what is left out where that is shorter', () => {
    const after = rulesOf([rule({ ports: '22, 80-90', ...anyone })])
    expect(said([front], open, after)).toEqual(['newly blocked at front-1: tcp (but 22,80-90) from 0.0.0.0/0, ::/0'])
    expect(said([web1], open, rulesOf([]))).toEqual(['newly blocked at web-1: all traffic from 0.0.0.0/0, ::/0'])
  })
})

describe('traffic in words', () => {
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
    ['all traffic', [['TCP', null], ...rest]],
    ['tcp/22, udp, icmp, ipencap', [['TCP', '22'], ...rest]],
    ['udp, icmp, ipencap', rest],
    ['icmp', [['ICMP', null]]],
    ['tcp/1-100', [['TCP', '1-100']]],
    ['tcp (but 101)', [['TCP', '1-100,102-65535']]],
    ['tcp (but 1-9,65535)', [['TCP', '10-19,20,21-65534']]],
    ['tcp/1,3,5,7,9,11', [['TCP', '1,3,5,7,9,11']]],
    ['tcp/1,3,5,7,9,11 and 1 more', [['TCP', '1,3,5,7,9,11,13']]],
  ])('is said as %s', ([said, some]) => {
    expect(text(some)).toBe(`${said} from 198.51.100.7`)
  })

  test('says where it comes from or goes to, and what of that is not meant', () => {
    const networks = ['0.0.0.0/0', '2001:db8::7/128']
    expect(text([['ICMP', null]], { networks, except: ['10.0.0.0/8', '192.0.2.7/32'], direction: 'outbound' })).toBe(
      'icmp to 0.0.0.0/0, 2001:db8::7 but 10.0.0.0/8, 192.0.2.7',
    )
  })

  test('says all of four pieces, and of five how many more there are', () => {
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

describe('what a change closes', () => {
  const kept = (parseKeptOpen('tcp/22@198.51.100.0/24') as KeptOpen).rules
  const closed = (ifOpen: boolean, before = rulesOf([])) =>
    closings({ before, after: rulesOf([]), services: [web1, front] }, kept, ifOpen).map((effect) => effectText(effect))
  const all = ['newly blocked at web-1, front-1: tcp/22 from 198.51.100.0/24']

  test('of what is to be kept open is said whatever stood before, or only where it was open', () => {
    expect(closed(false)).toEqual(all)
    expect(closed(true)).toEqual([])
    expect(closed(true, rulesOf([rule({ ipv4: ['198.51.100.0/24'] })]))).toEqual(all)
  })

  test('is said of each kind by itself', () => {
    const shut = { ...rulesOf([]), outbound_policy: 'DROP' }
    const after = { ...rulesOf([rule({ protocol: 'ICMP', ports: undefined })]), outbound_policy: 'ACCEPT' }
    expect(said([web1], shut, after)).toEqual([
      'newly allowed at web-1: icmp from 203.0.113.0/24',
      'newly allowed at web-1: all traffic to 0.0.0.0/0, ::/0',
    ])
  })
})

describe('what is to be kept open', () => {
  const letsIn = (text: string) => (parseKeptOpen(text) as KeptOpen).rules.inbound

  test.for<[string, object]>([
    ['tcp/22@198.51.100.7', { protocol: 'TCP', ports: '22', addresses: { ipv4: ['198.51.100.7/32'], ipv6: [] } }],
    ['UDP/53, 60-70', { protocol: 'UDP', ports: '53, 60-70', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } }],
    ['icmp@::1,10.0.0.0/8', { protocol: 'ICMP', addresses: { ipv4: ['10.0.0.0/8'], ipv6: ['::1/128'] } }],
  ])('%s', ([text, wanted]) => {
    expect(letsIn(text)).toEqual([{ action: 'ACCEPT', ...wanted }])
  })

  test.for([
    ['', 'it begins with a protocol: tcp, udp, icmp, ipencap'],
    ['22', 'it begins with a protocol: tcp, udp, icmp, ipencap'],
    ['icmp/8', 'icmp has no ports'],
    ['tcp/', 'Must not be empty; leave ports out for all of them'],
    ['tcp/22@', '"" is neither an address nor a network'],
    ['tcp/22@a@b', '"a@b" is neither an address nor a network'],
    ['tcp/22@fe80::1%eth0', '"fe80::1%eth0" is neither an address nor a network'],
  ])('"%s" is none: %s', ([text = '', reason]) => {
    expect(parseKeptOpen(text)).toBe(reason)
  })

  test.for<[string | undefined, string | undefined]>([
    ['198.51.100.7 50022 192.0.2.11 22', 'tcp/22@198.51.100.7'],
    [' 2001:db8::7  50022 2001:db8::1 2222 ', 'tcp/2222@2001:db8::7'],
    ['::ffff:198.51.100.7 50022 ::FFFF:192.0.2.11 22', 'tcp/22@198.51.100.7'],
    ['fe80::7%eth0 50022 fe80::1%eth0 22', 'tcp/22@fe80::7'],
    ['198.51.100.7 50022 192.0.2.11', undefined],
    ['198.51.100.7 50022 192.0.2.11 0', undefined],
    ['198.51.100.0/24 50022 192.0.2.11 22', undefined],
    ['198.51.100.7 50022 host 22', undefined],
    ['2001:db8::ffff:198.51.100.7 50022 2001:db8::1 22', 'tcp/22@2001:db8::ffff:198.51.100.7'],
    ['UNKNOWN 0 UNKNOWN 0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('SSH_CONNECTION "%s" is %s', ([value, text]) => {
    const connection = sshConnection({ SSH_CONNECTION: value })
    if (text === undefined) expect(connection).toBeUndefined()
    else expect(connection?.text).toBe(text)
  })
})
