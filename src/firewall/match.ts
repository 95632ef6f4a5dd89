/** `tcp/22@198.51.100.0/24`: rules named by what they say. What is left out may be anything; what is given is exact. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { formatNetwork, networkOf, parseAddress, parseNetwork } from '../rules/addresses'
import { type PortRange, parsePorts, portsFault } from '../rules/ports'
import { splitOnce } from '../rules/split'
import { networkTexts } from './rules'

export interface Match {
  /** In lower case. */
  protocol: string
  /** As `portsKey` writes them. */
  ports?: string
  /** As `networksKey` writes them. */
  networks?: string
}

/** A text says what is wrong. */
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

/** Rules that are named must not do more than was meant, so one for further ports or networks is another rule. */
export function matches(rule: FirewallRule, { protocol, ports, networks }: Match): boolean {
  return (
    String(rule.protocol).toLowerCase() === protocol &&
    (ports === undefined || portsKey(rule.ports ?? '1-65535') === ports) &&
    (networks === undefined || networksKey(networkTexts(rule)) === networks)
  )
}

/** Whether two rules do the same with the same traffic, however they are written and called. */
export function sameContent(one: FirewallRule, other: FirewallRule): boolean {
  const [content, otherContent] = [one, other].map(({ action, protocol, ports, addresses }) =>
    [action, protocol, portsKey(ports || '1-65535'), networksKey(networkTexts({ addresses } as FirewallRule))].join(
      ' ',
    ),
  )
  return content === otherContent
}

/** The same for the same ports: `443,22` for `22, 443`, `80-82` for `80-81,82`. */
function portsKey(text: string): string {
  const ranges = parsePorts(text)?.sort((a, b) => a.first - b.first)
  if (!ranges) return text
  const joined: PortRange[] = []
  for (const { first, last } of ranges) {
    const before = joined.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else joined.push({ first, last })
  }
  return joined.map(({ first, last }) => `${first}-${last}`).join()
}

function networksKey(texts: readonly string[]): string {
  return [...new Set(texts.map((text) => networkKey(text) ?? text))].sort().join()
}

/** An address is a network of its own, and host bits mean nothing. */
function networkKey(text: string): string | undefined {
  const network = parseNetwork(text) ?? parseAddress(text)
  return network && formatNetwork(networkOf(network))
}
