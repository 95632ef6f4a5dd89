import { firewallRules } from '../../../catalogue/firewall-rules'
import { nameOfSource } from '../../../engine/body-file'
import type { Command, Flag, Flags } from '../../../engine/command'
import { namingOf } from '../../../engine/field-names'
import { textFlag } from '../../../engine/flag-values'
import { Problem } from '../../../errors'
import { checkUnread, expectRoom } from '../../../firewall/check-rules'
import { isOneRule } from '../../../firewall/rules'
import { shellWord } from '../../../rules/texts'
import type { Session } from '../../../session'
import { rulesForm } from '../file-examples'
import type { RulesInput } from '../rules-file'
import { policyFlags, policyNames, rulesInput } from '../rules-flags'
import { changeFlags, changeRules, ifMatchFlag, readCurrentRules } from './change'
import { firewallArgument } from './rule-arguments'

export const fileFlags: readonly Flag[] = [
  {
    name: 'file',
    aliases: ['body'],
    value: 'file',
    description: 'JSON or YAML file of the rules, - is stdin',
    values: 'files',
  },
  ...policyFlags,
]

/** Reads the new rules, and validates them as far as possible without the current ones. */
export async function wantedRules(firewall: string, flags: Flags, session: Session): Promise<RulesInput> {
  const source = textFlag(flags, 'file')
  const given = await rulesInput(source, flags, session)
  if (source !== undefined && given && isOneRule(given.value)) {
    throw new Problem('usage', `${nameOfSource(source)} has one rule, not the rules of a firewall`, {
      hint: `Add it: skyctl firewalls rules add ${shellWord(firewall)} inbound --file ${shellWord(source)}`,
    })
  }
  if (!given) throw new Problem('usage', 'no rules to send', { hint: 'Add --file FILE, or - for stdin' })
  return checked(given, flags)
}

function checked(given: RulesInput, flags: Flags): RulesInput {
  if (flags.validate !== false)
    checkUnread(firewallRules.update.body, given, namingOf({ flags, names: policyNames(), files: ['file'] }))
  return given
}

export const updateRules: Command = {
  name: 'update',
  aliases: ['set', 'replace'],
  asks: true,
  summary: firewallRules.update.summary,
  operations: [firewallRules.update],
  details:
    'Shows the difference and asks before it sends. Omitted lists and policies stay unchanged. skyctl saves the previous ' +
    'rules, and undo restores them.',
  form: rulesForm('The file of --file'),
  arguments: firewallArgument,
  flags: [...fileFlags, ifMatchFlag, ...changeFlags],
  examples: [
    { what: 'Only show the difference', line: 'skyctl firewalls rules update web --file rules.yaml --dry-run' },
    {
      what: 'From a pipeline, without a question',
      line: 'cat rules.json | skyctl firewalls rules update web --file - --yes',
    },
    {
      what: 'Keep the rules only if you can still connect',
      line: "skyctl firewalls rules update web --file rules.yaml --yes --keep-if 'ssh -o ConnectTimeout=5 admin@203.0.113.10 true'",
    },
    { what: 'Change only a policy', line: 'skyctl firewalls rules update web --outbound-policy drop' },
  ],
  async run({ arguments: [typed = ''], flags }, session) {
    const given = await wantedRules(typed, flags, session)
    const consequence = (name: string) => `The changes above will apply at once. Replace the rules of ${name}`
    await changeRules(
      await readCurrentRules(typed, { flags, session }),
      {
        consequence,
        propose(now, _shown, name) {
          if (flags.validate !== false) expectRoom(given, now, name)
          return given
        },
      },
      { flags, session },
    )
  },
}
