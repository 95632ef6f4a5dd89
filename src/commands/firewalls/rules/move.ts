import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { Problem } from '../../../errors'
import { noFile } from '../rules-file'
import { changeFlags, changeRules, readStanding } from './change'
import { expectPlace, expectRule, numberFlag, parseDirection, parseNumber, sideArguments } from './rule-arguments'

export const moveRule: Command = {
  name: 'move',
  aliases: ['mv'],
  summary: 'Move a rule of a firewall to another place',
  operations: [firewallRules.update],
  details: 'The first rule that matches decides, so its place matters.',
  arguments: [...sideArguments, { name: 'number', description: 'Number of the rule, as lists show it' }],
  flags: [{ name: 'at', value: 'n', description: 'The place, counted from 1', required: true }, ...changeFlags],
  examples: [{ what: 'Make the third rule the first', line: 'skyctl firewalls rules move web inbound 3 --at 1' }],
  async run({ arguments: [typed = '', side, word], flags }, session) {
    const direction = parseDirection(side)
    const number = parseNumber(word)
    const at = numberFlag(flags)
    if (at === undefined) throw new Problem('usage', '--at is required', { hint: 'It is the place to move to' })
    await changeRules(
      await readStanding(typed, session),
      {
        propose(standing) {
          const rules = [...standing[direction]]
          expectRule(number, rules, direction)
          expectPlace(at, rules.length)
          rules.splice(at - 1, 0, ...rules.splice(number - 1, 1))
          return { ...noFile, value: { [direction]: rules } }
        },
      },
      { flags, session },
    )
  },
}
