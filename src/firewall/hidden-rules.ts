/** Finds rules that no packet reaches because earlier rules decide about all their traffic. Exact, as ./compare. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { bitsOf } from '../rules/address-syntax'
import { covers, type IpNetwork, parseNetwork } from '../rules/addresses'
import { type PortRange, protocolsWithPorts } from '../rules/ports'
import { compareRules } from './compare'
import { asJudged } from './judged-rule'
import { meaningOf, unnamed } from './rules'

export interface Hidden {
  /** Index, counted from 0. */
  index: number
  text: string
}

/** Lists the unreachable rules of one direction. Rules with an unknown protocol hide only rules of that protocol. */
export function hiddenRules(rules: readonly FirewallRule[]): Hidden[] {
  const side = rules.map(reachOf)
  return side.flatMap((reach, index) => {
    const text = whyHidden(reach, side.slice(0, index))
    return text === undefined ? [] : [{ index, text }]
  })
}

/** Rule with those of its ports and networks that can be judged. */
interface Reach {
  rule: FirewallRule
  number: number
  ports: readonly PortRange[]
  /** Parses the networks once: few rules need them. */
  networks(): readonly IpNetwork[]
  /** Meaning without label and description, computed once because all rules are compared with each other. */
  meaning: string
}

function reachOf(rule: FirewallRule, index: number): Reach {
  const { networks, ports } = asJudged(asTcp(rule)).certain ?? { networks: [], ports: [] }
  let parsed: IpNetwork[] | undefined
  const parse = () => {
    parsed ??= networks.map(parseNetwork).filter((network) => network !== undefined)
    return parsed
  }
  return { rule, number: index + 1, networks: parse, ports, meaning: meaningOf(unnamed(rule)) }
}

function whyHidden(reach: Reach, earlier: readonly Reach[]): string | undefined {
  const twin = earlier.find(({ meaning }) => meaning === reach.meaning)
  if (twin) return `is the same as rule ${twin.number}`
  const able = earlier.filter((one) => mayHide(one, reach))
  if (firstIsLeft(reach, able) || !leaveNothing(able, reach)) return undefined
  const single = able.find((one) => leaveNothing([one], reach))
  return `is never reached: ${single ? `rule ${single.number} matches` : 'earlier rules match'} all of its traffic first`
}

/** Reports whether protocols allow hiding. Except for TCP and UDP, a rule with ports hides none without ports. */
function mayHide({ rule: { protocol, ports } }: Reach, { rule: later }: Reach): boolean {
  return protocol === later.protocol && (!ports || Boolean(later.ports) || protocolsWithPorts.includes(protocol))
}

/** Reports whether no earlier rule matches the first address and port: a cheap proof for most rules. */
function firstIsLeft({ networks, ports: [range] }: Reach, earlier: readonly Reach[]): boolean {
  if (!range) return true
  const near = earlier.filter(({ ports }) =>
    ports.some(({ first, last }) => first <= range.first && range.first <= last),
  )
  const [network] = near.length > 0 ? networks() : []
  if (!network) return true
  const address = { ...network, prefix: bitsOf[network.family] }
  return !near.some((one) => one.networks().some((outer) => covers(outer, address)))
}

/** Reports whether an accepting rule has no effect after these rules, if nothing else in the firewall accepts. */
function leaveNothing(earlier: readonly Reach[], { rule }: Reach): boolean {
  const as = (one: FirewallRule, action: string) => ({ ...asTcp(one), action })
  const before = earlier.map((one) => as(one.rule, 'DROP'))
  const { allowed, unclear } = compareRules(only(before), only([...before, as(rule, 'ACCEPT')]), 'compute')
  return allowed.length === 0 && unclear.length === 0
}

/** All compared rules share one protocol. TCP stands in for it because its ports and networks are well defined. */
const asTcp = (rule: FirewallRule): FirewallRule => ({ ...rule, protocol: 'TCP' })

const only = (inbound: FirewallRule[]): FirewallRules => ({
  inbound,
  inbound_policy: 'DROP',
  outbound: [],
  outbound_policy: 'DROP',
})
