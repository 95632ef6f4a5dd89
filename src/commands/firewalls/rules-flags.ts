/** Rules from the command line: a file, and policies over it. */

import type { Flag, Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import type { TypedNames } from '../../engine/typed-names'
import { directions } from '../../firewall/rules'
import type { Session } from '../../session'
import { type GivenRules, noFile, readRulesFile } from './rules-file'

export const policyFlags: readonly Flag[] = directions.map((direction) => ({
  name: `${direction}-policy`,
  value: 'action',
  description: `What happens to ${direction} traffic that no rule matches: accept or drop`,
  values: ['accept', 'drop'],
}))

/** Policies as they are typed, by their paths below those of the rules. */
export const policyNames = (above = ''): TypedNames =>
  Object.fromEntries(directions.map((direction) => [`${above}${direction}_policy`, `--${direction}-policy`]))

/** The rules of a file, with the policies of flags over them; undefined where neither is given. */
export async function givenRules(
  source: string | undefined,
  flags: Flags,
  session: Session,
): Promise<GivenRules | undefined> {
  const policies = policiesOf(flags)
  if (source === undefined && Object.keys(policies).length === 0) return undefined
  const file = source === undefined ? { ...noFile, value: {} } : await readRulesFile(source, session)
  return { ...file, value: { ...file.value, ...policies } }
}

/** In the API's upper case. */
function policiesOf(flags: Flags): Record<string, string> {
  const given = directions.flatMap((direction) => {
    const action = textFlag(flags, `${direction}-policy`)
    return action === undefined ? [] : [[`${direction}_policy`, action.toUpperCase()]]
  })
  return Object.fromEntries(given)
}
