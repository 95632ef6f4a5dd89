/** Implements `rules add --if-absent`: does not add rules with the effect of an existing rule again. */
import type { FirewallRule, FirewallRules } from '../../../catalogue/firewall-rules'
import { Problem } from '../../../errors'
import { compareRules } from '../../../firewall/compare'
import { hashOf } from '../../../firewall/hash'
import { sameContent } from '../../../firewall/match'
import { type Direction, isRule } from '../../../firewall/rules'
import type { Traffic } from '../../../firewall/summarize-traffic'
import { trafficText } from '../../../firewall/traffic-text'
import { numbered } from './rule-targets'

interface Place {
  current: FirewallRules
  direction: Direction
  /** Name of the firewall: `firewall "web" (9100)`. */
  name: string
  firewallId: unknown
}

export interface Split {
  missing: unknown[]
  /** Messages about existing rules. */
  notes: string[]
  warnings: string[]
}

/**
 * Separates missing rules from existing ones. Throws `exists` for an existing rule that would have more effect at the
 * requested index.
 */
export function splitExisting(rules: readonly unknown[], index: number | undefined, place: Place): Split {
  const split: Split = { missing: [], notes: [], warnings: [] }
  for (const rule of rules) {
    const existingIndex = indexOf(rule, place.current[place.direction])
    if (!isRule(rule) || existingIndex < 0) {
      split.missing.push(rule)
      continue
    }
    if (index !== undefined) expectNoEffect(rule, { ...place, index, existingIndex })
    const { direction, current, name } = place
    split.notes.push(
      `${direction} rule ${numbered(existingIndex, { rules: current, direction, name })} of ${name} already exists`,
    )
    const lost = effectAt(0, rule, place)
    if (lost.length > 0)
      split.warnings.push(`${hiddenText(lost, existingIndex, place)}. ${moveHint(existingIndex, 0, place)}`)
  }
  return split
}

const indexOf = (rule: unknown, rules: readonly FirewallRule[]): number =>
  isRule(rule) ? rules.findIndex((one) => sameContent(one, rule)) : -1

function expectNoEffect(
  rule: FirewallRule,
  { index, existingIndex, ...place }: Place & Record<'index' | 'existingIndex', number>,
): void {
  const lost = effectAt(index, rule, place)
  if (lost.length === 0) return
  throw new Problem('exists', hiddenText(lost, existingIndex, place), { hint: moveHint(existingIndex, index, place) })
}

/** Returns the traffic that would change with the rule at this index. */
function effectAt(index: number, rule: FirewallRule, { current, direction }: Place): Traffic[] {
  const rules = [...current[direction]]
  rules.splice(index, 0, rule)
  const { refused, admitted, unclear } = compareRules(current, { ...current, [direction]: rules }, 'compute')
  return [...refused, ...admitted, ...unclear]
}

const hiddenText = (traffic: readonly Traffic[], existingIndex: number, { direction, name }: Place) =>
  `${direction} rule ${existingIndex + 1} of ${name} exists, but earlier rules match ${trafficText(traffic)}`

const moveHint = (existingIndex: number, index: number, { current, direction, firewallId }: Place) =>
  `Move it: skyctl firewalls rules move ${firewallId} ${direction} ${existingIndex + 1} --at ${index + 1} --if-match ${hashOf(current)}`
