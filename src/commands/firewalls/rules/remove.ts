import type { ShownFirewall } from '../../../account/actions/rules'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import { ifPresentFlag } from '../../../engine/change-flags'
import type { Command } from '../../../engine/command'
import type { RemoveEdit } from '../../../firewall/edit'
import { indexesToRemove, numbered } from '../../../firewall/rule-targets'
import type { Direction } from '../../../firewall/rules'
import { changeFlags, changeRules, ifMatchFlag, readShown } from './change'
import { parseDirection, sideArguments } from './direction-arguments'
import { hasNumbers, parseRuleTarget, refuseNumbers, ruleArgument, ruleHelp } from './rule-argument'

export const removeRules: Command = {
  name: 'remove',
  aliases: ['rm', 'delete'],
  asks: true,
  summary: 'Remove rules from a firewall',
  operations: [firewallRules.update],
  details: `${ruleHelp} Keeps changes that others make meanwhile, unless they change the rule itself.`,
  arguments: [...sideArguments, { ...ruleArgument, many: true }],
  flags: [ifPresentFlag, ifMatchFlag, ...changeFlags],
  needsQuestion: hasNumbers,
  examples: [
    { what: 'Remove a rule by its label', line: 'skyctl firewalls rules remove web inbound label:accept-ssh' },
    { what: 'Remove a rule by its content', line: 'skyctl firewalls rules remove web inbound match:tcp/80,443' },
    {
      what: 'In a script, by number: fail if the rules have changed',
      line: 'hash=$(skyctl firewalls rules list web --hash) && skyctl firewalls rules remove web inbound 2 --if-match "$hash" --yes',
    },
  ],
  async run({ arguments: [reference = '', side, ...words], flags }, session) {
    const direction = parseDirection(side)
    const targets = words.map(parseRuleTarget)
    refuseNumbers(targets, flags, session)
    const read = await readShown(reference, { flags, session })
    const edit = { kind: 'remove', direction, targets, ifPresent: flags['if-present'] === true } as const
    await changeRules(read, { edit, question: questionOf(edit, read) }, { flags, session })
  },
}

function questionOf(edit: RemoveEdit, { firewall, shown }: ShownFirewall): string {
  const { direction } = edit
  const name = nameOf(firewallResource, firewall)
  const indexes = indexesToRemove(edit, { id: firewall.id, name, shown, now: shown })
  const rules = [...indexes].map((index) => numbered(index, { rules: shown, direction }))
  const consequence = `Without ${rules.length > 1 ? 'them' : 'it'}, the next rule that matches decides, or the policy`
  // The difference above has a line for each.
  const names = rules.length > 3 ? `these ${rules.length} ${direction} rules` : listOf(rules, direction)
  return `${consequence}. Remove ${names} of ${name}`
}

const listOf = (rules: readonly string[], direction: Direction) =>
  `${direction} rule${rules.length === 1 ? '' : 's'} ${rules.join(', ')}`
