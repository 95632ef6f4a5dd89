/** Firewall rules in answers and files: validity, normal form, equality and hash. */
import { describe, expect, test } from 'vitest'
import { hashOf, hashPattern } from '../../src/firewall/hash'
import { areRules, fieldsOf, isRule, meaningOf, networkTexts, sendable, shapedRules } from '../../src/firewall/rules'
import { judge } from '../../src/firewall/verdict'
import { type IpNetwork, parseAddress } from '../../src/rules/addresses'
import { ruleThat as rule, rulesOf as set } from '../support/firewall-rules'

const fullRules = { inbound: [rule()], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

describe('A value is valid as rules', () => {
  test.for<[string, unknown, boolean]>([
    ['all four fields', fullRules, true],
    [
      'additional fields of a later version',
      { ...fullRules, fingerprint: 'x', inbound: [{ ...rule(), more: 1 }] },
      true,
    ],
    ['a protocol by its number', { ...fullRules, inbound: [{ ...rule(), protocol: 50 }] }, true],
    ['a protocol that is null', { ...fullRules, inbound: [{ ...rule(), protocol: null }] }, false],
    ['a missing list', { ...fullRules, outbound: undefined }, false],
    ['a text instead of a list', { ...fullRules, inbound: 'x' }, false],
    ['a list of numbers', { ...fullRules, outbound: [1] }, false],
    ['a rule without addresses', { ...fullRules, inbound: [{ action: 'ACCEPT', protocol: 'TCP' }] }, false],
    ['a missing policy', { ...fullRules, inbound_policy: undefined }, false],
    ['a list', [fullRules], false],
    ['null', null, false],
  ])('%s: %s', ([, value, isValid]) => {
    expect(areRules(value)).toBe(isValid)
  })

  test.for<[unknown, boolean]>([
    [rule(), true],
    [{ ...rule(), protocol: 50 }, true],
    [{ ...rule(), protocol: true }, false],
    [{ ...rule(), addresses: null }, false],
    [null, false],
    ['x', false],
  ])('one rule: %j: %s', ([value, isValid]) => {
    expect(isRule(value)).toBe(isValid)
  })
})

describe('Rules of an answer', () => {
  test.for<[string, unknown]>([
    ['null lists', { inbound: null, outbound: null }],
    ['missing lists', { inbound: undefined, outbound: undefined }],
  ])('with %s have empty lists', ([, lists]) => {
    expect(shapedRules({ ...fullRules, ...(lists as object) })).toEqual({ ...fullRules, inbound: [], outbound: [] })
  })

  test.for<[unknown, object]>([
    [null, {}],
    [undefined, {}],
    [{ ipv4: null, ipv6: ['::/0'] }, { ipv6: ['::/0'] }],
    [
      { ipv4: ['0.0.0.0/0'], other: 1 },
      { ipv4: ['0.0.0.0/0'], other: 1 },
    ],
  ])('have the addresses %j normalized to %j', ([addresses, normalized]) => {
    expect(shapedRules({ ...fullRules, inbound: [{ ...rule(), addresses }] })).toEqual({
      ...fullRules,
      inbound: [{ ...rule(), addresses: normalized }],
    })
  })

  test('keep additional fields of a later version', () => {
    const later = { ...fullRules, version: 7, inbound: [{ ...rule(), more: [1], protocol: 50 }] }
    expect(shapedRules(later)).toEqual(later)
  })

  test.for<[string, unknown]>([
    ['a text instead of an object', 'x'],
    ['null', null],
    ['a text instead of a list', { ...fullRules, inbound: 'x' }],
    ['a text instead of a rule', { ...fullRules, inbound: ['x'] }],
    ['null instead of a rule', { ...fullRules, outbound: [null] }],
    ['a text instead of addresses', { ...fullRules, inbound: [{ ...rule(), addresses: 'x' }] }],
    ['a number instead of a network', { ...fullRules, inbound: [{ ...rule(), addresses: { ipv4: [1] } }] }],
    ['no policy', { ...fullRules, outbound_policy: undefined }],
  ])('are invalid with %s', ([, answer]) => {
    expect(shapedRules(answer)).toBeUndefined()
  })

  test('are sent without the fields that the service adds', () => {
    expect(sendable({ ...set([rule()]), version: 7, fingerprint: 'x' } as never)).toEqual({
      inbound: [rule()],
      inbound_policy: 'DROP',
      outbound: [],
      outbound_policy: 'ACCEPT',
    })
  })
})

describe('The fields of a rule', () => {
  const fields = (value: object) => Object.fromEntries(fieldsOf({ ...rule(), ...value } as never))
  const defaults = { action: 'ACCEPT', protocol: 'TCP', ports: '22', 'addresses.ipv4': ['203.0.113.0/24'] }

  test.for<[string, object, object]>([
    ['those of a plain rule', {}, {}],
    ['label and description', { label: 'ssh', description: 'x' }, { label: 'ssh', description: 'x' }],
    ['ports without blanks', { ports: '22, 80-90,  443' }, { ports: '22,80-90,443' }],
    ['a protocol number as text', { protocol: 50 }, { protocol: '50' }],
    ['an additional field of a later version', { more: { a: [1] } }, { more: '{"a":[1]}' }],
    [
      'networks in normal form, sorted, without duplicates',
      { addresses: { ipv6: ['2001:DB8:0::/32', '::/0', '2001:db8::/32'] } },
      { 'addresses.ipv4': undefined, 'addresses.ipv6': ['2001:db8::/32', '::/0'] },
    ],
    ['invalid networks', { addresses: { ipv4: ['x', 7] } }, { 'addresses.ipv4': ['7', 'x'] }],
    [
      'addresses of another kind',
      { addresses: { ipv4: ['203.0.113.0/24'], tag: 'a', more: { b: 1 } } },
      { 'addresses.tag': 'a', 'addresses.more': '{"b":1}' },
    ],
  ])('include %s', ([, value, differences]) => {
    const expected = Object.entries({ ...defaults, ...differences }).filter(([, field]) => field !== undefined)
    expect(fields(value)).toEqual(Object.fromEntries(expected))
  })

  test.for([
    { label: '' },
    { label: null },
    { label: undefined },
    { addresses: { ipv4: ['203.0.113.0/24'], ipv6: [] } },
    { addresses: { ipv4: ['203.0.113.0/24'], ipv6: null } },
  ])('omit empty values: %j', (value) => {
    expect(fields(value)).toEqual(defaults)
  })

  test('have the same meaning in any order, and another with another value', () => {
    const { label, ...rest } = { label: 'a', ...rule({ ports: '22,80' }) }
    const one = { ...rest, label } as never
    expect(meaningOf({ label, ...rest, ports: '22, 80' } as never)).toBe(meaningOf(one))
    for (const other of [{ ports: '22' }, { label: 'b' }, { action: 'DROP' }, { protocol: 'UDP' }, { addresses: {} }])
      expect(meaningOf({ ...(one as object), ...other } as never)).not.toBe(meaningOf(one))
  })

  test('have the networks of both families, as written', () => {
    expect(networkTexts(rule({ ipv4: ['192.0.2.7/24'], ipv6: ['2001:DB8::/32'] }))).toEqual([
      '192.0.2.7/24',
      '2001:DB8::/32',
    ])
    expect(networkTexts(rule({ ipv4: [] }))).toEqual([])
  })
})

describe('The hash of rules', () => {
  const rules = set([rule(), rule({ ports: '80' })])
  const hash = hashOf(rules)

  test('has twelve hexadecimal digits', () => {
    expect(hash).toMatch(/^[0-9a-f]{12}$/)
    expect(hash).toMatch(hashPattern)
    for (const text of [hash.slice(1), `${hash}0`, hash.replace(/^./, 'g')]) expect(text).not.toMatch(hashPattern)
  })

  test('is equal for rules with the same meaning', () => {
    const networks = { ipv4: ['192.0.2.0/24', '198.51.100.0/24'] }
    const reformatted = { ...rule({ ports: '80, 443', ...networks }), description: null } as never
    const reversed = rule({ ports: '80,443', ipv4: networks.ipv4.toReversed() })
    expect(hashOf({ ...set([reformatted]), version: 8 } as never)).toBe(hashOf(set([reversed])))
  })

  test.for<[string, object]>([
    ['inbound policy', { inbound_policy: 'ACCEPT' }],
    ['outbound policy', { outbound_policy: 'DROP' }],
    ['order', { inbound: [...rules.inbound].reverse() }],
    ['rule', { inbound: [rule()] }],
    ['direction', { inbound: [], outbound: rules.inbound }],
    ['label', { inbound: [rule({ label: 'x' }), rule({ ports: '80' })] }],
    ['port', { inbound: [rule(), rule({ ports: '81' })] }],
    ['undocumented field', { inbound: [{ ...rule(), priority: 1 }, rule({ ports: '80' })] }],
  ])('changes with the %s', ([, change]) => {
    expect(hashOf({ ...rules, ...change })).not.toBe(hash)
  })
})

test('A rule for several ports decides about each of them and no other', () => {
  const rules = set([rule({ ports: '20,22-23' })])
  const by = (port: number) =>
    judge(rules, {
      direction: 'inbound',
      protocol: 'TCP',
      port,
      address: parseAddress('203.0.113.7') as IpNetwork,
      service: 'compute',
    }).by
  expect([19, 20, 21, 22, 23, 24].map(by)).toEqual(['policy', 'rule', 'policy', 'rule', 'rule', 'policy'])
})
