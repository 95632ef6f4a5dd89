/** What is allowed in a firewall's rules but hardly meant: warnings, with the field that each is about. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, formatNetwork, hasHostBits, type Network, networkOf, parseNetwork } from '../rules/addresses'
import { type PortRange, parsePorts } from '../rules/ports'
import { type Direction, directions, meaningOf, networkTexts, unnamed } from './rules'

interface Advice {
  /** As in a check's problems: `inbound[3].ports`. */
  field: string
  text: string
}

/** Rules that break a limit or a grammar are for the check: here they are taken for what can be read of them. */
export function adviseOn(rules: FirewallRules): Advice[] {
  return directions.flatMap((direction) => {
    const field = (index: number, rest = '') => `${direction}[${index}]${rest}`
    const side = rules[direction].map(reachOf)
    return [
      ...side.flatMap(({ rule }, index) => hostBits(rule).map((text) => ({ field: field(index, '.addresses'), text }))),
      ...side.flatMap((_, index) => {
        const text = hiddenBy(side, index)
        return text ? [{ field: field(index), text }] : []
      }),
      ...side.flatMap(({ rule }, index) => {
        const text = direction === 'inbound' ? openToAll(rule) : undefined
        return text ? [{ field: field(index, '.addresses'), text }] : []
      }),
      ...noWayIn(rules, direction),
    ]
  })
}

/** What a rule matches, parsed once. */
interface Reach {
  rule: FirewallRule
  ports: PortRange[]
  networks: Network[]
  /** Of the rule without its names: to compare each with each, it is not made anew. */
  meaning: string
}

const allPorts: PortRange[] = [{ first: 1, last: 65_535 }]

function reachOf(rule: FirewallRule): Reach {
  const networks = networkTexts(rule).flatMap((text) => parseNetwork(text) ?? [])
  const ports = rule.ports ? (parsePorts(rule.ports) ?? []) : allPorts
  return { rule, networks, ports, meaning: meaningOf(unnamed(rule)) }
}

function hostBits(rule: FirewallRule): string[] {
  return networkTexts(rule).flatMap((text) => {
    const network = parseNetwork(text)
    return network && hasHostBits(network)
      ? [`${text} has host bits set: it means ${formatNetwork(networkOf(network))}`]
      : []
  })
}

/** The rules of a side that no packet comes to, each by its place from 0, and why. */
export function hiddenRules(rules: readonly FirewallRule[]): { index: number; text: string }[] {
  const side = rules.map(reachOf)
  return side.flatMap((_, index) => {
    const text = hiddenBy(side, index)
    return text ? [{ index, text }] : []
  })
}

function hiddenBy(side: readonly Reach[], place: number): string | undefined {
  const [earlier, reach] = [side.slice(0, place), side[place]]
  if (!reach) return undefined
  const twin = earlier.findIndex(({ meaning }) => meaning === reach.meaning)
  if (twin >= 0) return `is the same as rule ${twin + 1}`
  const index = earlier.findIndex((one) => hides(one, reach))
  return index >= 0 ? `is never reached: rule ${index + 1} decides about all of its traffic before` : undefined
}

function hides(earlier: Reach, later: Reach): boolean {
  return (
    earlier.rule.protocol === later.rule.protocol &&
    later.ports.length > 0 &&
    later.networks.length > 0 &&
    later.ports.every((range) => holds(earlier.ports, range)) &&
    later.networks.every((network) => earlier.networks.some((outer) => covers(outer, network)))
  )
}

/** Whether ranges, taken together, hold all of one: `80-84,85-90` holds `82-88`. */
function holds(ranges: readonly PortRange[], { first, last }: PortRange): boolean {
  let next = first
  for (const range of [...ranges].sort((a, b) => a.first - b.first)) {
    if (range.first <= next && range.last >= next) next = range.last + 1
  }
  return next > last
}

const adminPorts: readonly { port: number; name: string }[] = [
  { port: 22, name: 'SSH' },
  { port: 3389, name: 'RDP' },
]

function openToAll(rule: FirewallRule): string | undefined {
  const { networks, ports } = reachOf(rule)
  if (rule.action !== 'ACCEPT' || rule.protocol !== 'TCP' || !networks.some(({ prefix }) => prefix === 0))
    return undefined
  const open = adminPorts.filter(({ port }) => holds(ports, { first: port, last: port }))
  if (open.length === 0) return undefined
  return `lets everybody reach ${open.map(({ port, name }) => `port ${port} (${name})`).join(' and ')}`
}

function noWayIn(rules: FirewallRules, direction: Direction): Advice[] {
  const shut = direction === 'inbound' && rules.inbound_policy === 'DROP'
  if (!shut || rules.inbound.some(({ action }) => action === 'ACCEPT')) return []
  return [{ field: 'inbound_policy', text: 'DROP without a rule that accepts: nothing comes in' }]
}
