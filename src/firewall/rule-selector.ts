/** Selects rules by content: `tcp/22@198.51.100.0/24`. An omitted part matches anything; the others are exact. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { formatNetwork, networkOf, parseAddress, parseNetwork } from '../rules/addresses'
import { joinedRanges, parsePorts, portsFault } from '../rules/ports'
import { splitOnce } from '../rules/texts'
import { networkTexts } from './rules'

export interface Match {
  /** Protocol in lower case. */
  protocol: string
  /** Ports in the canonical form of `portsKey`. */
  ports?: string
  /** Networks in the canonical form of `networksKey`. */
  networks?: string
}

/** Parses a selector; returns a string with the reason if it is invalid. */
export function parseMatch(text: string): Match | string {
  const [head, addresses] = splitOnce(text, '@')
  const [protocol, ports] = splitOnce(head, '/')
  if (!/^[a-z0-9]+$/i.test(protocol)) return 'it begins with a protocol'
  const fault = ports === undefined ? undefined : portsFault(ports)
  if (fault) return fault
  const texts = addresses?.split(',')
  const wrong = texts?.find((one) => networkKey(one) === undefined)
  if (wrong !== undefined) return `"${wrong}" is neither an address nor a network`
  return {
    protocol: protocol.toLowerCase(),
    ...(ports !== undefined && { ports: portsKey(ports) }),
    ...(texts && { networks: networksKey(texts) }),
  }
}

/** Reports whether a rule matches exactly. A rule with further ports or networks does not match. */
export function matches(rule: FirewallRule, { protocol, ports, networks }: Match): boolean {
  return (
    String(rule.protocol).toLowerCase() === protocol &&
    (ports === undefined || portsKey(rule.ports ?? '1-65535') === ports) &&
    (networks === undefined || networksKey(networkTexts(rule)) === networks)
  )
}

/** Reports whether two rules treat the same traffic alike, however they are written or labelled. */
export function sameContent(one: FirewallRule, other: FirewallRule): boolean {
  const [content, otherContent] = [one, other].map(({ action, protocol, ports, addresses }) =>
    [action, protocol, portsKey(ports || '1-65535'), networksKey(networkTexts({ addresses }))].join(' '),
  )
  return content === otherContent
}

/** Returns a canonical form, equal for equal ports: `443,22` and `22, 443`, `80-82` and `80-81,82`. */
function portsKey(text: string): string {
  const ranges = parsePorts(text)
  if (!ranges) return text
  return joinedRanges(ranges)
    .map(({ first, last }) => `${first}-${last}`)
    .join()
}

function networksKey(texts: readonly string[]): string {
  return [...new Set(texts.map((text) => networkKey(text) ?? text))].sort().join()
}

/** Returns a canonical network without host bits; an address counts as a network. Undefined if it is neither. */
function networkKey(text: string): string | undefined {
  const network = parseNetwork(text) ?? parseAddress(text)
  return network && formatNetwork(networkOf(network))
}
