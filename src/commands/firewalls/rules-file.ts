/** Parses files with rules, written by a person or by `rules list`, with the lines of their parts. */
import { hcloudAdvice, listOfRulesAdvice } from '../../catalogue/check-file-value'
import { nameOfSource, objectIn, parseData, readText } from '../../engine/body-file'
import type { CommandInput, Flags } from '../../engine/command'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { type Tidied, tidyRules } from '../../firewall/normalize-rules'
import { directions } from '../../firewall/rules'
import type { RulesNotes } from './rules-notes'

/** Rules of a file, not validated yet. */
export interface RulesInput extends Tidied, RulesNotes {}

/** Reads a file, or stdin for `-`. Throws `usage` if it is not an object, and `local` if it is unreadable. */
export async function readRulesFile(source: string, flags: Flags, session: Session): Promise<RulesInput> {
  return parseRules(await readText(source, session), nameOfSource(source), { flags, session })
}

/**
 * Parses rules; errors call the text `name`. `from` and `to` become addresses: throws `usage` for an unknown network.
 */
export async function parseRules(text: string, name: string, context: CommandInput): Promise<RulesInput> {
  const data = await parseData(text, name)
  if (Array.isArray(data)) throw listOfRules(name, data)
  const object = objectIn(data, name)
  if (context.flags.validate !== false && !rulesKeys.some((key) => Object.hasOwn(object, key)))
    (await import('../../engine/expect-no-account-file')).expectNoAccountFile(object, name, rulesKeys)
  const { value, left } = withoutForeign(object)
  const { sourcePositions } = await import('../../data/yaml')
  const { placeOf } = await sourcePositions(text)
  const { withPeerAddresses } = await import('./network-names')
  return { ...tidyRules(await withPeerAddresses(value, placeOf, context)), left, placeOf }
}

const listOfRules = (name: string, list: readonly unknown[]) =>
  new Problem('usage', `${name} is a list, not the rules of a firewall`, {
    hint:
      hcloudAdvice(list) ??
      `${listOfRulesAdvice}. To add them to others: skyctl firewalls rules add FIREWALL inbound --file FILE`,
  })

const rulesKeys = directions.flatMap((direction) => [direction, `${direction}_policy`])

/**
 * Removes the other fields of a listing, which the service would not accept. If one of the four keys is missing,
 * another key may be a misspelling of it, and is left for validation.
 */
function withoutForeign(value: Record<string, unknown>): { value: Record<string, unknown>; left: string[] } {
  if (!rulesKeys.every((key) => Object.hasOwn(value, key))) return { value, left: [] }
  return {
    value: Object.fromEntries(rulesKeys.map((key) => [key, value[key]])),
    left: Object.keys(value).filter((key) => !rulesKeys.includes(key)),
  }
}
