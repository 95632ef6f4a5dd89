/** Finds the rules that an edit names: by label, match or number, or by the mark of a temporary opening. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { isGone, Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { didYouMean } from '../rules/nearest'
import { counted } from '../rules/texts'
import { pairRules } from './diff'
import { hashOf } from './hash'
import { type Match, matches, parseMatch } from './rule-selector'
import { ruleBrief } from './rule-text'
import type { Direction, EditedRules } from './rules'
import { markIn, temporaryOpening } from './temporary-opening'

/** A rule as it was named; `text` is what the user wrote. */
export type RuleTarget = { text: string } & (
  | { number: number }
  | { label: string }
  | { match: Match }
  | { mark: string }
)

export interface RulesToRemove {
  direction: Direction
  targets: readonly RuleTarget[]
  /** True to leave out rules that do not exist. */
  ifPresent: boolean
}

/** Rules among which a rule is looked for. */
interface RuleList {
  /** Name of the firewall: `firewall "edge" (9100)`. */
  name: string
  direction: Direction
  rules: FirewallRules
}

/**
 * Returns the index of the named rule. Throws `not_found` with the existing rules, or `refused` for several matches.
 */
export function findRule(target: RuleTarget, list: RuleList): number {
  const [index, ...others] = indexesOf(target, list)
  if (index === undefined) throw notThere(target, list)
  if (others.length > 0) throw ambiguous(target, list)
  return index
}

function indexesOf(target: RuleTarget, { rules, direction }: RuleList): number[] {
  const isMeant = (rule: FirewallRule, index: number) => {
    if ('number' in target) return index + 1 === target.number
    if ('mark' in target) return temporaryOpening(rule)?.mark === target.mark
    return 'label' in target ? rule.label === target.label : matches(rule, target.match)
  }
  return rules[direction].flatMap((rule, index) => (isMeant(rule, index) ? [index] : []))
}

/** Returns the indexes of the rules to remove in the rules of now. */
export function indexesToRemove({ targets, direction, ifPresent }: RulesToRemove, rules: EditedRules): Set<number> {
  const indexes = targets.flatMap((target) => {
    try {
      return findAgain(target, direction, rules)
    } catch (error) {
      if (ifPresent && isGone(error)) return []
      throw error
    }
  })
  return new Set(indexes)
}

/**
 * Returns the indexes, in the rules of now, of the shown rule, or of all copies of an opening. Throws `not_found` if one
 * is gone, and `changed` if it is different.
 */
export function findAgain(target: RuleTarget, direction: Direction, { name, shown, now }: EditedRules): number[] {
  const list = { name, direction, rules: now }
  const shownList = { ...list, rules: shown }
  const shownIndexes = 'mark' in target ? indexesOf(target, shownList) : [findRule(target, shownList)]
  const { equal } = pairRules(shown[direction], now[direction])
  return shownIndexes.map((shownIndex) => {
    const index = equal.get(shownIndex)
    if (index === undefined) throw goneOrDifferent(target, list)
    return index
  })
}

function goneOrDifferent(target: RuleTarget, list: RuleList): Problem {
  const { direction, rules, name } = list
  const [different] = 'mark' in target ? indexesOfMark(target.mark, rules[direction]) : indexesOf(target, list)
  if (different === undefined) return notThere(target, list)
  return new Problem('changed', `${direction} rule ${escapeText(target.text)} of ${name} was changed meanwhile`, {
    hint: 'Check the current rules, and run the command again',
    errors: [{ field: direction, reason: numbered(different, list) }],
  })
}

const indexesOfMark = (mark: string, rules: readonly FirewallRule[]) =>
  rules.flatMap((rule, index) => (markIn(rule) === mark ? [index] : []))

function notThere(target: RuleTarget, list: RuleList): Problem {
  const { rules, direction, name } = list
  const all = rules[direction]
  if ('number' in target) {
    const text = `there is no ${direction} rule ${target.number}: the firewall has ${counted(all.length, 'rule')} there`
    return new Problem('not_found', text, { missing: target.text })
  }
  const labels = all.flatMap(({ label }) => label ?? [])
  const near = 'label' in target ? (matchMeant(target.label, list) ?? didYouMean(target.label, labels)) : undefined
  const there = all.length > 0 ? `There are ${listText(all.keys(), list)}` : 'There is none'
  return new Problem('not_found', `no ${direction} rule of ${name} ${descriptionOf(target)}`, {
    missing: target.text,
    hint: near ? `${near} ${there}` : there,
  })
}

/** Proposes a match for a protocol and ports that were written as a label, if rules have them: `tcp/22`. */
function matchMeant(label: string, { rules, direction }: RuleList): string | undefined {
  const match = parseMatch(label)
  const isThere = typeof match !== 'string' && rules[direction].some((rule) => matches(rule, match))
  return isThere ? `Did you mean match:${label}?` : undefined
}

function ambiguous(target: RuleTarget, list: RuleList): Problem {
  const indexes = indexesOf(target, list)
  const text = `${indexes.length} ${list.direction} rules of ${list.name} ${descriptionOf(target, 's')}: ${listText(indexes, list)}`
  return new Problem('refused', text, {
    hint: `Be more specific, such as match:tcp/22@192.0.2.0/24, or use a number with --if-match ${hashOf(list.rules)}`,
    errors: indexes.map((index) => ({ field: `${list.direction}[${index}]`, reason: ruleAt(index, list) })),
  })
}

function descriptionOf(target: RuleTarget, many?: 's'): string {
  if ('label' in target) return `${many ? 'have' : 'has'} the label "${escapeText(target.label)}"`
  if ('mark' in target) return `${many ? 'are' : 'is'} the opening ${target.mark}`
  return `${many ? 'match' : 'matches'} "${escapeText(target.text.slice('match:'.length))}"`
}

const listText = (indexes: Iterable<number>, list: RuleList) =>
  [...indexes].map((index) => numbered(index, list)).join(', ')

/** Returns `2 (ACCEPT TCP 443 "web" from 203.0.113.0/24)`. */
export const numbered = (index: number, list: Omit<RuleList, 'name'>) => `${index + 1} (${ruleAt(index, list)})`

function ruleAt(index: number, { rules, direction }: Omit<RuleList, 'name'>): string {
  const rule = rules[direction][index]
  return rule ? ruleBrief(rule, direction) : ''
}
