/** Rules that no packet comes to, since those before them decide about all of their traffic. Exact, as ./compare is. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { bitsOf } from '../rules/address-syntax'
import { covers, type Network, parseNetwork } from '../rules/addresses'
import { type PortRange, parsePorts, protocolsWithPorts } from '../rules/ports'
import { compareRules } from './compare'
import { meaningOf, networkTexts, unnamed } from './rules'

export interface Hidden {
  /** From 0. */
  index: number
  text: string
}

/** Those of a side. What a rule of a foreign protocol matches is not known: it hides nothing but its own kind. */
export function hiddenRules(rules: readonly FirewallRule[]): Hidden[] {
  const side = rules.map(reachOf)
  return side.flatMap((reach, index) => {
    const text = whyHidden(reach, side.slice(0, index))
    return text === undefined ? [] : [{ index, text }]
  })
}

/** What a rule matches, parsed once. */
interface Reach {
  rule: FirewallRule
  number: number
  ports: readonly PortRange[]
  networks: readonly Network[]
  /** Of the rule without its names: to compare each with each, it is not made anew. */
  meaning: string
}

const allPorts: readonly PortRange[] = [{ first: 1, last: 65_535 }]

function reachOf(rule: FirewallRule, index: number): Reach {
  const networks = networkTexts(rule)
    .map(parseNetwork)
    .filter((network) => network !== undefined)
  const ports = rule.ports ? (parsePorts(rule.ports) ?? []) : allPorts
  return { rule, number: index + 1, networks, ports, meaning: meaningOf(unnamed(rule)) }
}

function whyHidden(reach: Reach, earlier: readonly Reach[]): string | undefined {
  const twin = earlier.find(({ meaning }) => meaning === reach.meaning)
  if (twin) return `is the same as rule ${twin.number}`
  const able = earlier.filter((one) => mayHide(one, reach))
  if (firstIsLeft(reach, able) || !leaveNothing(able, reach)) return undefined
  const some = fewest(able, reach)
  const numbers = some.map(({ number }) => number)
  return numbers.length === 1
    ? `is never reached: rule ${numbers[0]} decides about all of its traffic before`
    : `is never reached: rules ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)} together decide about all of its traffic before`
}

/** Of a protocol that has no ports, as far as is known, one that names ports does not match all that one without does. */
function mayHide({ rule: { protocol, ports } }: Reach, { rule: later }: Reach): boolean {
  return protocol === later.protocol && (!ports || Boolean(later.ports) || protocolsWithPorts.includes(protocol))
}

/** Of most rules this tells that they are reached, and so does it of one that matches nothing. */
function firstIsLeft({ networks: [network], ports: [range] }: Reach, earlier: readonly Reach[]): boolean {
  if (!network || !range) return true
  const address = { ...network, prefix: bitsOf[network.family] }
  return !earlier.some(
    ({ networks, ports }) =>
      ports.some(({ first, last }) => first <= range.first && range.first <= last) &&
      networks.some((outer) => covers(outer, address)),
  )
}

/** Whether a rule that accepts makes no difference behind these, in a firewall where nothing else does. */
function leaveNothing(earlier: readonly Reach[], { rule }: Reach): boolean {
  // They are all of one protocol; of TCP it is known how ports and networks count.
  const as = (one: FirewallRule, action: string) => ({ ...one, protocol: 'TCP', action })
  const before = earlier.map((one) => as(one.rule, 'DROP'))
  return compareRules(only(before), only([...before, as(rule, 'ACCEPT')]), 'compute').admitted.length === 0
}

const only = (inbound: FirewallRule[]): FirewallRules =>
  ({ inbound, inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }) as FirewallRules

/** One that hides it alone, or as many as it takes. */
function fewest(able: readonly Reach[], reach: Reach): readonly Reach[] {
  const single = able.find((one) => leaveNothing([one], reach))
  if (single) return [single]
  return able.reduceRight((needed, one) => {
    const others = needed.filter((other) => other !== one)
    return leaveNothing(others, reach) ? others : needed
  }, able)
}
