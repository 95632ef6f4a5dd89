import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { ifPresentFlag } from '../../../engine/flags'
import { isGone } from '../../../errors'
import type { Direction } from '../../../firewall/rules'
import { noFile } from '../rules-file'
import { changeFlags, changeRules, ifMatchFlag, readCurrentRules } from './change'
import { parseDirection, sideArguments } from './rule-arguments'
import {
  findAgain,
  isNumber,
  numbered,
  parseRuleTarget,
  type RuleList,
  type RuleTarget,
  refuseNumbers,
  ruleArgument,
  ruleHelp,
} from './rule-targets'

export const removeRules: Command = {
  name: 'remove',
  aliases: ['rm', 'delete'],
  asks: true,
  summary: 'Remove rules from a firewall',
  operations: [firewallRules.update],
  details: `${ruleHelp} Keeps changes that others make meanwhile, unless they change the rule itself.`,
  arguments: [...sideArguments, { ...ruleArgument, many: true }],
  flags: [ifPresentFlag, ifMatchFlag, ...changeFlags],
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
    const current = await readCurrentRules(reference, { flags, session })
    const indexesOf = (now: FirewallRules, shown: FirewallRules, name: string) =>
      targets.flatMap((target) => foundOf(target, { now, shown, name, direction }, flags['if-present'] === true))
    await changeRules(
      current,
      {
        commutes: !targets.some(isNumber),
        consequence(name, shown) {
          const indexes = [...new Set(indexesOf(shown, shown, name))]
          const which = indexes.map((index) => numbered(index, { rules: shown, direction, name }))
          const several = which.length > 1
          // The difference above has a line for each.
          const names = which.length > 3 ? `these ${which.length} ${direction} rules` : listOf(which, direction)
          const consequence = `The remaining rules and the policy will decide about ${several ? 'their' : 'its'} traffic`
          return `${consequence}. Remove ${names} of ${name}`
        },
        propose(now, shown, name) {
          const removed = new Set(indexesOf(now, shown, name))
          return { ...noFile, value: { [direction]: now[direction].filter((_, index) => !removed.has(index)) } }
        },
      },
      { flags, session },
    )
  },
}

const listOf = (rules: readonly string[], direction: Direction) =>
  `${direction} rule${rules.length === 1 ? '' : 's'} ${rules.join(', ')}`

interface Sides extends Omit<RuleList, 'rules'> {
  now: FirewallRules
  shown: FirewallRules
}

/** Returns the rule's index; none if --if-present is set and it is gone. */
function foundOf(target: RuleTarget, { now, shown, ...side }: Sides, ifPresent: boolean): number[] {
  try {
    return [findAgain(target, { ...side, rules: shown }, { ...side, rules: now })]
  } catch (error) {
    if (ifPresent && isGone(error)) return []
    throw error
  }
}
