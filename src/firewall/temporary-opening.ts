/**
 * Rules for temporary access. Label and description hold the expiry time and skyctl as the creator, within the limits
 * of api.md (Limits: label 32 characters, description 100). A checksum in the description covers the rule's content:
 * skyctl never removes a rule that somebody has edited.
 */
import { createHash } from 'node:crypto'
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { formatTimestamp, parseTimestamp } from '../rules/times'
import { sortedFields } from './rules'

export interface TemporaryOpening {
  /** Unique id: 16 hexadecimal digits. */
  mark: string
  /** Expiry in milliseconds since the epoch. */
  until: number
}

type Passage = Pick<FirewallRule, 'action' | 'protocol' | 'ports' | 'addresses'>

const label = (until: string) => `open until ${until}`
const description = (until: string, mark: string, check: string) =>
  `Made by skyctl, which closes it at ${until} (opening ${mark}-${check})`

/** Builds the rule of an opening. `until` is cut to whole seconds. */
export function openingRule(passage: Passage, { mark, until }: TemporaryOpening): FirewallRule {
  const time = `${formatTimestamp(until)}Z`
  return { ...passage, label: label(time), description: description(time, mark, checkOf(passage, time, mark)) }
}

/** Returns the opening that a rule describes; undefined for other rules and for openings edited since. */
export function temporaryOpening(rule: FirewallRule): TemporaryOpening | undefined {
  const parsed = parseDescription(rule)
  if (!parsed) return undefined
  const { mark, time } = parsed
  const until = parseTimestamp(time.slice(0, -1))
  if (Number.isNaN(until)) return undefined
  const own = openingRule(rule, { mark, until })
  return rule.label === own.label && rule.description === own.description ? { mark, until } : undefined
}

/** Returns the id of an opening whose rule was edited; undefined for any other rule. */
export function markOfChanged(rule: FirewallRule): string | undefined {
  return temporaryOpening(rule) ? undefined : parseDescription(rule)?.mark
}

/** Returns the id of an opening, whether its rule was edited or not; undefined for any other rule. */
export const markIn = (rule: FirewallRule): string | undefined => parseDescription(rule)?.mark

/** Returns rules without temporary openings. */
export const withoutOpenings = (rules: FirewallRules): FirewallRules => ({
  ...rules,
  inbound: rules.inbound.filter((rule) => !temporaryOpening(rule)),
})

/** Lists the openings among inbound rules that pass the test. */
export function openingsIn(
  rules: readonly FirewallRule[],
  test: (opening: TemporaryOpening, rule: FirewallRule) => boolean,
): { opening: TemporaryOpening; rule: FirewallRule }[] {
  return rules.flatMap((rule) => {
    const opening = temporaryOpening(rule)
    return opening && test(opening, rule) ? [{ opening, rule }] : []
  })
}

function parseDescription({ description }: FirewallRule): { mark: string; time: string } | undefined {
  const pattern = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) \(opening ([0-9a-f]{16})-[0-9a-f]{12}\)/
  const match = pattern.exec(description ?? '')
  if (!match) return undefined
  const [, time = '', mark = ''] = match
  return { mark, time }
}

/** Computes the checksum from the rule's meaning, because a service may return networks in another notation. */
function checkOf({ action, protocol, ports = null, addresses }: Passage, time: string, mark: string): string {
  const { ipv4, ipv6 } = addresses
  const text = JSON.stringify([mark, time, ...sortedFields({ action, protocol, ports, addresses: { ipv4, ipv6 } })])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
