/** Reads rules from the command line: from a file, with policies from flags. */

import type { Flag, Flags } from '../../engine/command'
import type { FlagNames } from '../../engine/field-names'
import { textFlag } from '../../engine/flag-values'
import { directions } from '../../firewall/rules'
import type { Session } from '../../session'
import { noFile, type RulesInput, readRulesFile } from './rules-file'

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
  const file = source === undefined ? { ...noFile, value: {} } : await readRulesFile(source, flags, session)
  return { ...file, value: { ...file.value, ...policies } }
}

/** Reads policies from flags, in upper case as in the API. */
function policiesOf(flags: Flags): Record<string, string> {
  const given = directions.flatMap((direction) => {
    const action = textFlag(flags, `${direction}-policy`)
    return action === undefined ? [] : [[`${direction}_policy`, action.toUpperCase()]]
  })
  return Object.fromEntries(given)
}
