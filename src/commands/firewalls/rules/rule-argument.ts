/** Parses arguments that name a rule by label, match or number; a number may mean another rule by the time of the change. */

import type { ShownFirewall } from '../../../account/actions/rules'
import { notALabel } from '../../../account/find-target'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { FirewallRule } from '../../../catalogue/firewall-rules'
import type { Argument, Flags, Input } from '../../../engine/command'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { type Match, parseMatch } from '../../../firewall/rule-selector'
import { findRule, numbered, type RuleTarget } from '../../../firewall/rule-targets'
import type { Direction } from '../../../firewall/rules'
import { parseNumber } from './direction-arguments'

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

/** A named rule, with a text such as `inbound rule 2 (ACCEPT TCP 22 from 203.0.113.0/24) of firewall "web" (4001)`. */
interface FoundRule {
  rule: FirewallRule | undefined
  text: string
}

export function findShown(target: RuleTarget, direction: Direction, { firewall, shown }: ShownFirewall): FoundRule {
  const name = nameOf(firewallResource, firewall)
  const index = findRule(target, { name, direction, rules: shown })
  return {
    rule: shown[direction][index],
    text: `${direction} rule ${numbered(index, { direction, rules: shown })} of ${name}`,
  }
}

/** Reports whether a line names rules by numbers alone: only a question shows which rules they mean. */
export const hasNumbers = ({ arguments: [, ...words], flags }: Input) =>
  !flags['dry-run'] && flags['if-match'] === undefined && words.some((word) => /^\d+$/.test(word))

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
