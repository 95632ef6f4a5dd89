/** IP addresses and ranges as objects that users name. */
import { ips } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import { Problem } from '../../errors'
import { networkOf, parseAddress, parseNetwork, tidyAddress } from '../../rules/addresses'
import { shellWord } from '../../rules/texts'
import type { Reference, Resource } from '../resource'

/** Reference by address, in any spelling of RFC 4291; it is sent as in RFC 5952. */
const address: Reference = {
  what: () => 'IPv4 or IPv6 address',
  parse(input) {
    const parsed = parseAddress(input)
    if (parsed) return parsed.address
    const hint = addressHint(input)
    throw new Problem('usage', `"${input}" is not an IPv4 or IPv6 address`, hint === undefined ? {} : { hint })
  },
}

function addressHint(input: string): string | undefined {
  const [, before = ''] = /^([^=]+)=/.exec(input) ?? []
  if (parseAddress(before)) return `Write a blank after ${before}`
  if (input.includes('/')) return 'Leave out the prefix length; for ranges, see "ipv6 ranges"'
  return /^[a-z][\w-]*$/i.test(input)
    ? `For the addresses of an instance: skyctl ips list --compute-id ${shellWord(input)}`
    : undefined
}

export const ipResource: Resource = {
  noun: 'address',
  parameter: 'address',
  list: ips.list,
  view: ips.view,
  group: 'ips',
  reference: address,
  key: 'address',
  idOf: (record) => tidyAddress(String(record.address)),
}

/** Reference to a range: `2001:db8::` or `2001:db8::/64`. In paths it has no length, and is written as in RFC 5952. */
const rangeReference: Reference = {
  what: () => 'IPv6 range, with or without /56 or /64',
  parse(input) {
    const network = parseNetwork(input)
    const isRange = network?.family === 'ipv6' && (network.prefix === 56 || network.prefix === 64)
    if (network && isRange) return networkOf(network).address
    const plain = parseAddress(input)
    if (plain?.family === 'ipv6') return plain.address
    throw new Problem('usage', `"${input}" is not an IPv6 range`, {
      hint: 'Write its address, as in 2001:db8::, with or without /56 or /64',
    })
  },
}

export const rangeResource: Resource = {
  noun: 'IPv6 range',
  parameter: 'range',
  list: ipv6Ranges.list,
  view: ipv6Ranges.view,
  group: 'ipv6 ranges',
  reference: rangeReference,
  key: 'range',
}
