/** Formats the names of rules for completion: `FIREWALL DIRECTION NAME`, once for the firewall's label and once for its id. */
import type { CachedName } from '../../../account/name-cache'
import { targetNames } from '../../../account/target-names'
import type { Firewall } from '../../../catalogue/firewalls'
import { ruleBrief } from '../../../firewall/rule-text'
import { directions, shapedRules } from '../../../firewall/rules'

/** Returns the labels of the rules, or their numbers if a label is missing or not unique. */
export function ruleNames({ id, label, rules: sent }: Pick<Firewall, 'id' | 'label' | 'rules'>): CachedName[] {
  const rules = shapedRules(sent)
  if (!rules) return []
  return directions.flatMap((direction) => {
    const numbered = rules[direction].map((rule, index) => ({ id: index + 1, label: rule.label ?? '' }))
    return targetNames(numbered, 'rule').flatMap(({ name, note }, index) => {
      const rule = rules[direction][index]
      const shown = note || (rule && ruleBrief(rule, direction))
      return [label, String(id)].map((firewall) => ({ name: `${firewall} ${direction} ${name}`, note: shown }))
    })
  })
}
