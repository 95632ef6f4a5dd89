/** Rules of a firewall as they stand in answers and in files, and what two of them mean alike. */
import { fits } from '../catalogue/check'
import { type FirewallRule, type FirewallRules, rule, rules } from '../catalogue/firewall-rules'
import { formatNetwork, parseNetwork } from '../rules/addresses'
import { isRecord } from '../rules/records'

export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/** Whether these are rules as the service gives them: only such can be compared and judged. */
export function areRules(value: unknown): value is FirewallRules {
  if (!isRecord(value)) return false
  const named = directions.map((direction) => [direction, mapList(value[direction], withNamedProtocol)])
  return fits(rules, { ...value, ...Object.fromEntries(named) })
}

export function isRule(value: unknown): value is FirewallRule {
  return fits(rule, withNamedProtocol(value))
}

/** The service also has protocols by their numbers (gaps.md, Null lists in answers): they are kept as they are. */
function withNamedProtocol(value: unknown): unknown {
  return isRecord(value) && typeof value.protocol === 'number' ? { ...value, protocol: String(value.protocol) } : value
}

const mapList = (list: unknown, map: (item: unknown) => unknown): unknown =>
  Array.isArray(list) ? list.map(map) : list

/**
 * Rules of an answer in the shape that all of this program reads: a list that is null or missing is an empty one
 * (gaps.md, Null lists in answers). Undefined where they make no sense even so.
 */
export function shapedRules(answer: unknown): FirewallRules | undefined {
  if (!isRecord(answer)) return undefined
  const sides = directions.map((direction) => [direction, mapList(answer[direction] ?? [], shapedRule)])
  const shaped = { ...answer, ...Object.fromEntries(sides) }
  return areRules(shaped) ? shaped : undefined
}

function shapedRule(value: unknown): unknown {
  if (!isRecord(value)) return value
  const addresses = value.addresses ?? {}
  if (!isRecord(addresses)) return value
  const lists = Object.entries(addresses).filter(([, list]) => list !== null)
  return { ...value, addresses: Object.fromEntries(lists) }
}

/** What the service takes of the rules that it gives. */
export function sendable({ inbound, inbound_policy, outbound, outbound_policy }: FirewallRules) {
  return { inbound, inbound_policy, outbound, outbound_policy }
}

/** A field's value as it is compared and shown: a list is a set of networks, anything else a text. */
export type FieldValue = string | readonly string[]

/**
 * The fields of a rule by their paths, without those that are empty. Equal meanings come out equal: ports without
 * blanks, networks as RFC 5952 writes them, in order and each once.
 */
export function fieldsOf(rule: FirewallRule): Map<string, FieldValue> {
  const { addresses, ports, ...others } = rule
  const fields = new Map<string, FieldValue>()
  const put = (path: string, value: FieldValue | null | undefined) => {
    if (value !== null && value !== undefined && value.length > 0) fields.set(path, value)
  }
  for (const [key, value] of Object.entries(others)) {
    put(key, textOf(value))
  }
  put('ports', ports?.replaceAll(' ', ''))
  for (const [family, networks] of Object.entries(addresses)) {
    put(`addresses.${family}`, Array.isArray(networks) ? networksOf(networks.map(String)) : textOf(networks))
  }
  return fields
}

function textOf(value: unknown): string | null | undefined {
  return typeof value === 'string' || value === null ? value : JSON.stringify(value)
}

function networksOf(texts: readonly string[]): string[] {
  const written = texts.map((text) => {
    const network = parseNetwork(text)
    return network ? formatNetwork(network) : text
  })
  return [...new Set(written)].sort()
}

/** A text that is the same for rules that mean the same. */
export function meaningOf(rule: FirewallRule): string {
  return JSON.stringify(sortedFields(rule))
}

/** In the order of their paths, however the rule was written. */
export function sortedFields(rule: FirewallRule): [path: string, value: FieldValue][] {
  return [...fieldsOf(rule)].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A rule without what decides about nothing. */
export const unnamed = ({ label: _label, description: _description, ...rule }: FirewallRule): FirewallRule => rule

/** The networks of a rule, of both families, as they are written. */
export function networkTexts({ addresses }: FirewallRule): string[] {
  return [...(addresses.ipv4 ?? []), ...(addresses.ipv6 ?? [])]
}
