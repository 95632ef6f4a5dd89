/** Finds rules that are named by label, match or number; a number may mean another rule by the time of the change. */

import { notALabel } from '../../../account/resource'
import type { FirewallRule, FirewallRules } from '../../../catalogue/firewall-rules'
import type { Argument, Flags } from '../../../engine/command'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { hashOf } from '../../../firewall/hash'
import { type Match, matches, parseMatch } from '../../../firewall/match'
import { ruleBrief } from '../../../firewall/rule-text'
import { type Direction, meaningOf } from '../../../firewall/rules'
import { escapeText } from '../../../rules/escape'
import { didYouMean } from '../../../rules/nearest'
import { counted } from '../../../rules/texts'
import { parseNumber } from './rule-arguments'

export type RuleTarget = { text: string } & ({ number: number } | { label: string } | { match: Match })

export const ruleArgument: Argument = {
  name: 'rule',
  description: 'label:NAME, match:tcp/22@198.51.100.0/24 or a number',
  values: 'rules',
}

export const ruleHelp =
  'Name a rule by its label, by match:PROTOCOL[/PORTS][@NETWORKS] with all of its ports or networks, or by its ' +
  'number. Numbers may change: without a question, a number needs --if-match.'

/** Parses a rule target: digits are a number, anything else is a label; `label:` and `match:` force one. */
export function parseRuleTarget(text: string): RuleTarget {
  if (text.startsWith('match:')) return { text, match: matchOf(text) }
  const label = text.startsWith('label:') ? text.slice('label:'.length) : text
  if (label === text && notALabel.test(text)) return { text, number: parseNumber(text) }
  if (label === '') throw new Problem('usage', 'the name of the rule is empty')
  return { text, label }
}

function matchOf(text: string): Match {
  const match = parseMatch(text.slice('match:'.length))
  if (typeof match !== 'string') return match
  throw new Problem('usage', `"${text}": ${match}`, {
    hint: 'Write match:PROTOCOL[/PORTS][@NETWORKS], such as match:tcp/22 or match:udp/53@192.0.2.0/24,2001:db8::/32',
  })
}

export const isNumber = (target: RuleTarget) => 'number' in target

/** Throws `usage` for numbers if nobody confirms the rules that they mean. */
export function refuseNumbers(targets: readonly RuleTarget[], flags: Flags, session: Session): void {
  const isAsked = session.ui.interactive && !session.ui.yes
  if (isAsked || flags['dry-run'] || flags['if-match'] !== undefined) return
  const number = targets.find(isNumber)
  if (!number) return
  throw new Problem(
    'usage',
    `${number.text} may be the number of another rule by now, and there is no question to confirm it`,
    {
      hint: 'Name it by label:NAME or match:tcp/22, or add --if-match HASH, which "firewalls rules list --hash" prints',
    },
  )
}

/** Rules among which a rule is looked for. */
export interface RuleList {
  /** Name of the firewall: `firewall "edge" (9100)`. */
  name: string
  direction: Direction
  rules: FirewallRules
}

/**
 * Returns the index of the named rule. Throws `not_found` with the existing rules, or `refused` for several matches.
 */
export function findRule(target: RuleTarget, side: RuleList): number {
  const [index, ...others] = indexesOf(target, side)
  if (index === undefined) throw notThere(target, side)
  if (others.length > 0) throw ambiguous(target, side)
  return index
}

function indexesOf(target: RuleTarget, { rules, direction }: RuleList): number[] {
  const isMeant = (rule: FirewallRule, index: number) => {
    if ('number' in target) return index + 1 === target.number
    return 'label' in target ? rule.label === target.label : matches(rule, target.match)
  }
  return rules[direction].flatMap((rule, index) => (isMeant(rule, index) ? [index] : []))
}

/**
 * Returns the index of the same rule in the current rules. Throws `not_found` if it is gone, and `refused` if it was
 * changed.
 */
export function findAgain(target: RuleTarget, shown: RuleList, now: RuleList): number {
  const meaning = shown.rules[shown.direction].map(meaningOf)[findRule(target, shown)]
  const index = now.rules[now.direction].findIndex((rule) => meaningOf(rule) === meaning)
  if (index >= 0) return index
  const [changed] = indexesOf(target, now)
  if (changed === undefined) throw notThere(target, now)
  throw new Problem(
    'changed',
    `${now.direction} rule ${escapeText(target.text)} of ${now.name} was changed meanwhile`,
    {
      hint: 'Check the current rules, and run the command again',
      errors: [{ field: now.direction, reason: numbered(changed, now) }],
    },
  )
}

function notThere(target: RuleTarget, side: RuleList): Problem {
  const { rules, direction, name } = side
  const all = rules[direction]
  if ('number' in target) {
    const text = `there is no ${direction} rule ${target.number}: the firewall has ${counted(all.length, 'rule')} there`
    return new Problem('not_found', text, { missing: target.text })
  }
  const labels = all.flatMap(({ label }) => label ?? [])
  const near = 'label' in target ? didYouMean(target.label, labels) : undefined
  const there = all.length > 0 ? `There are ${list(all.keys(), side)}` : 'There is none'
  return new Problem('not_found', `no ${direction} rule of ${name} ${saidOf(target)}`, {
    missing: target.text,
    hint: near ? `${near} ${there}` : there,
  })
}

function ambiguous(target: RuleTarget, side: RuleList): Problem {
  const indexes = indexesOf(target, side)
  const text = `${indexes.length} ${side.direction} rules of ${side.name} ${saidOf(target, 's')}: ${list(indexes, side)}`
  return new Problem('refused', text, {
    hint: `Be more specific, such as match:tcp/22@192.0.2.0/24, or use a number with --if-match ${hashOf(side.rules)}`,
    errors: indexes.map((index) => ({ field: `${side.direction}[${index}]`, reason: ruleAt(index, side) })),
  })
}

function saidOf(target: RuleTarget, many?: 's'): string {
  if ('label' in target) return `${many ? 'have' : 'has'} the label "${escapeText(target.label)}"`
  return `${many ? 'match' : 'matches'} "${escapeText(target.text.slice('match:'.length))}"`
}

const list = (indexes: Iterable<number>, side: RuleList) =>
  [...indexes].map((index) => numbered(index, side)).join(', ')

/** Returns `2 (ACCEPT TCP 443 "web" from 203.0.113.0/24)`. */
export const numbered = (index: number, side: RuleList) => `${index + 1} (${ruleAt(index, side)})`

function ruleAt(index: number, { rules, direction }: RuleList): string {
  const rule = rules[direction][index]
  return rule ? ruleBrief(rule, direction) : ''
}
