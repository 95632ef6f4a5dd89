/** Parses files with rules, written by a person or by `rules list`, with the lines of their parts. */
import type { Account } from '../../account/account'
import { listOfRulesAdvice } from '../../catalogue/check-file'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { nameOfSource, objectIn, parseData, readText } from '../../engine/body-file'
import type { Flags } from '../../engine/command'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { adviseOn } from '../../firewall/advice'
import { directions } from '../../firewall/rules'
import { type Tidied, tidyRules } from '../../firewall/tidy'

/** Rules as given, not validated yet. */
export interface RulesInput extends Tidied {
  /** Keys of a listing that are neither rules nor policies. */
  left: readonly string[]
  /** Returns ` (line 12)` for a field such as `inbound[3].ports`; an empty string if no file has it. */
  placeOf(field: string | null): string
}

/** For rules from the command line. */
export const noFile: Omit<RulesInput, 'value'> = { masked: [], left: [], placeOf: () => '' }

/** Reads a file, or stdin for `-`. Throws `usage` if it is not an object, and `local` if it is unreadable. */
export async function readRulesFile(source: string, flags: Flags, session: Session): Promise<RulesInput> {
  return parseRules(await readText(source, session), nameOfSource(source), { flags, session })
}

/**
 * Parses rules; errors call the text `name`. `from` and `to` become addresses: throws `usage` for an unknown network.
 */
export async function parseRules(
  text: string,
  name: string,
  context: { flags: Flags; session: Session },
): Promise<RulesInput> {
  const data = await parseData(text, name)
  if (Array.isArray(data)) throw listOfRules(name)
  const { value, left } = withoutForeign(objectIn(data, name))
  const { sourcePositions } = await import('../../data/yaml')
  const { placeOf, writtenAs } = await sourcePositions(text)
  const { withPeerAddresses } = await import('./network-names')
  return { ...tidyRules(await withPeerAddresses(value, placeOf, context), writtenAs), left, placeOf }
}

const listOfRules = (name: string) =>
  new Problem('usage', `${name} is a list, not the rules of a firewall`, {
    hint: `${listOfRulesAdvice}. To add them to others: skyctl firewalls rules add FIREWALL inbound --file FILE`,
  })

/**
 * Removes the other fields of a listing, which the service would not accept. If one of the four keys is missing,
 * another key may be a misspelling of it, and is left for validation.
 */
function withoutForeign(value: Record<string, unknown>): { value: Record<string, unknown>; left: string[] } {
  const keys = directions.flatMap((direction) => [direction, `${direction}_policy`])
  if (!keys.every((key) => Object.hasOwn(value, key))) return { value, left: [] }
  return {
    value: Object.fromEntries(keys.map((key) => [key, value[key]])),
    left: Object.keys(value).filter((key) => !keys.includes(key)),
  }
}

/** Reports reinterpreted values, and warns of valid but unlikely ones; of open ports, if they were not open `before`. */
export async function tellAbout(
  rules: FirewallRules,
  { masked, left, placeOf, before }: Omit<RulesInput, 'value'> & { before?: FirewallRules },
  account: Account,
) {
  if (left.length > 0) await account.reporter.status(`Neither rules nor policies, and left out: ${left.join(', ')}`)
  if (masked.length > 0) await account.reporter.status(`A plain address is a network of its own: ${masked.join(', ')}`)
  for (const { field, text } of adviseOn(rules, before)) await account.reporter.warn(`${text}${placeOf(field)}`)
}
