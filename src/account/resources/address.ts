/** IP addresses as objects that users name. */
import { ips } from '../../catalogue/ips'
import { Problem } from '../../errors'
import { parseAddress } from '../../rules/addresses'
import type { Reference, Resource } from '../resource'

/** Reference by address, in any spelling of RFC 4291; it is sent as in RFC 5952. */
const address: Reference = {
  what: () => 'IPv4 or IPv6 address',
  parse(typed) {
    const parsed = parseAddress(typed)
    if (parsed) return parsed.address
    const hint = typed.includes('/') ? { hint: 'Leave out the prefix length; for ranges, see "ipv6 ranges"' } : {}
    throw new Problem('usage', `"${typed}" is not an IPv4 or IPv6 address`, hint)
  },
}

export const ipResource: Resource = {
  noun: 'address',
  parameter: 'address',
  list: ips.list,
  view: ips.view,
  group: 'ips',
  reference: address,
  key: 'address',
}
