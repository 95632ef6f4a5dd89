/** Rules as a person or `rules list` wrote them into a file: what they mean, and on which line each part stands. */

import { nameOfSource, parseObject, readText } from '../../engine/body-file'
import { directions } from '../../firewall/rules'
import { type Tidied, tidyRules } from '../../firewall/tidy'
import type { Session } from '../../session'

/** A set of rules that was given, of any shape until it is checked. */
export interface GivenRules extends Tidied {
  /** Keys of a listing that are neither rules nor policies. */
  left: readonly string[]
  /** ` (line 12)` for a field such as `inbound[3].ports`; nothing where no file has it. */
  placeOf(field: string | null): string
}

/** For rules that were typed, not read. */
export const noFile: Omit<GivenRules, 'value'> = { masked: [], left: [], placeOf: () => '' }

/** Reads a file, or stdin where `-` names it. Throws `usage` where that holds no object, `local` where it is unreadable. */
export async function readRulesFile(source: string, session: Session): Promise<GivenRules> {
  return parseRules(await readText(source, session), nameOfSource(source))
}

/** The same from a text, which is called `name` where it holds no rules. */
export async function parseRules(text: string, name: string): Promise<GivenRules> {
  const { value, left } = withoutForeign(await parseObject(text, name))
  const { placesIn } = await import('../../data/places')
  const { lineOf, writtenAs } = await placesIn(text)
  return {
    ...tidyRules(value, writtenAs),
    left,
    placeOf(field) {
      const line = field === null ? undefined : lineOf(field)
      return line === undefined ? '' : ` (line ${line})`
    },
  }
}

/**
 * A listing without what the service says besides rules and policies, which it would not take back. Where one of the
 * four keys is missing, another one may be it, mistyped: that is left to the check.
 */
function withoutForeign(value: Record<string, unknown>): { value: Record<string, unknown>; left: string[] } {
  const known = directions.flatMap((direction) => [direction, `${direction}_policy`])
  if (!known.every((key) => Object.hasOwn(value, key))) return { value, left: [] }
  return {
    value: Object.fromEntries(known.map((key) => [key, value[key]])),
    left: Object.keys(value).filter((key) => !known.includes(key)),
  }
}
