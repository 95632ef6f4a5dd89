import { describe, expect, test } from 'vitest'
import { check } from '../../src/catalogue/check'
import { type FirewallRule, firewallRule } from '../../src/catalogue/firewall-rules'
import { markOfChanged, openingRule, parted, temporaryOpening } from '../../src/firewall/temporary-opening'

const passage = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['198.51.100.7/32'] } }
const opening = { mark: '0123456789abcdef', until: Date.UTC(2026, 0, 15, 12, 30, 5) }
const rule = openingRule(passage, opening)

describe('A rule that opens for a while', () => {
  test('says until when and who made it, in what the service has room for', () => {
    expect(rule.label).toBe('open until 2026-01-15T12:30:05Z')
    expect(rule.description).toContain('skyctl')
    expect(rule.description).toContain('2026-01-15T12:30:05Z')
    expect(check(firewallRule, rule)).toEqual([])
  })

  test('is known again, also where the service writes it in another form', () => {
    expect(temporaryOpening(rule)).toEqual(opening)
    const six = openingRule({ ...passage, addresses: { ipv6: ['2001:DB8:0::1/128'] } }, opening)
    const answered = { ...six, addresses: { ipv4: [], ipv6: ['2001:db8::1/128'] }, made_by: 'somebody' }
    expect(temporaryOpening(answered as FirewallRule)).toEqual(opening)
  })

  test.for<[string, Partial<FirewallRule>]>([
    ['lets others in', { addresses: { ipv4: ['0.0.0.0/0'] } }],
    ['lets in more ports', { ports: '22, 80' }],
    ['lets in all ports', { ports: null }],
    ['drops instead', { action: 'DROP' }],
    ['has another label', { label: 'ssh' }],
    ['has no label', { label: null }],
    ['tells another time in its label', { label: 'open until 2027-01-15T12:30:05Z' }],
    ['tells another time', { description: String(rule.description).replace('2026', '2027') }],
    ['has another mark', { description: String(rule.description).replace('0123456789', '9876543210') }],
    ['says more', { description: `Keep! ${rule.description}` }],
    ['says more behind', { description: `${rule.description} Keep!` }],
  ])('is not ours any more once it %s', ([_what, change]) => {
    const changed = { ...rule, ...change }
    expect(temporaryOpening(changed)).toBeUndefined()
    expect(parted({ inbound: [changed] }, () => true)).toEqual({ openings: [], rest: { inbound: [changed] } })
    expect(markOfChanged(changed)).toMatch(/^[0-9a-f]{16}$/)
  })

  test.for<[string, FirewallRule['addresses']]>([
    ['others', { ipv6: ['2001:db8::2/128'] }],
    ['others besides', { ipv6: ['2001:db8::1/128', '2001:db8::2/128'] }],
    ['IPv4 instead', { ipv4: ['198.51.100.7/32'] }],
    ['IPv4 besides', { ipv4: ['198.51.100.7/32'], ipv6: ['2001:db8::1/128'] }],
  ])('for IPv6 is not ours any more once it lets in %s', ([_who, addresses]) => {
    const six = openingRule({ ...passage, addresses: { ipv6: ['2001:db8::1/128'] } }, opening)
    expect(temporaryOpening(six)).toEqual(opening)
    expect(temporaryOpening({ ...six, addresses })).toBeUndefined()
  })

  test.for<[string, FirewallRule]>([
    ['no texts', { ...passage }],
    ['texts that are null', { ...passage, label: null, description: null }],
    ['a label of its form only', { ...passage, label: String(rule.label) }],
    ['no time that there is', { ...rule, description: String(rule.description).replace('01-15T', '02-30T') }],
  ])('is none with %s', ([_what, other]) => expect(temporaryOpening(other)).toBeUndefined())

  test('has no mark where it is none and never was, or is as it was made', () => {
    expect([passage, { ...passage, description: 'of the office' }, rule].map(markOfChanged)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('is taken from among others, which keep their order', () => {
    const [first, last] = [
      { ...passage, label: 'ssh' },
      { ...passage, label: 'web' },
    ]
    const second = openingRule(passage, { ...opening, mark: 'fedcba9876543210' })
    const { openings, rest } = parted({ inbound: [first, rule, second, last] }, ({ mark }) => mark === opening.mark)
    expect(openings).toEqual([{ opening, rule }])
    expect(rest.inbound).toEqual([first, second, last])
  })
})
