/** Addresses, and what holds several of them: a network, or all from one to another. */
import { addressFamily, bitsOf, type Family } from '../../rules/address-syntax'
import { type Network, networkOf, parseAddress, parseNetwork } from '../../rules/addresses'
import type { Reading, Wanted } from './wanted'

/** From `first` to `last`, both included, as numbers. */
interface Span {
  family: Family
  first: bigint
  last: bigint
}

export function readAddress({ wanted }: Reading): Wanted | undefined {
  const span = parseSpan(wanted)
  if (!span) return undefined
  const order = (value: unknown) => {
    const held = addressesIn(value)
    return held && Number(!isWithin(held, span))
  }
  // An IPv6 address has several spellings, of which the service may know one.
  return addressFamily(wanted) === 'ipv4' ? { order, asked: wanted } : { order }
}

/** By which addresses are sorted, those of IPv4 before those of IPv6; undefined where the value is none. */
export function placeOf(value: unknown): bigint | undefined {
  const held = addressesIn(value)
  return held && (held.family === 'ipv4' ? held.first : held.first + (1n << BigInt(bitsOf.ipv4)))
}

/** `192.0.2.7`, `2001:db8::/32` without bits behind the prefix, `192.0.2.10-192.0.2.20`; undefined for anything else. */
function parseSpan(text: string): Span | undefined {
  const [from = '', to, ...more] = text.split('-').map((end) => end.trim())
  if (to === undefined) return spanOf(from)
  const [first, last] = [parseAddress(from), parseAddress(to)]
  if (!first || !last || more.length > 0) return undefined
  if (first.family !== last.family || first.value > last.value) return undefined
  return { family: first.family, first: first.value, last: last.value }
}

function spanOf(text: string): Span | undefined {
  const network = parseAddress(text) ?? parseNetwork(text)
  return network && networkOf(network).value === network.value ? addressesOf(network) : undefined
}

function addressesOf(network: Network): Span {
  const { family, prefix } = network
  const { value: first } = networkOf(network)
  return { family, first, last: first + (1n << BigInt(bitsOf[family] - prefix)) - 1n }
}

/** An address of a record, or a network, which is all of its addresses. */
function addressesIn(value: unknown): Span | undefined {
  if (typeof value !== 'string') return undefined
  const network = parseAddress(value) ?? parseNetwork(value)
  return network && addressesOf(network)
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.family === outer.family && inner.first >= outer.first && inner.last <= outer.last
}
