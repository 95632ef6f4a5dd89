/** Arithmetic on addresses and networks. */
import ip from 'ipaddr.js'
import { addressFamily, bitsOf, type Family, splitNetwork } from './address-syntax'

/** Address with its prefix length; a single address has the full length. */
export interface IpNetwork {
  family: Family
  /** Address as in RFC 5952, without the prefix length. */
  address: string
  prefix: number
  /** Address as a number, including its host bits. */
  value: bigint
}

/**
 * Parses `203.0.113.7` or `2001:db8::7`; undefined if the text is not a single address. An IPv4-mapped address (RFC 4291,
 * 2.5.5.2) is the IPv4 address.
 */
export function parseAddress(text: string): IpNetwork | undefined {
  const family = addressFamily(text)
  return family && networkWith(family, text, bitsOf[family])
}

/** Returns the one spelling of an address (RFC 5952); other text is unchanged. */
export const tidyAddress = (text: string): string => parseAddress(text)?.address ?? text

/** Reports whether an address is a private one (RFC 1918), which has no reverse DNS. */
export const isPrivateAddress = (address: string) => ip.parse(address).range() === 'private'

/**
 * Parses `203.0.113.0/24` or `2001:db8::/32`; undefined if the text is not in IP/mask form. A network of IPv4-mapped
 * addresses is the IPv4 network.
 */
export function parseNetwork(text: string): IpNetwork | undefined {
  const split = splitNetwork(text)
  return split && networkWith(split.family, split.address, split.prefix)
}

function networkWith(family: Family, text: string, prefix: number): IpNetwork {
  const value = numberOf(family, text)
  // An IPv4 address has one spelling only.
  if (family === 'ipv4') return { family, address: text, prefix, value }
  if (!isMapped(family, value, prefix)) return { family, address: formatAddress(family, value), prefix, value }
  const ipv4 = value & lowest32Bits
  return { family: 'ipv4', address: formatAddress('ipv4', ipv4), prefix: prefix - mappedPrefix, value: ipv4 }
}

/** Prefix length of `::ffff:0:0/96`, which holds all IPv4-mapped addresses. */
const mappedPrefix = 96
const lowest32Bits = 0xffff_ffffn

const isMapped = (family: Family, value: bigint, prefix: number) =>
  family === 'ipv6' && prefix >= mappedPrefix && value >> 32n === 0xffffn

/** Returns an IPv4-mapped address or network as IPv4, and any other text unchanged. */
export function unmapped(text: string): string {
  if (!/ffff:/i.test(text)) return text
  const network = parseNetwork(text)
  if (network) return network.family === 'ipv4' ? formatNetwork(network) : text
  const address = parseAddress(text)
  return address?.family === 'ipv4' ? address.address : text
}

/** Returns a network's first and last address, without the cost of formatting them. */
export function boundsOf(text: string): { family: Family; first: bigint; last: bigint } | undefined {
  const split = splitNetwork(text)
  if (!split) return undefined
  const { family, address, prefix } = split
  const value = numberOf(family, address)
  const rest = BigInt(bitsOf[family] - prefix)
  const isIpv4 = isMapped(family, value, prefix)
  const first = ((isIpv4 ? value & lowest32Bits : value) >> rest) << rest
  return { family: isIpv4 ? 'ipv4' : family, first, last: first + (1n << rest) - 1n }
}

export function formatNetwork({ address, prefix }: IpNetwork): string {
  return `${address}/${prefix}`
}

/** Reports whether `outer` contains all addresses of `inner`; false for different families. */
export function covers(outer: IpNetwork, inner: IpNetwork): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && start(outer) === start(inner, outer.prefix)
}

/** Reports whether bits after the prefix are set, as in `203.0.113.7/24`. */
export function hasHostBits(network: IpNetwork): boolean {
  return network.value !== start(network)
}

/** Returns the network without host bits: `203.0.113.0/24` for `203.0.113.7/24`. */
export function networkOf(network: IpNetwork): IpNetwork {
  const value = start(network)
  return { ...network, address: formatAddress(network.family, value), value }
}

/** Returns the mask of a prefix length: `255.255.255.0` for 24. */
export function maskOf(family: Family, prefix: number): string {
  return networkOf({ family, address: '', prefix, value: (1n << BigInt(bitsOf[family])) - 1n }).address
}

function start({ family, prefix, value }: IpNetwork, length = prefix): bigint {
  const rest = BigInt(bitsOf[family] - length)
  return (value >> rest) << rest
}

/** Formats an address as in RFC 5952; section 5 writes IPv4-mapped ones as `::ffff:203.0.113.9`. */
export function formatAddress(family: Family, value: bigint): string {
  if (isMapped(family, value, bitsOf[family])) return `::ffff:${formatAddress('ipv4', value & lowest32Bits)}`
  if (family === 'ipv4') {
    const bits = Number(value)
    return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
  }
  const digits = value.toString(16).padStart(32, '0')
  const groups = Array.from({ length: 8 }, (_, at) => Number.parseInt(digits.slice(4 * at, 4 * at + 4), 16))
  return new ip.IPv6(groups).toString()
}

/** Converts a valid address to a number. Rule sets can have thousands, and ipaddr.js takes ten times as long. */
function numberOf(family: Family, text: string): bigint {
  if (family === 'ipv4') return BigInt(ipv4Number(text))
  const [head = '', tail] = (text.includes('.') ? withoutDecimals(text) : text).split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const at = (place: number) => before[place] ?? after[place - 8 + after.length] ?? 0
  const half = (from: number) =>
    (BigInt(at(from) * 65_536 + at(from + 1)) << 32n) | BigInt(at(from + 2) * 65_536 + at(from + 3))
  return (half(0) << 64n) | half(4)
}

/** Reads digit by digit, because splitting the text takes twice as long. */
function ipv4Number(text: string): number {
  let [whole, part] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== dot) part = part * 10 + code - zero
    else [whole, part] = [whole * 256 + part, 0]
  }
  return whole * 256 + part
}

const [dot, zero] = ['.'.charCodeAt(0), '0'.charCodeAt(0)]

const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))

/** Rewrites an IPv4 address at the end as two groups. */
function withoutDecimals(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
}
