import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { ifPresentFlag } from '../../../engine/flags'
import { noFile } from '../rules-file'
import { changeFlags, changeRules, readStanding } from './change'
import { expectRule, parseDirection, parseNumber, sideArguments } from './rule-arguments'

export const removeRules: Command = {
  name: 'remove',
  aliases: ['rm', 'delete'],
  summary: 'Remove rules from a firewall',
  operations: [firewallRules.update],
  arguments: [...sideArguments, { name: 'number', description: 'Number of the rule, as lists show it', many: true }],
  flags: [ifPresentFlag, ...changeFlags],
  examples: [{ what: 'Remove two rules at once', line: 'skyctl firewalls rules remove web inbound 2 3' }],
  async run({ arguments: [typed = '', side, ...words], flags }, session) {
    const direction = parseDirection(side)
    const numbers = new Set(words.map(parseNumber))
    const which = `${direction} rule${numbers.size === 1 ? '' : 's'} ${[...numbers].join(', ')}`
    await changeRules(
      await readStanding(typed, session),
      {
        consequence: (name) => `Remove ${which} of ${name}`,
        propose(standing) {
          const rules = standing[direction]
          if (!flags['if-present']) for (const number of numbers) expectRule(number, rules, direction)
          return { ...noFile, value: { [direction]: rules.filter((_, index) => !numbers.has(index + 1)) } }
        },
      },
      { flags, session },
    )
  },
}
