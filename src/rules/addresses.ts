/**
 * Addresses and networks (RFC 4291, RFC 4632). ipaddr.js reads them once what it would take and nobody means is ruled
 * out: zone ids, leading zeros, octal and hexadecimal parts, addresses of fewer parts than four.
 */
import ip from 'ipaddr.js'

export type Family = 'ipv4' | 'ipv6'

/** An address with the length of its prefix; a single address has all bits in it. */
export interface Network {
  family: Family
  /** As RFC 5952 writes it, without the prefix length. */
  address: string
  prefix: number
  /** The address as a number, its host bits included. */
  value: bigint
}

const bitsOf = { ipv4: 32, ipv6: 128 }
const nameOf = { ipv4: 'IPv4', ipv6: 'IPv6' }

/** The longest is eight groups of four, the last two of them written as an IPv4 address. */
const longest = '0000:0000:0000:0000:0000:0000:255.255.255.255'.length

/** `203.0.113.7`, `2001:db8::7`; undefined where the text is no single address. */
export function parseAddress(text: string): Network | undefined {
  if (text.length > longest) return undefined
  const family = text.includes(':') ? 'ipv6' : 'ipv4'
  const address = family === 'ipv4' ? parseIpv4(text) : parseIpv6(text)
  if (address === undefined) return undefined
  const value = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return { family, address: address.toString(), prefix: bitsOf[family], value }
}

/** `203.0.113.0/24`, `2001:db8::/32`; undefined where the text is not in IP/mask form. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? undefined : parseAddress(text.slice(0, slash))
  const mask = text.slice(slash + 1)
  if (address === undefined || !/^(0|[1-9]\d{0,2})$/.test(mask) || Number(mask) > bitsOf[address.family]) {
    return undefined
  }
  return { ...address, prefix: Number(mask) }
}

export function formatNetwork({ address, prefix }: Network): string {
  return `${address}/${prefix}`
}

/** Whether all addresses of `inner` are in `outer`; those of the other family never are. */
export function covers(outer: Network, inner: Network): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && start(outer) === start(inner, outer.prefix)
}

/** Whether bits behind the prefix are set, as in `203.0.113.7/24`. */
export function hasHostBits(network: Network): boolean {
  return network.value !== start(network)
}

/** The network without its host bits: `203.0.113.7/24` is `203.0.113.0/24`. */
export function networkOf(network: Network): Network {
  const { family, prefix } = network
  const value = start(network)
  const bytes = Array.from({ length: bitsOf[family] / 8 }, (_, index) =>
    Number((value >> BigInt(bitsOf[family] - 8 * (index + 1))) & 255n),
  )
  return { family, address: ip.fromByteArray(bytes).toString(), prefix, value }
}

function start({ family, prefix, value }: Network, length = prefix): bigint {
  const rest = BigInt(bitsOf[family] - length)
  return (value >> rest) << rest
}

/** What is wrong with an entry of a firewall rule's addresses; undefined where nothing is. */
export function networkFault(family: Family, text: string): string | undefined {
  if (parseNetwork(text)?.family === family) return undefined
  return `Must contain only valid ${nameOf[family]} addresses or networks: ${reasonOf(family, text)}`
}

function reasonOf(family: Family, text: string): string {
  if (text.includes('%')) return 'a zone id is not allowed'
  const [address = '', ...mask] = text.split('/', 2)
  const found = parseAddress(address)?.family
  if (found === undefined) return /(^|\.)0\d/.test(address) && family === 'ipv4' ? 'no leading zeros' : 'not an address'
  if (found !== family) return `an ${nameOf[found]} address belongs in ${found}`
  return mask.length === 0
    ? `the mask is missing, as in ${address}/${bitsOf[family]}`
    : `the mask must be 0 to ${bitsOf[family]}`
}

function parseIpv4(text: string): ip.IPv4 | undefined {
  return ip.IPv4.isValidFourPartDecimal(text) ? ip.IPv4.parse(text) : undefined
}

function parseIpv6(text: string): ip.IPv6 | undefined {
  const hexadecimal = withoutDecimals(text)
  if (hexadecimal === undefined || !/^[0-9a-f:]+$/i.test(hexadecimal)) return undefined
  return ip.IPv6.isValid(hexadecimal) ? ip.IPv6.parse(hexadecimal) : undefined
}

/** Writes an IPv4 address at the end as two groups: ipaddr.js would read `::1.2.3.4` as `::ffff:1.2.3.4`. */
function withoutDecimals(text: string): string | undefined {
  if (!text.includes('.')) return text
  const tail = text.lastIndexOf(':') + 1
  const octets = parseIpv4(text.slice(tail))?.octets
  if (octets === undefined) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = octets
  return `${text.slice(0, tail)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
