/** Rules as they stand in answers and in files: which make sense, in which shape, and when two mean the same. */
import { describe, expect, test } from 'vitest'
import { hashOf, hashPattern } from '../../src/firewall/hash'
import { orderNodes } from '../../src/firewall/merge'
import { areRules, fieldsOf, isRule, meaningOf, networkTexts, sendable, shapedRules } from '../../src/firewall/rules'
import { judge } from '../../src/firewall/verdict'
import { type IpNetwork, parseAddress } from '../../src/rules/addresses'
import { ruleThat as rule, rulesOf as set } from '../support/firewall-rules'

const whole = { inbound: [rule()], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

describe('what are rules', () => {
  test.for<[string, unknown, boolean]>([
    ['all four fields', whole, true],
    ['with more of a later version', { ...whole, fingerprint: 'x', inbound: [{ ...rule(), more: 1 }] }, true],
    ['a protocol by its number', { ...whole, inbound: [{ ...rule(), protocol: 50 }] }, true],
    ['a protocol that is nothing', { ...whole, inbound: [{ ...rule(), protocol: null }] }, false],
    ['without one list', { ...whole, outbound: undefined }, false],
    ['a list that is none', { ...whole, inbound: 'x' }, false],
    ['a list of other things', { ...whole, outbound: [1] }, false],
    ['a rule without addresses', { ...whole, inbound: [{ action: 'ACCEPT', protocol: 'TCP' }] }, false],
    ['without a policy', { ...whole, inbound_policy: undefined }, false],
    ['a list', [whole], false],
    ['nothing', null, false],
  ])('%s: %s', ([, value, are]) => {
    expect(areRules(value)).toBe(are)
  })

  test.for<[unknown, boolean]>([
    [rule(), true],
    [{ ...rule(), protocol: 50 }, true],
    [{ ...rule(), protocol: true }, false],
    [{ ...rule(), addresses: null }, false],
    [null, false],
    ['x', false],
  ])('%j is a rule: %s', ([value, is]) => {
    expect(isRule(value)).toBe(is)
  })
})

describe('rules of an answer', () => {
  test.for<[string, unknown]>([
    ['lists that are null', { inbound: null, outbound: null }],
    ['lists that are missing', { inbound: undefined, outbound: undefined }],
  ])('with %s have none', ([, lists]) => {
    expect(shapedRules({ ...whole, ...(lists as object) })).toEqual({ ...whole, inbound: [], outbound: [] })
  })

  test.for<[unknown, object]>([
    [null, {}],
    [undefined, {}],
    [{ ipv4: null, ipv6: ['::/0'] }, { ipv6: ['::/0'] }],
    [
      { ipv4: ['0.0.0.0/0'], other: 1 },
      { ipv4: ['0.0.0.0/0'], other: 1 },
    ],
  ])('with addresses %j have %j', ([addresses, shaped]) => {
    expect(shapedRules({ ...whole, inbound: [{ ...rule(), addresses }] })).toEqual({
      ...whole,
      inbound: [{ ...rule(), addresses: shaped }],
    })
  })

  test('keep what a later version says besides', () => {
    const later = { ...whole, version: 7, inbound: [{ ...rule(), more: [1], protocol: 50 }] }
    expect(shapedRules(later)).toEqual(later)
  })

  test.for<[string, unknown]>([
    ['no object', 'x'],
    ['nothing', null],
    ['a list that is a text', { ...whole, inbound: 'x' }],
    ['a rule that is a text', { ...whole, inbound: ['x'] }],
    ['a rule that is null', { ...whole, outbound: [null] }],
    ['addresses that are a text', { ...whole, inbound: [{ ...rule(), addresses: 'x' }] }],
    ['a network that is a number', { ...whole, inbound: [{ ...rule(), addresses: { ipv4: [1] } }] }],
    ['no policy', { ...whole, outbound_policy: undefined }],
  ])('make no sense with %s', ([, answer]) => {
    expect(shapedRules(answer)).toBeUndefined()
  })

  test('are sent without what the service says of itself', () => {
    expect(sendable({ ...set([rule()]), version: 7, fingerprint: 'x' } as never)).toEqual({
      inbound: [rule()],
      inbound_policy: 'DROP',
      outbound: [],
      outbound_policy: 'ACCEPT',
    })
  })
})

describe('the fields of a rule', () => {
  const fields = (value: object) => Object.fromEntries(fieldsOf({ ...rule(), ...value } as never))
  const usual = { action: 'ACCEPT', protocol: 'TCP', ports: '22', 'addresses.ipv4': ['203.0.113.0/24'] }

  test.for<[string, object, object]>([
    ['what they are', {}, {}],
    ['a label', { label: 'ssh', description: 'x' }, { label: 'ssh', description: 'x' }],
    ['ports without blanks', { ports: '22, 80-90,  443' }, { ports: '22,80-90,443' }],
    ['a protocol by its number', { protocol: 50 }, { protocol: '50' }],
    ['what a later version says', { more: { a: [1] } }, { more: '{"a":[1]}' }],
    [
      'networks in one form, in order, once',
      { addresses: { ipv6: ['2001:DB8:0::/32', '::/0', '2001:db8::/32'] } },
      { 'addresses.ipv4': undefined, 'addresses.ipv6': ['2001:db8::/32', '::/0'] },
    ],
    ['networks that cannot be read', { addresses: { ipv4: ['x', 7] } }, { 'addresses.ipv4': ['7', 'x'] }],
    [
      'addresses of another kind',
      { addresses: { ipv4: ['203.0.113.0/24'], tag: 'a', more: { b: 1 } } },
      { 'addresses.tag': 'a', 'addresses.more': '{"b":1}' },
    ],
  ])('are %s', ([, value, expected]) => {
    const wanted = Object.entries({ ...usual, ...expected }).filter(([, field]) => field !== undefined)
    expect(fields(value)).toEqual(Object.fromEntries(wanted))
  })

  test.for([
    { label: '' },
    { label: null },
    { label: undefined },
    { addresses: { ipv4: ['203.0.113.0/24'], ipv6: [] } },
    { addresses: { ipv4: ['203.0.113.0/24'], ipv6: null } },
  ])('are not those that are empty: %j', (value) => {
    expect(fields(value)).toEqual(usual)
  })

  test('mean the same in whatever order they stand, and something else with any other value', () => {
    const { label, ...turned } = { label: 'a', ...rule({ ports: '22,80' }) }
    const one = { ...turned, label } as never
    expect(meaningOf({ label, ...turned, ports: '22, 80' } as never)).toBe(meaningOf(one))
    for (const other of [{ ports: '22' }, { label: 'b' }, { action: 'DROP' }, { protocol: 'UDP' }, { addresses: {} }])
      expect(meaningOf({ ...(one as object), ...other } as never)).not.toBe(meaningOf(one))
  })

  test('hold the networks of both families, as they are written', () => {
    expect(networkTexts(rule({ ipv4: ['192.0.2.7/24'], ipv6: ['2001:DB8::/32'] }))).toEqual([
      '192.0.2.7/24',
      '2001:DB8::/32',
    ])
    expect(networkTexts(rule({ ipv4: [] }))).toEqual([])
  })
})

describe('the hash of rules', () => {
  const rules = set([rule(), rule({ ports: '80' })])
  const hash = hashOf(rules)

  test('has twelve hexadecimal digits, whatever the rules', () => {
    expect(hash).toMatch(/^[0-9a-f]{12}$/)
    expect(hash).toMatch(hashPattern)
    for (const text of [hash.slice(1), `${hash}0`, hash.replace(/^./, 'g')]) expect(text).not.toMatch(hashPattern)
  })

  test('is the same for what means the same', () => {
    const networks = { ipv4: ['192.0.2.0/24', '198.51.100.0/24'] }
    const written = { ...rule({ ports: '80, 443', ...networks }), description: null } as never
    const turned = rule({ ports: '80,443', ipv4: networks.ipv4.toReversed() })
    expect(hashOf({ ...set([written]), version: 8 } as never)).toBe(hashOf(set([turned])))
  })

  test.for<[string, object]>([
    ['policy', { inbound_policy: 'ACCEPT' }],
    ['other policy', { outbound_policy: 'DROP' }],
    ['order', { inbound: [...rules.inbound].reverse() }],
    ['rule', { inbound: [rule()] }],
    ['direction', { inbound: [], outbound: rules.inbound }],
    ['label', { inbound: [rule({ label: 'x' }), rule({ ports: '80' })] }],
    ['port', { inbound: [rule(), rule({ ports: '81' })] }],
    ['field that api.md does not know', { inbound: [{ ...rule(), priority: 1 }, rule({ ports: '80' })] }],
  ])('is another one with another %s', ([, change]) => {
    expect(hashOf({ ...rules, ...change })).not.toBe(hash)
  })
})

test('a rule of several ports decides about each of them, and about no other', () => {
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

test('rules that nothing puts in order come in the order of their meanings, whoever brought them', () => {
  const [one, other] = [
    { rule: rule({ ports: '80' }), mine: 0 },
    { rule: rule({ ports: '443' }), theirs: 0 },
  ]
  expect(orderNodes([one, other])).toEqual({ order: [other, one], unclear: [] })
  expect(orderNodes([other, one])).toEqual({ order: [other, one], unclear: [] })
})
