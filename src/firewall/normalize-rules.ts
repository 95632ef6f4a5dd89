/** Normalizes rules written by people or copied from listings for requests. */
import { namedRule, ruleActions } from '../catalogue/firewall-rules'
import { addressFamily, bitsOf, familyOf } from '../rules/address-syntax'
import { parseAddress, parseNetwork } from '../rules/addresses'
import { protocols } from '../rules/protocols'
import { isRecord } from '../rules/records'
import { withMappedAsIpv4 } from './networks'
import { directions } from './rules'

export interface Tidied {
  value: Record<string, unknown>
  /** Plain addresses, written with the mask that skyctl added. */
  masked: readonly string[]
}

/**
 * Normalizes rules for a request. Actions, policies and protocols get upper case, null keys are removed, and every
 * address gets a mask. Ports become text even where YAML has a number.
 */
export function tidyRules(value: Record<string, unknown>): Tidied {
  const masked: string[] = []
  const result = { ...value }
  for (const direction of directions) {
    upperCase(result, `${direction}_policy`, ruleActions)
    const side = value[direction]
    // Listings of some firewalls contain null (gaps.md, Null lists in answers).
    if (side === null) result[direction] = []
    if (!Array.isArray(side)) continue
    result[direction] = side.map((rule: unknown) => (isRecord(rule) ? tidyRule(rule, masked) : rule))
  }
  return { value: result, masked }
}

/** Normalizes one rule, and adds networks given without a mask to `masked`. */
export function tidyRule(rule: Record<string, unknown>, masked: string[]): Record<string, unknown> {
  const tidy = withoutNulls(rule, Object.keys(namedRule.entries))
  upperCase(tidy, 'action', ruleActions)
  upperCase(tidy, 'protocol', protocols)
  if (typeof tidy.ports === 'number') tidy.ports = String(tidy.ports)
  const addresses = byFamily(tidy.addresses)
  if (isRecord(addresses)) tidy.addresses = tidyAddresses(addresses, masked)
  return tidy
}

/** Converts known values to upper case: files and flags accept lower case too. Unknown values stay unchanged. */
function upperCase(record: Record<string, unknown>, key: string, values: readonly string[]): void {
  const upper = String(record[key]).toUpperCase()
  if (values.includes(upper)) record[key] = upper
}

/** Sorts an address or network, or a list with at least one, into the lists of a rule. */
function byFamily(addresses: unknown): unknown {
  const list = typeof addresses === 'string' ? [addresses] : addresses
  if (!Array.isArray(list) || !list.some(isAddress)) return addresses
  const isIpv6 = (entry: unknown) => typeof entry === 'string' && familyOf(entry) === 'ipv6'
  const families = { ipv4: list.filter((entry) => !isIpv6(entry)), ipv6: list.filter(isIpv6) }
  return Object.fromEntries(Object.entries(families).filter(([, entries]) => entries.length > 0))
}

const isAddress = (entry: unknown) =>
  typeof entry === 'string' && (parseAddress(entry) ?? parseNetwork(entry)) !== undefined

function tidyAddresses(addresses: Record<string, unknown>, masked: string[]): unknown {
  const lists = Object.entries(withMappedAsIpv4(withoutNulls(addresses, Object.keys(addresses)))).map(
    ([family, list]) => [
      family,
      Array.isArray(list) ? list.map((entry: unknown) => withMask(entry, masked)) : withMask(list, masked),
    ],
  )
  return Object.fromEntries(lists)
}

function withMask(entry: unknown, masked: string[]): unknown {
  const family = typeof entry === 'string' ? addressFamily(entry) : undefined
  if (!family) return entry
  // A large account has a million of them, and V8 holds the parts of a template beside its text.
  const network = [entry, bitsOf[family]].join('/')
  masked.push(network)
  return network
}

/** Returns a copy without these keys where they are null. Most records have no null, and V8 copies those much faster. */
function withoutNulls(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  if (!Object.values(record).includes(null)) return { ...record }
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => value !== null || !keys.includes(key)))
}
