/** Rules as a person or `rules list` wrote them into a file: what they mean, and on which line each part stands. */

import { nameOfSource, parseObject, readText } from '../../engine/body-file'
import { directions } from '../../firewall/rules'
import { parseAddress } from '../../rules/addresses'
import { isRecord } from '../../rules/records'
import type { Session } from '../../session'
import { actions, protocols } from './test-cases'

/** A set of rules that was given, of any shape until it is checked. */
export interface GivenRules {
  value: Record<string, unknown>
  /** Plain addresses, as they are with the mask that they were given. */
  masked: readonly string[]
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

/**
 * Rules in the form that the service takes: actions, policies and protocols in upper case, without keys that are null,
 * with ports as text even where YAML has a number, if `portsOf` tells how it was written (080 is not 80), and with a
 * mask on every address.
 */
export function tidyRules(
  value: Record<string, unknown>,
  portsOf: (field: string) => string | undefined = () => undefined,
): Pick<GivenRules, 'value' | 'masked'> {
  const masked: string[] = []
  const result = { ...value }
  for (const direction of directions) {
    upperCase(result, `${direction}_policy`, actions)
    const side = value[direction]
    // As listings of such a firewall have it (gaps.md, Null lists in answers).
    if (side === null) result[direction] = []
    if (!Array.isArray(side)) continue
    result[direction] = side.map((rule: unknown, index) =>
      isRecord(rule) ? tidyRule(rule, masked, () => portsOf(`${direction}[${index}].ports`)) : rule,
    )
  }
  return { value: result, masked }
}

/** One rule in that form; the networks that were given without a mask are added to `masked`. */
export function tidyRule(
  rule: Record<string, unknown>,
  masked: string[],
  portsText: () => string | undefined = () => undefined,
): Record<string, unknown> {
  const tidy = withoutNulls(rule)
  upperCase(tidy, 'action', actions)
  upperCase(tidy, 'protocol', protocols)
  if (typeof tidy.ports === 'number') tidy.ports = portsText() ?? tidy.ports
  if (tidy.addresses !== undefined) tidy.addresses = tidyAddresses(tidy.addresses, masked)
  return tidy
}

/** Files take these in lower case, too, as flags do; what is not known stays as it is. */
function upperCase(record: Record<string, unknown>, key: string, known: readonly string[]): void {
  const upper = String(record[key]).toUpperCase()
  if (known.includes(upper)) record[key] = upper
}

function tidyAddresses(addresses: unknown, masked: string[]): unknown {
  if (!isRecord(addresses)) return addresses
  const lists = Object.entries(withoutNulls(addresses)).map(([family, list]) => [
    family,
    Array.isArray(list) ? list.map((entry: unknown) => withMask(entry, masked)) : list,
  ])
  return Object.fromEntries(lists)
}

function withMask(entry: unknown, masked: string[]): unknown {
  const address = typeof entry === 'string' ? parseAddress(entry) : undefined
  if (!address) return entry
  const network = `${entry}/${address.prefix}`
  masked.push(network)
  return network
}

function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}
