/**
 * Rules that let something in for a while. They say themselves until when, and that skyctl made them, within what api.md
 * has room for (Limits: a label of 32 characters, a description of 100). A check in the text goes over what the rule
 * lets in: one that somebody has changed since is not ours any more, and is never taken away.
 */
import { createHash } from 'node:crypto'
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { formatTimestamp, parseTimestamp } from '../rules/times'
import { sortedFields } from './rules'

/** An opening, as its rule tells of it. */
export interface Opening {
  /** 16 hexadecimal digits: no two openings have the same. */
  mark: string
  /** Milliseconds since the epoch. */
  until: number
}

type Passage = Pick<FirewallRule, 'action' | 'protocol' | 'ports' | 'addresses'>

const label = (until: string) => `open until ${until}`
const description = (until: string, mark: string, check: string) =>
  `Made by skyctl, which closes it at ${until} (opening ${mark}-${check})`

/** `until` is kept to the second. */
export function openingRule(passage: Passage, { mark, until }: Opening): FirewallRule {
  const time = `${formatTimestamp(until)}Z`
  return { ...passage, label: label(time), description: description(time, mark, checkOf(passage, time, mark)) }
}

/** The opening that a rule is; undefined for any other rule, and for one that was changed since. */
export function openingOf(rule: FirewallRule): Opening | undefined {
  const told = toldBy(rule)
  if (!told) return undefined
  const { mark, time } = told
  const until = parseTimestamp(time.slice(0, -1))
  if (Number.isNaN(until)) return undefined
  const own = openingRule(rule, { mark, until })
  return rule.label === own.label && rule.description === own.description ? { mark, until } : undefined
}

/** The mark in what was an opening until somebody changed the rule. */
export function markOfChanged(rule: FirewallRule): string | undefined {
  return openingOf(rule) ? undefined : toldBy(rule)?.mark
}

/** The inbound rules that are openings and pass the test, and the same rules without them. */
export function parted<R extends Pick<FirewallRules, 'inbound'>>(
  rules: R,
  test: (opening: Opening) => boolean,
): { openings: { opening: Opening; rule: FirewallRule }[]; rest: R } {
  const isMeant = (rule: FirewallRule) => {
    const opening = openingOf(rule)
    return opening && test(opening) ? [{ opening, rule }] : []
  }
  const openings = rules.inbound.flatMap(isMeant)
  return { openings, rest: { ...rules, inbound: rules.inbound.filter((rule) => isMeant(rule).length === 0) } }
}

function toldBy({ description }: FirewallRule): { mark: string; time: string } | undefined {
  const pattern = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) \(opening ([0-9a-f]{16})-[0-9a-f]{12}\)/
  const found = pattern.exec(description ?? '')
  if (!found) return undefined
  const [, time = '', mark = ''] = found
  return { mark, time }
}

/** Over the meaning: a service may write networks in another form than they were sent in. */
function checkOf({ action, protocol, ports = null, addresses }: Passage, time: string, mark: string): string {
  const { ipv4, ipv6 } = addresses
  const text = JSON.stringify([mark, time, ...sortedFields({ action, protocol, ports, addresses: { ipv4, ipv6 } })])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
