import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { Problem } from '../../../errors'
import { changeFlags, changeRules, ifMatchFlag, readShown } from './change'
import { numberFlag, parseDirection, sideArguments } from './direction-arguments'
import {
  findShown,
  hasNumbers,
  isNumber,
  parseRuleTarget,
  refuseNumbers,
  ruleArgument,
  ruleHelp,
} from './rule-argument'

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
  needsQuestion: hasNumbers,
  examples: [
    { what: 'Make a rule the first', line: 'skyctl firewalls rules move web inbound label:accept-ping --at 1' },
  ],
  async run({ arguments: [reference = '', direct, word = ''], flags }, session) {
    const direction = parseDirection(direct)
    const target = parseRuleTarget(word)
    const at = numberFlag(flags)
    if (at === undefined) throw new Problem('usage', '--at is required', { lacks: ['--at'] })
    refuseNumbers([target], flags, session)
    const read = await readShown(reference, { flags, session })
    const { text } = findShown(target, direction, read)
    const isUnsure = isNumber(target) && flags['if-match'] === undefined
    await changeRules(
      read,
      {
        edit: { kind: 'move', direction, target, at },
        ...(isUnsure && {
          question: `The first rule that matches decides. Move ${text} to position ${at}`,
        }),
      },
      { flags, session },
    )
  },
}
