/** Compares addresses with networks and ranges of addresses. */
import { addressFamily, bitsOf, type Family } from '../../rules/address-syntax'
import { type IpNetwork, networkOf, parseAddress, parseNetwork } from '../../rules/addresses'
import type { FilterOperand, Reading } from './test-syntax'

/** A range as numbers, both ends included. */
interface Span {
  family: Family
  first: bigint
  last: bigint
}

export function readAddress({ operand }: Reading): FilterOperand | undefined {
  const span = parseSpan(operand)
  if (!span) return undefined
  const order = (value: unknown) => {
    const actual = addressesIn(value)
    return actual && Number(!isWithin(actual, span))
  }
  // An IPv6 address has several spellings, and the service may only know one.
  return addressFamily(operand) === 'ipv4' ? { order, serviceValue: operand } : { order }
}

/** Returns a sort key: IPv4 addresses before IPv6 addresses; undefined if the value is not an address. */
export function placeOf(value: unknown): bigint | undefined {
  const span = addressesIn(value)
  return span && (span.family === 'ipv4' ? span.first : span.first + (1n << BigInt(bitsOf.ipv4)))
}

/**
 * Parses `192.0.2.7`, `2001:db8::/32` without bits after the prefix, or `192.0.2.10-192.0.2.20`; undefined for other
 * text.
 */
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

function addressesOf(network: IpNetwork): Span {
  const { family, prefix } = network
  const { value: first } = networkOf(network)
  return { family, first, last: first + (1n << BigInt(bitsOf[family] - prefix)) - 1n }
}

/** Parses an address of a record, or a network as the range of its addresses. */
function addressesIn(value: unknown): Span | undefined {
  if (typeof value !== 'string') return undefined
  const network = parseAddress(value) ?? parseNetwork(value)
  return network && addressesOf(network)
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.family === outer.family && inner.first >= outer.first && inner.last <= outer.last
}
