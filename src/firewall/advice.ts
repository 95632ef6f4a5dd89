/** Warnings about firewall rules that are valid but probably a mistake, each with its field. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { formatNetwork, hasHostBits, networkOf, parseNetwork } from '../rules/addresses'
import { namesPort } from '../rules/ports'
import { hiddenRules } from './hidden-rules'
import { type Direction, directions, networkTexts } from './rules'

interface Advice {
  /** Field path as in the API's errors: `inbound[3].ports`. */
  field: string
  /** Sentence that counts rules from 1: `inbound rule 4 is never reached`. */
  text: string
}

/** Lists the warnings. Rules with validation errors are read as far as they can be parsed. */
export function adviseOn(rules: FirewallRules): Advice[] {
  return directions.flatMap((direction) => {
    const field = (index: number, rest = '') => `${direction}[${index}]${rest}`
    const name = (index: number) => `${direction} rule ${index + 1}`
    const side = rules[direction]
    return [
      ...side.flatMap((rule, index) =>
        hostBits(rule).map((text) => ({ field: field(index, '.addresses'), text: `${name(index)}: ${text}` })),
      ),
      ...hiddenRules(side).map(({ index, text }) => ({ field: field(index), text: `${name(index)} ${text}` })),
      ...side.flatMap((rule, index) => {
        const text = direction === 'inbound' ? openToAll(rule) : undefined
        return text ? [{ field: field(index, '.addresses'), text: `${name(index)} ${text}` }] : []
      }),
      ...noWayIn(rules, direction),
    ]
  })
}

function hostBits(rule: FirewallRule): string[] {
  return networkTexts(rule).flatMap((text) => {
    const network = parseNetwork(text)
    return network && hasHostBits(network)
      ? [`${text} has host bits set: it means ${formatNetwork(networkOf(network))}`]
      : []
  })
}

const adminPorts: readonly { port: number; name: string }[] = [
  { port: 22, name: 'SSH' },
  { port: 3389, name: 'RDP' },
]

function openToAll(rule: FirewallRule): string | undefined {
  const isForAll = networkTexts(rule).some((text) => parseNetwork(text)?.prefix === 0)
  if (rule.action !== 'ACCEPT' || rule.protocol !== 'TCP' || !isForAll) return undefined
  const { ports } = rule
  const open = adminPorts.filter(({ port }) => !ports || namesPort(ports, port))
  if (open.length === 0) return undefined
  return `lets everybody reach ${open.map(({ port, name }) => `port ${port} (${name})`).join(' and ')}`
}

function noWayIn(rules: FirewallRules, direction: Direction): Advice[] {
  const shut = direction === 'inbound' && rules.inbound_policy === 'DROP'
  if (!shut || rules.inbound.some(({ action }) => action === 'ACCEPT')) return []
  return [
    { field: 'inbound_policy', text: 'the inbound policy is DROP and no rule accepts: all inbound traffic is blocked' },
  ]
}
