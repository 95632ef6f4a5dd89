/** Warnings about firewall rules that are valid but probably a mistake, each with its field. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { covers, formatNetwork, hasHostBits, type IpNetwork, networkOf, parseNetwork } from '../rules/addresses'
import { groupBy } from '../rules/records'
import { joinNames, nameList } from '../rules/texts'
import { hiddenRules } from './hidden-rules'
import { knownPorts } from './known-ports'
import { lossesOf, newlyOpen, openPortsOf, serviceNames } from './open-ports'
import { type Direction, directions, networkTexts } from './rules'

interface Advice {
  /** Field path as in the API's errors: `inbound[3].ports`. */
  field: string
  /** Sentence that counts rules from 1: `inbound rule 4 is never reached`. */
  text: string
}

/**
 * Lists the warnings. Rules with validation errors are read as far as they can be parsed. Ports that as many
 * addresses could reach `before` are left out.
 */
export function adviseOn(rules: FirewallRules, before?: FirewallRules): Advice[] {
  return directions.flatMap((direction) => {
    const field = (index: number, rest = '') => `${direction}[${index}]${rest}`
    const name = (index: number) => `${direction} rule ${index + 1}`
    const side = rules[direction]
    return [
      ...side.flatMap((rule, index) =>
        [...hostBits(rule), ...impossibleAddresses(rule, direction)].map((text) => ({
          field: field(index, '.addresses'),
          text: `${name(index)}: ${text}`,
        })),
      ),
      ...hiddenRules(side).map(({ index, text }) => ({ field: field(index), text: `${name(index)} ${text}` })),
      ...(direction === 'inbound' ? openToAll(rules, before) : []),
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

function impossibleAddresses(rule: FirewallRule, direction: Direction): string[] {
  return networkTexts(rule).flatMap((text) => {
    const network = parseNetwork(text)
    return network && isOnNoPacket(network, direction)
      ? [`${text} matches nothing; ${everyAddress[network.family]}`]
      : []
  })
}

const parsed = (...texts: readonly string[]): IpNetwork[] =>
  texts.map(parseNetwork).filter((network) => network !== undefined)

/** Addresses that no packet has on a network (RFC 6890, RFC 4291): unspecified and loopback ones. */
const nowhere = parsed('0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128')

/** Addresses that are destinations only: multicast (RFC 5771), and the limited broadcast. */
const destinations = parsed('224.0.0.0/4', '255.255.255.255/32', 'ff00::/8')

/** Reports whether no inbound packet comes from a network, or no outbound packet goes there. */
export function isOnNoPacket(network: IpNetwork, direction: Direction): boolean {
  const none = direction === 'inbound' ? [...nowhere, ...destinations] : nowhere
  return none.some((one) => covers(one, network))
}

const everyAddress = { ipv4: 'all IPv4 is 0.0.0.0/0', ipv6: 'all IPv6 is ::/0' } as const

/** Lists known ports that everybody can reach, as the audit finds them: a warning for each set of rules that opens some. */
function openToAll(rules: FirewallRules, before?: FirewallRules): Advice[] {
  const openIn = (some: FirewallRules) => openPortsOf(some, knownPorts, 'everybody')
  const open = newlyOpen(openIn(rules), before ? openIn(before) : [])
  const byPort = groupBy(open, ({ service, ports }) => JSON.stringify([service, ports]))
  const alike = groupBy(byPort.values(), (all) => JSON.stringify([all.map(({ number }) => number), all[0]?.from]))
  return [...alike.values()].flatMap(([first = [], ...others]) => {
    const numbers = first.map(({ number }) => number)
    const [rule, from] = [numbers.find((number) => number !== null), first[0]?.from]
    const all = [...first, ...others.flat()]
    const names = serviceNames(all)
    const loss = names.length > mostServices ? '' : `, which gives away ${lossesOf(all)}`
    return {
      field: rule ? `inbound[${rule - 1}].addresses` : 'inbound_policy',
      text: `${namesOf(numbers)} ${from === 'anywhere' ? 'everybody' : from} reach ${nameList(names, mostServices)}${loss}`,
    }
  })
}

const mostServices = 6

/** Returns `inbound rules 1 and 2 let`; null is the policy. */
function namesOf(numbers: readonly (number | null)[]): string {
  const some = numbers.filter((number) => number !== null).map(String)
  const ofRules = some.length === 0 ? [] : [`inbound rule${some.length === 1 ? '' : 's'} ${joinNames(some, 'and')}`]
  const names = [...ofRules, ...(numbers.includes(null) ? ['the inbound policy'] : [])]
  return `${joinNames(names, 'and')} ${numbers.length === 1 ? 'lets' : 'let'}`
}

function noWayIn(rules: FirewallRules, direction: Direction): Advice[] {
  const shut = direction === 'inbound' && rules.inbound_policy === 'DROP'
  if (!shut || rules.inbound.some(({ action }) => action === 'ACCEPT')) return []
  return [
    { field: 'inbound_policy', text: 'the inbound policy is DROP and no rule accepts: all inbound traffic is blocked' },
  ]
}
