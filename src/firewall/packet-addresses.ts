/** Addresses that no packet has on a network (RFC 6890, RFC 5771, RFC 4291). */
import { covers, type IpNetwork, parseNetwork } from '../rules/addresses'
import type { Direction } from './rules'

const parsed = (...texts: readonly string[]): IpNetwork[] =>
  texts.map(parseNetwork).filter((network) => network !== undefined)

/** Unspecified and loopback addresses: neither sources nor destinations. */
const nowhere = parsed('0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128')

/** Destinations only: multicast, and the limited broadcast. */
const destinations = parsed('224.0.0.0/4', '255.255.255.255/32', 'ff00::/8')

/** Reports whether no inbound packet comes from a network, or no outbound packet goes there. */
export function isOnNoPacket(network: IpNetwork, direction: Direction): boolean {
  const none = direction === 'inbound' ? [...nowhere, ...destinations] : nowhere
  return none.some((one) => covers(one, network))
}
