import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { Problem } from '../../../errors'
import { noFile } from '../rules-file'
import { changeFlags, changeRules, ifMatchFlag, readCurrentRules } from './change'
import { expectPlace, numberFlag, parseDirection, sideArguments } from './rule-arguments'
import { findRule, isNumber, numbered, parseRuleTarget, refuseNumbers, ruleArgument, ruleHelp } from './rule-targets'

export const moveRule: Command = {
  name: 'move',
  aliases: ['mv'],
  asks: true,
  summary: 'Move a firewall rule to another position',
  operations: [firewallRules.update],
  details: `The first rule that matches decides, so the order matters. ${ruleHelp}`,
  arguments: [...sideArguments, ruleArgument],
  flags: [
    { name: 'at', value: 'n', description: 'New position, counted from 1', required: true },
    ifMatchFlag,
    ...changeFlags,
  ],
  examples: [
    { what: 'Make a rule the first', line: 'skyctl firewalls rules move web inbound label:accept-ping --at 1' },
  ],
  async run({ arguments: [reference = '', direct, word = ''], flags }, session) {
    const direction = parseDirection(direct)
    const target = parseRuleTarget(word)
    const at = numberFlag(flags)
    if (at === undefined) throw new Problem('usage', '--at is required', { hint: 'Pass the new position' })
    refuseNumbers([target], flags, session)
    const sideOf = (rules: FirewallRules, name: string) => ({ rules, direction, name })
    await changeRules(
      await readCurrentRules(reference, { flags, session }),
      {
        ...(isNumber(target) &&
          flags['if-match'] === undefined && {
            consequence(name, shown) {
              const side = sideOf(shown, name)
              return `The first rule that matches decides. Move ${direction} rule ${numbered(findRule(target, side), side)} of ${name} to position ${at}`
            },
          }),
        propose(current, _shown, name) {
          const rules = [...current[direction]]
          const index = findRule(target, sideOf(current, name))
          expectPlace(at, rules.length)
          rules.splice(at - 1, 0, ...rules.splice(index, 1))
          return { ...noFile, value: { [direction]: rules } }
        },
      },
      { flags, session },
    )
  },
}
