import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, Flag, Flags } from '../../../engine/command'
import { textFlag } from '../../../engine/flag-values'
import { Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { areRules } from '../../../firewall/rules'
import type { Session } from '../../../session'
import { rulesForm } from '../file-forms'
import { lockoutHelp } from '../lockout-flags'
import { checkUnread } from '../rules-check'
import type { GivenRules } from '../rules-file'
import { givenRules, policyFlags, policyNames } from '../rules-flags'
import { changeFlags, changeRules, ifMatchFlag, readStanding } from './change'
import { keepingHelp } from './keeping-flags'
import { firewallArgument } from './rule-arguments'

export const fileFlags: readonly Flag[] = [
  {
    name: 'file',
    aliases: ['body'],
    value: 'file',
    description: 'Take the rules from a JSON or YAML file, - is stdin',
    values: 'files',
  },
  ...policyFlags,
]

/** The rules that are wanted, checked as far as they are known before anything is read. */
export async function wantedRules(flags: Flags, session: Session): Promise<GivenRules> {
  const given = await givenRules(textFlag(flags, 'file'), flags, session)
  if (!given) throw new Problem('usage', 'no rules are given', { hint: 'Add --file FILE, or - for stdin' })
  if (flags.validate !== false)
    checkUnread(firewallRules.update.body, given, { flags, names: policyNames(), files: ['file'] })
  return given
}

/** Whether what is wanted is what stands. */
function stands({ value }: GivenRules, rules: FirewallRules): boolean {
  const wanted = { ...rules, ...value }
  return areRules(wanted) && diffRules(rules, wanted).length === 0
}

export const updateRules: Command = {
  name: 'update',
  aliases: ['set'],
  summary: firewallRules.update.summary,
  operations: [firewallRules.update],
  details:
    'Shows the difference and asks before it sends. A list or policy that is not given stays as it is. What stood ' +
    `before is kept; undo puts it back. ${lockoutHelp}\n\n${keepingHelp}`,
  form: rulesForm('The file of --file'),
  arguments: firewallArgument,
  flags: [...fileFlags, ifMatchFlag, ...changeFlags],
  examples: [
    { what: 'Show the difference only', line: 'skyctl firewalls rules update web --file rules.yaml --dry-run' },
    {
      what: 'From a pipeline, without a question',
      line: 'cat rules.json | skyctl firewalls rules update web --file - --yes',
    },
    {
      what: 'Keep it only if you can still come in',
      line: "skyctl firewalls rules update web --file rules.yaml --yes --keep-if 'ssh -o ConnectTimeout=5 admin@203.0.113.10 true'",
    },
    { what: 'Change a policy and no rule', line: 'skyctl firewalls rules update web --outbound-policy drop' },
  ],
  async run({ arguments: [typed = ''], flags }, session) {
    const given = await wantedRules(flags, session)
    const consequence = (name: string) => `Replace the rules of ${name}`
    await changeRules(
      await readStanding(typed, { flags, session }, (rules) => stands(given, rules)),
      { consequence, propose: () => given },
      { flags, session },
    )
  },
}
