/** Changes fields of one rule, for `rules update FIREWALL inbound RULE`. */
import { isRecord } from '../rules/records'
import { findAgain, type RuleTarget } from './rule-targets'
import { type Direction, type EditedRules, withoutEmpty } from './rules'

/** A rule to change; it keeps its place and its other fields. */
export interface RuleToChange {
  direction: Direction
  target: RuleTarget
  /** They may be invalid if validation is left to the service. An empty text removes its field. */
  fields: Readonly<Record<string, unknown>>
}

/** Returns the list with the changed rule. Fields with addresses replace all IPv4 and IPv6 addresses of the rule. */
export function withChangedRule({ direction, target, fields }: RuleToChange, rules: EditedRules): unknown[] {
  const list: unknown[] = [...rules.now[direction]]
  const [index = -1] = findAgain(target, direction, rules)
  const rule = rules.now[direction][index]
  const { addresses } = fields
  const replaced = isRecord(addresses) && { ...rule?.addresses, ipv4: [], ipv6: [], ...addresses }
  return list.with(index, withoutEmpty({ ...rule, ...fields, ...(replaced && { addresses: withoutEmpty(replaced) }) }))
}
