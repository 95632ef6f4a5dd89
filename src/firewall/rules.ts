/** Firewall rules in answers and files: validation, normalization and comparison by meaning. */
import { fits } from '../catalogue/check'
import { type FirewallRule, type FirewallRules, rule, rules } from '../catalogue/firewall-rules'
import { isMissing } from '../catalogue/normalize'
import { joinedRanges, parsePorts } from '../rules/ports'
import { isRecord } from '../rules/records'
import { canonicalAddress, withMappedAsIpv4 } from './networks'

export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/**
 * A firewall with the rules that an edit was made for, and those of now. They are the same unless somebody else has changed
 * them since.
 */
export interface EditedRules {
  id: string | number
  /** `firewall "web" (9100)`. */
  name: string
  shown: FirewallRules
  now: FirewallRules
}

/** Reports whether a value is a valid rule set from the service. Only such rule sets can be compared and judged. */
export function areRules(value: unknown): value is FirewallRules {
  if (!isRecord(value)) return false
  const named = directions.map((direction) => [direction, mapList(value[direction], withNamedProtocol)])
  return fits(rules, { ...value, ...Object.fromEntries(named) })
}

export function isRule(value: unknown): value is FirewallRule {
  return fits(rule, withNamedProtocol(value))
}

/** Converts a protocol number to text: the service also returns numbers (gaps.md, Null lists in answers). */
function withNamedProtocol(value: unknown): unknown {
  return isRecord(value) && typeof value.protocol === 'number' ? { ...value, protocol: String(value.protocol) } : value
}

const mapList = (list: unknown, map: (item: unknown) => unknown): unknown =>
  Array.isArray(list) ? list.map(map) : list

/** Returns the path of a list, or of addresses, that an answer lacked: unlike those that are null, they are unknown. */
export function missingIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  for (const direction of directions) {
    if (isMissing(answer, direction)) return direction
    const list: unknown = answer[direction]
    const index = Array.isArray(list) ? list.findIndex((one) => isRecord(one) && isMissing(one, 'addresses')) : -1
    if (index >= 0) return `${direction}[${index}].addresses`
  }
  return undefined
}

/**
 * Converts a rule of an answer to the form that a request takes: without keys that have no value (gaps.md, Empty forms in
 * answers), and with the keys that api.md does not name.
 */
export function asSent(rule: FirewallRule): FirewallRule {
  const { action, protocol } = rule
  return { ...withoutEmpty(rule), action, protocol, addresses: withoutEmpty(rule.addresses) }
}

/** Returns a copy without fields that have no value. Most records have none, and V8 copies those much faster. */
export const withoutEmpty = (record: object) =>
  Object.values(record).every(hasValue)
    ? { ...record }
    : Object.fromEntries(Object.entries(record).filter(([, value]) => hasValue(value)))

const hasValue = (value: unknown) =>
  value !== null && value !== undefined && !((typeof value === 'string' || Array.isArray(value)) && value.length === 0)

/**
 * Normalizes the rules of an answer: each is as it can be sent back, and a null list becomes an empty one (gaps.md, Null
 * lists in answers). Undefined if the rules are invalid, or if the answer lacked a part of them.
 */
export function shapedRules(answer: unknown): FirewallRules | undefined {
  if (!isRecord(answer) || missingIn(answer) !== undefined) return undefined
  const sides = directions.map((direction) => [direction, mapList(answer[direction] ?? [], withAddresses)])
  const shaped = { ...answer, ...Object.fromEntries(sides) }
  return areRules(shaped) ? { ...shaped, ...listsAsSent(shaped) } : undefined
}

/** Replaces null addresses, and null lists of them, by none. */
function withAddresses(value: unknown): unknown {
  if (!isRecord(value)) return value
  const addresses = value.addresses ?? {}
  return isRecord(addresses) ? { ...value, addresses: withoutEmpty(addresses) } : value
}

const listsAsSent = ({ inbound, outbound }: FirewallRules) => ({
  inbound: inbound.map(asSent),
  outbound: outbound.map(asSent),
})

/** Reduces rules to the fields that the service accepts. */
export function sendable(rules: FirewallRules) {
  const { inbound, outbound } = listsAsSent(rules)
  return { inbound, inbound_policy: rules.inbound_policy, outbound, outbound_policy: rules.outbound_policy }
}

/** Comparable field value: a set of networks as a list, anything else as text. */
export type FieldValue = string | readonly string[]

/** Reports whether a key of a rule is the service's own: api.md does not name it. */
export const isServiceKey = (key: string) => !Object.hasOwn(rule.entries, key)

/**
 * Maps field paths to values, without empty fields. Values are canonical: ports are the fewest ranges, and networks are
 * sorted, unique and written as in RFC 5952.
 */
export function fieldsOf(rule: FirewallRule): Map<string, FieldValue> {
  const { addresses, ports, ...others } = asSent(rule)
  const fields = new Map<string, FieldValue>(Object.entries(others).map(([key, value]) => [key, textOf(value)]))
  if (ports) fields.set('ports', canonicalPorts(ports))
  for (const [family, networks] of Object.entries(withMappedAsIpv4(addresses))) {
    if (hasValue(networks))
      fields.set(`addresses.${family}`, Array.isArray(networks) ? networksOf(networks.map(String)) : textOf(networks))
  }
  return fields
}

function canonicalPorts(text: string): string {
  // One port or range has one form. A large account has many thousands of them.
  const ranges = text.includes(',') ? parsePorts(text) : undefined
  if (!ranges) return text.replaceAll(' ', '')
  return joinedRanges(ranges)
    .map(({ first, last }) => (first === last ? first : `${first}-${last}`))
    .join()
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const networksOf = (texts: readonly string[]): string[] => [...new Set(texts.map(canonicalAddress))].sort()

export function meaningOf(rule: FirewallRule): string {
  return JSON.stringify(sortedFields(rule))
}

/** Lists the fields sorted by path, regardless of how the rule was written. */
export function sortedFields(rule: FirewallRule): [path: string, value: FieldValue][] {
  return [...fieldsOf(rule)].sort(([a], [b]) => (a < b ? -1 : 1))
}

export const unnamed = ({ label: _label, description: _description, ...rule }: FirewallRule): FirewallRule => rule

/** Lists a rule's IPv4 and IPv6 networks as they are written. */
export function networkTexts({ addresses }: Pick<FirewallRule, 'addresses'>): string[] {
  return [...(addresses.ipv4 ?? []), ...(addresses.ipv6 ?? [])]
}

export const hasAllRules = (value: Readonly<Record<string, unknown>>) =>
  directions.some((direction) => Array.isArray(value[direction]))

export const isOneRule = (value: Readonly<Record<string, unknown>>) => 'action' in value && 'protocol' in value
