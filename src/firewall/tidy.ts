/** Rules as people and listings write them, in the form that the service takes. */
import { parseAddress } from '../rules/addresses'
import { isRecord } from '../rules/records'
import { actions, protocols } from './cases'
import { directions } from './rules'

export interface Tidied {
  value: Record<string, unknown>
  /** Plain addresses, as they are with the mask that they were given. */
  masked: readonly string[]
}

/**
 * Rules in the form that the service takes: actions, policies and protocols in upper case, without keys that are null,
 * with ports as text even where YAML has a number, if `portsOf` tells how it was written (080 is not 80), and with a
 * mask on every address.
 */
export function tidyRules(
  value: Record<string, unknown>,
  portsOf: (field: string) => string | undefined = () => undefined,
): Tidied {
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
  if (isRecord(tidy.addresses)) tidy.addresses = tidyAddresses(tidy.addresses, masked)
  return tidy
}

/** Files take these in lower case, too, as flags do; what is not known stays as it is. */
function upperCase(record: Record<string, unknown>, key: string, known: readonly string[]): void {
  const upper = String(record[key]).toUpperCase()
  if (known.includes(upper)) record[key] = upper
}

function tidyAddresses(addresses: Record<string, unknown>, masked: string[]): unknown {
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
