/** Finds the rules to add that have the effect of an existing rule, for `rules add --if-absent`. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { Problem } from '../errors'
import { compareRules } from './compare'
import { hashOf } from './hash'
import { sameContent } from './rule-selector'
import { numbered } from './rule-targets'
import { type Direction, type EditedRules, isRule } from './rules'
import type { Traffic } from './summarize-traffic'
import { trafficText } from './traffic-text'

/** Rules to add at a position, counted from 1; by default as the last ones. */
export interface RulesToAdd {
  direction: Direction
  /** They may be invalid if validation is left to the service. */
  rules: readonly unknown[]
  at?: number | undefined
}

/** A firewall with the rules of now, and the direction of those to add. */
type ExistingRules = Pick<EditedRules, 'id' | 'name' | 'now'> & { direction: Direction }

export interface Split {
  missing: unknown[]
  notes: string[]
  warnings: string[]
}

/**
 * Separates missing rules from existing ones. Throws `exists` for an existing rule that would have more effect at the
 * requested position.
 */
export function splitExisting({ direction, rules, at }: RulesToAdd, firewall: Omit<ExistingRules, 'direction'>): Split {
  const existing = { ...firewall, direction }
  const { name, now } = firewall
  const split: Split = { missing: [], notes: [], warnings: [] }
  for (const rule of rules) {
    const index = isRule(rule) ? now[direction].findIndex((one) => sameContent(one, rule)) : -1
    if (!isRule(rule) || index < 0) {
      split.missing.push(rule)
      continue
    }
    if (at !== undefined) expectNoEffect(rule, { at: at - 1, index }, existing)
    split.notes.push(`${direction} rule ${numbered(index, { rules: now, direction })} of ${name} already exists`)
    const lost = effectAt(0, rule, existing)
    if (lost.length > 0) split.warnings.push(`${hiddenText(lost, index, existing)}. ${moveHint(index, 0, existing)}`)
  }
  return split
}

function expectNoEffect(
  rule: FirewallRule,
  { at, index }: Record<'at' | 'index', number>,
  existing: ExistingRules,
): void {
  const lost = effectAt(at, rule, existing)
  if (lost.length === 0) return
  throw new Problem('exists', hiddenText(lost, index, existing), { hint: moveHint(index, at, existing) })
}

/** Returns the traffic that would change with the rule at this index. */
function effectAt(index: number, rule: FirewallRule, { now, direction }: ExistingRules): Traffic[] {
  const next = { ...now, [direction]: now[direction].toSpliced(index, 0, rule) }
  const { blocked, allowed, unclear } = compareRules(now, next, 'compute')
  return [...blocked, ...allowed, ...unclear]
}

const hiddenText = (traffic: readonly Traffic[], index: number, { direction, name }: ExistingRules) =>
  `${direction} rule ${index + 1} of ${name} exists, but earlier rules match ${trafficText(traffic)}`

const moveHint = (index: number, at: number, { now, direction, id }: ExistingRules) =>
  `Move it: skyctl firewalls rules move ${id} ${direction} ${index + 1} --at ${at + 1} --if-match ${hashOf(now)}`
