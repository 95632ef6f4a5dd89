/** Reads rules from the command line: from a file, with policies from flags. */

import { firewallRules } from '../../catalogue/firewall-rules'
import { nameOfSource } from '../../engine/body-file'
import type { Flag, Flags } from '../../engine/command'
import { type FlagNames, namingOf } from '../../engine/field-names'
import { textFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { checkUnread } from '../../firewall/check-rules'
import { directions, isOneRule } from '../../firewall/rules'
import { shellWord } from '../../rules/texts'
import { type RulesInput, readRulesFile } from './rules-file'
import { noNotes } from './rules-notes'

export const policyFlags: readonly Flag[] = directions.map((direction) => ({
  name: `${direction}-policy`,
  value: 'action',
  description: `If no ${direction} rule matches: accept or drop`,
  values: ['accept', 'drop'],
}))

/** Returns the flags of policies, by field path. */
export const policyNames = (above = ''): FlagNames =>
  Object.fromEntries(directions.map((direction) => [`${above}${direction}_policy`, `--${direction}-policy`]))

/** Reads the rules of a file; policies from flags win. Undefined without both. */
export async function rulesInput(
  source: string | undefined,
  flags: Flags,
  session: Session,
): Promise<RulesInput | undefined> {
  const policies = policiesOf(flags)
  if (source === undefined && Object.keys(policies).length === 0) return undefined
  const file = source === undefined ? { ...noNotes, value: {} } : await readRulesFile(source, flags, session)
  return { ...file, value: { ...file.value, ...policies } }
}

/** Reads policies from flags, in upper case as in the API. */
function policiesOf(flags: Flags): Record<string, string> {
  const policies = directions.flatMap((direction) => {
    const action = textFlag(flags, `${direction}-policy`)
    return action === undefined ? [] : [[`${direction}_policy`, action.toUpperCase()]]
  })
  return Object.fromEntries(policies)
}

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
export async function readNewRules(firewall: string, flags: Flags, session: Session): Promise<RulesInput> {
  const source = textFlag(flags, 'file')
  const input = await rulesInput(source, flags, session)
  if (source !== undefined && input && isOneRule(input.value)) {
    throw new Problem('usage', `${nameOfSource(source)} has one rule, not the rules of a firewall`, {
      hint: `Add it: skyctl firewalls rules add ${shellWord(firewall)} inbound --file ${shellWord(source)}`,
    })
  }
  if (!input) throw new Problem('usage', 'no rules to send', { hint: 'Add --file FILE, or - for stdin' })
  return checked(input, flags)
}

function checked(input: RulesInput, flags: Flags): RulesInput {
  if (flags.validate !== false)
    checkUnread(firewallRules.update.body, input, namingOf({ flags, names: policyNames(), files: ['file'] }))
  return input
}
