import { describe, expect, test } from 'vitest'
import { checkValue } from '../../src/catalogue/check'
import { type FirewallRule, firewallRule } from '../../src/catalogue/firewall-rules'
import { markOfChanged, openingRule, openingsIn, temporaryOpening } from '../../src/firewall/temporary-opening'

const accessRule = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['198.51.100.7/32'] } }
const opening = { mark: '0123456789abcdef', until: Date.UTC(2026, 0, 15, 12, 30, 5) }
const rule = openingRule(accessRule, opening)

describe('The rule of a temporary opening', () => {
  test('has its expiry in label and description, within the limits of the service', () => {
    expect(rule.label).toBe('open until 2026-01-15T12:30:05Z')
    expect(rule.description).toContain('skyctl')
    expect(rule.description).toContain('2026-01-15T12:30:05Z')
    expect(checkValue(firewallRule, rule)).toEqual([])
  })

  test('is recognized in every form in which the service writes it', () => {
    expect(temporaryOpening(rule)).toEqual(opening)
    const six = openingRule({ ...accessRule, addresses: { ipv6: ['2001:DB8:0::1/128'] } }, opening)
    const normalized = { ...six, addresses: { ipv4: [], ipv6: ['2001:db8::1/128'] }, made_by: 'somebody' }
    expect(temporaryOpening(normalized as FirewallRule)).toEqual(opening)
  })

  test.for<[string, Partial<FirewallRule>]>([
    ['all addresses', { addresses: { ipv4: ['0.0.0.0/0'] } }],
    ['more ports', { ports: '22, 80' }],
    ['all ports', { ports: null }],
    ['DROP as its action', { action: 'DROP' }],
    ['another label', { label: 'ssh' }],
    ['no label', { label: null }],
    ['another expiry in its label', { label: 'open until 2027-01-15T12:30:05Z' }],
    ['another expiry in its description', { description: String(rule.description).replace('2026', '2027') }],
    ['another mark', { description: String(rule.description).replace('0123456789', '9876543210') }],
    ['text before its description', { description: `Keep! ${rule.description}` }],
    ['text after its description', { description: `${rule.description} Keep!` }],
  ])('is no longer recognized after an edit: %s', ([_case, change]) => {
    const changed = { ...rule, ...change }
    expect(temporaryOpening(changed)).toBeUndefined()
    expect(openingsIn([changed], () => true)).toEqual([])
    expect(markOfChanged(changed)).toMatch(/^[0-9a-f]{16}$/)
  })

  test.for<[string, FirewallRule['addresses']]>([
    ['another address', { ipv6: ['2001:db8::2/128'] }],
    ['an additional address', { ipv6: ['2001:db8::1/128', '2001:db8::2/128'] }],
    ['an IPv4 address instead', { ipv4: ['198.51.100.7/32'] }],
    ['an additional IPv4 address', { ipv4: ['198.51.100.7/32'], ipv6: ['2001:db8::1/128'] }],
  ])('for IPv6 is no longer recognized with %s', ([_case, addresses]) => {
    const six = openingRule({ ...accessRule, addresses: { ipv6: ['2001:db8::1/128'] } }, opening)
    expect(temporaryOpening(six)).toEqual(opening)
    expect(temporaryOpening({ ...six, addresses })).toBeUndefined()
  })

  test.for<[string, FirewallRule]>([
    ['no texts', { ...accessRule }],
    ['null texts', { ...accessRule, label: null, description: null }],
    ['a matching label only', { ...accessRule, label: String(rule.label) }],
    ['a date that does not exist', { ...rule, description: String(rule.description).replace('01-15T', '02-30T') }],
  ])('is not recognized with %s', ([_case, other]) => expect(temporaryOpening(other)).toBeUndefined())

  test('has no mark of a changed rule if it is unchanged or was never an opening', () => {
    expect([accessRule, { ...accessRule, description: 'of the office' }, rule].map(markOfChanged)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('is found among other rules and openings', () => {
    const [first, last] = [
      { ...accessRule, label: 'ssh' },
      { ...accessRule, label: 'web' },
    ]
    const second = openingRule(accessRule, { ...opening, mark: 'fedcba9876543210' })
    const openings = openingsIn([first, rule, second, last], ({ mark }) => mark === opening.mark)
    expect(openings).toEqual([{ opening, rule }])
  })
})
