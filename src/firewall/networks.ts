/** Names of networks: `office` stands for its addresses. Names are expanded; a firewall holds addresses only. */
import { addressFamily, familyOf, networkFault } from '../rules/address-syntax'
import { formatNetwork, parseAddress, parseNetwork, unmapped } from '../rules/addresses'

/** File of networks that command lines use from the current folder. */
export const usualFile = 'networks.yaml'

/** Way to find the user's own address: nothing asks the network for it. */
export const ownAddress = 'The address of your last login: skyctl profile logins list --sort -datetime --limit 1'

/** Addresses of `anywhere`, a reserved name. */
export const everywhere: readonly string[] = ['0.0.0.0/0', '::/0']

/** Addresses of networks by their names. */
export type NetworkNames = ReadonlyMap<string, readonly string[]>

export const isAnywhere = (text: string) => text.toLowerCase() === 'anywhere'

/** Reports whether a name means anywhere in other tools. */
export const meansAnywhere = (name: string) => /^(any|all|everyone|everywhere|internet|world)$/i.test(name)

/** Reports whether a text can be a name. No address can: names begin with a letter, and have no colons. */
export const isName = (text: string) => /^[A-Za-z][\w.-]*$/.test(text)

/** Returns the reason why a network cannot have a name; undefined if it can. */
export function nameFault(text: string): string | undefined {
  if (isAnywhere(text)) return `is reserved for ${everywhere.join(' and ')}`
  return isName(text) ? undefined : 'A name begins with a letter, and has only letters, digits and "._-"'
}

/** Returns the reason why an entry of a network is no address; undefined if it is one. */
export function addressFault(text: string): string | undefined {
  if (addressFamily(text) !== undefined) return undefined
  if (isName(text)) return 'Must be an address or a network: a name cannot stand for other names'
  return networkFault(familyOf(text), text)
}

/** Removes repeated addresses, however they are written. */
export function withoutRepeats(addresses: readonly string[]): string[] {
  const unique = new Set<string>()
  return addresses.filter((one) => unique.size < unique.add(canonicalAddress(one)).size)
}

export function areSameAddresses(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [new Set(one.map(canonicalAddress)), new Set(other.map(canonicalAddress))]
  return a.size === b.size && [...a].every((address) => b.has(address))
}

/** Returns those of some addresses that others lack, however they are written. */
export function withoutAddresses(some: string | readonly string[], others: string | readonly string[]): string[] {
  const left = new Set([others].flat().map(canonicalAddress))
  return [some].flat().filter((one) => !left.has(canonicalAddress(one)))
}

/** Returns an address or a network in the one form that equal ones share. */
export function canonicalAddress(text: string): string {
  // A valid IPv4 address has one form. A large account has a million of them.
  if (!text.includes(':')) return !text.includes('/') && addressFamily(text) ? `${text}/32` : text
  const network = parseNetwork(text) ?? parseAddress(text)
  return network ? formatNetwork(network) : text
}

/** Moves the IPv4-mapped entries of a rule's addresses from the list of IPv6 to that of IPv4. */
export function withMappedAsIpv4(addresses: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const ipv6 = [addresses.ipv6 ?? []].flat()
  const mapped = ipv6.filter(isMapped)
  if (mapped.length === 0) return addresses
  const rest = ipv6.filter((entry) => !isMapped(entry))
  const { ipv6: _, ...others } = addresses
  const ipv4 = [others.ipv4 ?? [], mapped.map(unmapped)].flat()
  return { ...others, ipv4, ...(rest.length > 0 && { ipv6: rest }) }
}

const isMapped = (entry: unknown): entry is string => typeof entry === 'string' && unmapped(entry) !== entry
