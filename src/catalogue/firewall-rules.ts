import * as v from 'valibot'
import { type Family, networkFault } from '../rules/address-syntax'
import { portsFault, protocolsWithPorts } from '../rules/ports'
import { protocols } from '../rules/protocols'
import { arrayOf, checkedText, choice, open, strings, text, textOf, together } from './fields'
import { operation } from './operation'

/** Maximum numbers of rules and addresses (api.md, Limits). */
export const mostRules = 25
export const mostAddresses = 255

export const ruleActions = ['ACCEPT', 'DROP'] as const

const policy = (traffic: string) => choice(ruleActions, `Action for ${traffic} traffic that no rule matches`)

const networks = (family: Family, description: string) =>
  v.pipe(
    arrayOf(
      checkedText((entry) => networkFault(family, entry), description),
      description,
    ),
    v.minLength(1, 'Must not be empty; leave it out instead'),
  )

const addresses = v.pipe(
  v.strictObject({
    ipv4: v.optional(networks('ipv4', 'IPv4 networks with their mask; 0.0.0.0/0 is all of them')),
    ipv6: v.optional(networks('ipv6', 'IPv6 networks with their prefix length; ::/0 is all of them')),
  }),
  v.check(({ ipv4, ipv6 }) => ipv4 !== undefined || ipv6 !== undefined, 'Must contain ipv4, ipv6 or both'),
  v.check(
    ({ ipv4 = [], ipv6 = [] }) => ipv4.length + ipv6.length <= mostAddresses,
    `Too many addresses submitted. Max allowed is ${mostAddresses}`,
  ),
  v.description('Sources or destinations of the traffic'),
)

const fields = {
  action: choice(ruleActions, 'Action for the traffic'),
  protocol: choice(protocols, 'Kind of traffic'),
  ports: v.optional(v.nullable(checkedText(portsFault, 'Ports such as 22, 80-90 (default: all)'))),
  addresses,
  label: v.optional(textOf(3, 32, 'Name of the rule, for display only')),
  description: v.optional(textOf(1, 100, 'Description of the rule, for display only')),
}

const onlyWithPorts = <T extends { ports?: string | null | undefined; protocol: string }>() =>
  together<T, 'ports' | 'protocol'>(
    ['ports', 'protocol'],
    ({ ports, protocol }) => typeof ports !== 'string' || protocolsWithPorts.includes(protocol),
    `Only ${protocolsWithPorts.join(' and ')} have ports`,
  )

export const firewallRule = v.pipe(v.strictObject(fields), onlyWithPorts())

/** Firewall rule in an account file, which may name networks instead of addresses. */
export const namedRule = v.pipe(
  v.strictObject({
    ...fields,
    addresses: v.optional(addresses),
    from: v.optional(strings('Sources of inbound traffic: names of networks, anywhere, or addresses')),
    to: v.optional(strings('Destinations of outbound traffic: names of networks, anywhere, or addresses')),
    use: v.optional(text('Name of a group of rules, which take its place')),
  }),
  onlyWithPorts(),
  together(
    ['addresses', 'from', 'to'],
    ({ addresses, from, to }) => (addresses ?? from ?? to) !== undefined,
    'is required, unless the rule has from or to',
  ),
)

const listsOf = <R extends typeof firewallRule | typeof namedRule>(rule: R) => ({
  inbound: v.optional(arrayOf(rule, 'Rules for inbound traffic, in order')),
  outbound: v.optional(arrayOf(rule, 'Rules for outbound traffic, in order')),
})
const { inbound, outbound } = listsOf(firewallRule)

interface Sides {
  inbound?: unknown[] | undefined
  outbound?: unknown[] | undefined
}

const fewEnough = ({ inbound = [], outbound = [] }: Sides) => inbound.length + outbound.length <= mostRules
const tooManyRules = `Too many rules submitted. Max allowed is ${mostRules}`

export const newFirewallRules = v.pipe(
  v.strictObject({ inbound, inbound_policy: policy('incoming'), outbound, outbound_policy: policy('outgoing') }),
  v.partialCheck([['inbound'], ['outbound']], fewEnough, tooManyRules),
  v.description('Rules and policies'),
)

/** New rules for an existing firewall; an omitted key keeps its current value. */
const firewallRuleSet = v.pipe(
  v.strictObject({
    inbound,
    inbound_policy: v.optional(policy('incoming')),
    outbound,
    outbound_policy: v.optional(policy('outgoing')),
  }),
  v.partialCheck([['inbound'], ['outbound']], fewEnough, tooManyRules),
)

/** Rules of a firewall in an account file. */
export const namedRules = v.pipe(
  v.strictObject({ ...firewallRuleSet.entries, ...listsOf(namedRule) }),
  v.partialCheck([['inbound'], ['outbound']], fewEnough, tooManyRules),
)

// Other clients create rules with protocol numbers, and without lists (gaps.md, Null lists in answers).
export const rule = v.looseObject({
  action: open(ruleActions, 'Action for the traffic'),
  protocol: v.pipe(open(protocols, 'Kind of traffic'), v.metadata({ type: ['string', 'integer'] })),
  ports: v.optional(v.nullable(text('Ports; absent or null: all'))),
  addresses: v.pipe(
    v.looseObject({
      ipv4: v.optional(strings('IPv4 networks')),
      ipv6: v.optional(strings('IPv6 networks')),
    }),
    v.metadata({ default: {} }),
  ),
  label: v.optional(v.nullable(text('Name of the rule'))),
  description: v.optional(v.nullable(text('Description of the rule'))),
})

export const rules = v.looseObject({
  inbound: v.pipe(v.array(rule), v.metadata({ default: [] }), v.description('Rules for inbound traffic, in order')),
  inbound_policy: open(ruleActions, 'Action for inbound traffic that no rule matches'),
  outbound: v.pipe(v.array(rule), v.metadata({ default: [] }), v.description('Rules for outbound traffic, in order')),
  outbound_policy: open(ruleActions, 'Action for outbound traffic that no rule matches'),
})

/** Firewall rule in an answer: loose, because the service may return more than api.md documents. */
export type FirewallRule = v.InferOutput<typeof rule>
export type FirewallRules = v.InferOutput<typeof rules>

export const firewallRules = {
  list: operation({
    method: 'GET',
    path: '/networking/firewalls/{firewallId}/rules',
    scopes: ['firewall:read_only'],
    summary: 'Show the rules and policies of a firewall',
    returns: rules,
    // Commands use all rules for decisions and send them back.
    essential: ['*'],
  }),
  update: operation({
    method: 'PUT',
    path: '/networking/firewalls/{firewallId}/rules',
    scopes: ['firewall:read_write'],
    summary: 'Replace the rules and policies of a firewall',
    body: firewallRuleSet,
    returns: rules,
    essential: ['*'],
    // Before a second PUT, the current rules are read (reliability.md): someone else may have changed them.
    idempotency: 'check first',
  }),
}
