/** Addresses and networks to compute with. */
import ip from 'ipaddr.js'
import { addressFamily, bitsOf, type Family, splitNetwork } from './address-syntax'

/** An address with the length of its prefix; a single address has all bits in it. */
export interface Network {
  family: Family
  /** As RFC 5952 writes it, without the prefix length. */
  address: string
  prefix: number
  /** The address as a number, its host bits included. */
  value: bigint
}

/** `203.0.113.7`, `2001:db8::7`; undefined where the text is no single address. */
export function parseAddress(text: string): Network | undefined {
  const family = addressFamily(text)
  if (family === undefined) return undefined
  const value = numberOf(family, text)
  return { family, address: formatAddress(family, value), prefix: bitsOf[family], value }
}

/** `203.0.113.0/24`, `2001:db8::/32`; undefined where the text is not in IP/mask form. */
export function parseNetwork(text: string): Network | undefined {
  const split = splitNetwork(text)
  const address = split && parseAddress(split.address)
  return address && { ...address, prefix: split.prefix }
}

/** The first and the last address of a network, without the cost of writing it anew. */
export function boundsOf(text: string): { family: Family; first: bigint; last: bigint } | undefined {
  const split = splitNetwork(text)
  if (!split) return undefined
  const { family, address, prefix } = split
  const rest = BigInt(bitsOf[family] - prefix)
  const first = (numberOf(family, address) >> rest) << rest
  return { family, first, last: first + (1n << rest) - 1n }
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
  const value = start(network)
  return { ...network, address: formatAddress(network.family, value), value }
}

/** The mask of a prefix length: `255.255.255.0` for 24. */
export function maskOf(family: Family, prefix: number): string {
  return networkOf({ family, address: '', prefix, value: (1n << BigInt(bitsOf[family])) - 1n }).address
}

function start({ family, prefix, value }: Network, length = prefix): bigint {
  const rest = BigInt(bitsOf[family] - length)
  return (value >> rest) << rest
}

export function formatAddress(family: Family, value: bigint): string {
  if (family === 'ipv4') {
    const bits = Number(value)
    return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
  }
  const digits = value.toString(16).padStart(32, '0')
  const groups = Array.from({ length: 8 }, (_, at) => Number.parseInt(digits.slice(4 * at, 4 * at + 4), 16))
  return new ip.IPv6(groups).toString()
}

/** Of a text that is an address of that family: rules can have thousands, and ipaddr.js takes ten times as long. */
function numberOf(family: Family, text: string): bigint {
  if (family === 'ipv4') return BigInt(ipv4Number(text))
  const [head = '', tail] = (text.includes('.') ? withoutDecimals(text) : text).split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const at = (place: number) => before[place] ?? after[place - 8 + after.length] ?? 0
  const half = (from: number) =>
    (BigInt(at(from) * 65_536 + at(from + 1)) << 32n) | BigInt(at(from + 2) * 65_536 + at(from + 3))
  return (half(0) << 64n) | half(4)
}

/** Digit by digit: splitting the text takes twice as long. */
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

/** Writes an IPv4 address at the end as two groups. */
function withoutDecimals(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
}
