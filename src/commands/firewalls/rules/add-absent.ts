/** Implements `rules add --if-absent`: does not add rules with the effect of an existing rule again. */
import type { FirewallRule, FirewallRules } from '../../../catalogue/firewall-rules'
import { Problem } from '../../../errors'
import { compareRules } from '../../../firewall/compare'
import { trafficText } from '../../../firewall/effects'
import { hashOf } from '../../../firewall/hash'
import { sameContent } from '../../../firewall/match'
import { type Direction, isRule } from '../../../firewall/rules'
import type { Traffic } from '../../../firewall/traffic'
import { numbered } from './rule-targets'

interface Place {
  standing: FirewallRules
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
export function splitExisting(wanted: readonly unknown[], index: number | undefined, place: Place): Split {
  const split: Split = { missing: [], notes: [], warnings: [] }
  for (const rule of wanted) {
    const found = indexOf(rule, place.standing[place.direction])
    if (!isRule(rule) || found < 0) {
      split.missing.push(rule)
      continue
    }
    if (index !== undefined) expectNoEffect(rule, { ...place, index, found })
    const { direction, standing, name } = place
    split.notes.push(
      `${direction} rule ${numbered(found, { rules: standing, direction, name })} of ${name} already exists`,
    )
    const lost = effectAt(0, rule, place)
    if (lost.length > 0) split.warnings.push(`${hiddenText(lost, found, place)}. ${moveHint(found, 0, place)}`)
  }
  return split
}

const indexOf = (rule: unknown, standing: readonly FirewallRule[]): number =>
  isRule(rule) ? standing.findIndex((one) => sameContent(one, rule)) : -1

function expectNoEffect(
  rule: FirewallRule,
  { index, found, ...place }: Place & Record<'index' | 'found', number>,
): void {
  const lost = effectAt(index, rule, place)
  if (lost.length === 0) return
  throw new Problem('exists', hiddenText(lost, found, place), { hint: moveHint(found, index, place) })
}

/** Returns the traffic that would change with the rule at this index. */
function effectAt(index: number, rule: FirewallRule, { standing, direction }: Place): Traffic[] {
  const rules = [...standing[direction]]
  rules.splice(index, 0, rule)
  const { refused, admitted, unclear } = compareRules(standing, { ...standing, [direction]: rules }, 'compute')
  return [...refused, ...admitted, ...unclear]
}

const hiddenText = (traffic: readonly Traffic[], found: number, { direction, name }: Place) =>
  `${direction} rule ${found + 1} of ${name} exists, but earlier rules match ${trafficText(traffic)}`

const moveHint = (found: number, index: number, { standing, direction, firewallId }: Place) =>
  `Move it: skyctl firewalls rules move ${firewallId} ${direction} ${found + 1} --at ${index + 1} --if-match ${hashOf(standing)}`
