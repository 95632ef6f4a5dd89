/** Rules that files do not manage: active temporary openings, and rules with parts that api.md does not name. */

import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { firewallRule } from '../catalogue/firewall-rules'
import { formatTimestamp } from '../rules/times'
import { asJudged } from './judged-rule'
import { type Direction, directions, meaningOf } from './rules'
import { temporaryOpening } from './temporary-opening'

export interface Unmanaged {
  direction: Direction
  /** Index in the firewall's current rules. */
  index: number
  rule: FirewallRule
  /** Reason for leaving the rule unchanged, as a clause without a subject. */
  reason: string
  isOpening: boolean
}

/** Splits rules into those that a file can set and the rest. */
export function partUnmanaged(
  rules: FirewallRules,
  now: number,
): { managed: FirewallRules; unmanaged: readonly Unmanaged[] } {
  const unmanaged = directions.flatMap((direction) =>
    rules[direction].flatMap((rule, index) => reasonFor({ direction, index, rule }, now)),
  )
  const managed = directions.map((direction) => {
    const left = new Set(unmanaged.flatMap((one) => (one.direction === direction ? [one.index] : [])))
    return [direction, rules[direction].filter((_, index) => !left.has(index))]
  })
  return { managed: { ...rules, ...Object.fromEntries(managed) }, unmanaged }
}

function reasonFor(place: Pick<Unmanaged, 'direction' | 'index' | 'rule'>, now: number): Unmanaged[] {
  const { rule } = place
  const opening = temporaryOpening(rule)
  if (place.direction === 'inbound' && opening && opening.until > now) {
    const reason = `is a temporary opening until ${formatTimestamp(opening.until)}Z`
    return [{ ...place, reason, isOpening: true }]
  }
  const { action, protocol } = firewallRule.entries
  const unknown = Object.entries({ action, protocol }).find(([field, { options }]) => !isOneOf(options, rule[field]))
  const fault = asJudged(rule).possible?.reason
  if (!unknown && fault === undefined) return []
  const reason = unknown ? `has the unknown ${unknown[0]} ${rule[unknown[0]]}` : `cannot be judged: ${fault}`
  return [{ ...place, reason, isOpening: false }]
}

/** Returns the policies with unknown values, by key. Files do not manage them. */
export function unknownPolicies(rules: FirewallRules): Partial<Record<`${Direction}_policy`, string>> {
  const keys = directions.map((direction) => `${direction}_policy` as const)
  return Object.fromEntries(
    keys.filter((key) => !isOneOf(firewallRule.entries.action.options, rules[key])).map((key) => [key, rules[key]]),
  )
}

const isOneOf = (options: readonly string[], value: unknown) => options.some((option) => option === value)

/** Inserts unmanaged rules into a file's rules: each after the rule that it followed, or first. */
export function withUnmanaged<R extends Pick<FirewallRules, Direction>>(
  rules: R,
  before: FirewallRules,
  unmanaged: readonly Pick<Unmanaged, 'direction' | 'index'>[],
): R {
  const whole = directions.map((direction) => {
    const left = new Set(unmanaged.flatMap((one) => (one.direction === direction ? [one.index] : [])))
    const list = [...rules[direction]]
    let next = 0
    before[direction].forEach((rule, index) => {
      if (left.has(index)) list.splice(next++, 0, rule)
      else next = placeBehind(list, rule) ?? next
    })
    return [direction, list]
  })
  return { ...rules, ...Object.fromEntries(whole) }
}

function placeBehind(list: readonly FirewallRule[], rule: FirewallRule): number | undefined {
  const meaning = meaningOf(rule)
  const index = list.findIndex((one) => meaningOf(one) === meaning)
  return index < 0 ? undefined : index + 1
}
