/** Expands `use` and the names of networks in the rules of a firewall in an account file (state.md, For teams). */
import { type Direction, directions } from '../firewall/rules'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Definitions } from './definitions'
import type { NamedAddresses, RuleNetworks } from './network-changes'
import type { Fault, Place, PlacedValue } from './places'
import { expandRule, networksOf, peerKeys, peerKeysIn } from './rule-networks'

interface GroupUse {
  at: Place
  name: string
}

/** A rule after expansion; its place is where it was written. */
interface ExpandedRule extends PlacedValue {
  networks: readonly NamedAddresses[]
}

/** An entry with the contents of the names in its rules. */
export interface ExpandedEntry extends PlacedValue {
  faults: readonly Fault[]
  rules: Readonly<Partial<Record<Direction, readonly ExpandedRule[]>>>
  uses: readonly GroupUse[]
}

export const unexpanded = (entry: PlacedValue): ExpandedEntry => ({ ...entry, faults: [], rules: {}, uses: [] })

interface Expansion {
  definitions: Definitions
  faults: Fault[]
  uses: GroupUse[]
}

/** Expands the rules of an entry; everything else stays as it is. */
export function expandRules({ value, at }: PlacedValue, definitions: Definitions): ExpandedEntry {
  const expansion: Expansion = { definitions, faults: [], uses: [] }
  if (!isRecord(value) || !isRecord(value.rules)) return unexpanded({ value, at })
  const written = value.rules
  if (!directions.some((direction) => hasNames(written[direction]))) return unexpanded({ value, at })
  const sides = directions.flatMap((direction) => {
    const list = written[direction]
    if (!Array.isArray(list)) return []
    const place = at.at('rules', direction)
    const items = list.map((rule: unknown, index) => ({ value: rule, at: place.at(index) }))
    const rules = items.flatMap((item) => expanded(item, direction, expansion))
    const isAsWritten = rules.length === items.length && rules.every(({ at }, index) => at === items[index]?.at)
    return [{ direction, rules, at: isAsWritten ? place : place.with(rules.map((rule, index) => [index, rule.at])) }]
  })
  const places = sides.map(({ direction, at }) => [direction, at] as const)
  const lists = sides.map(({ direction, rules }) => [direction, rules.map((rule) => rule.value)])
  return {
    ...expansion,
    value: { ...value, rules: { ...written, ...Object.fromEntries(lists) } },
    at: at.with([['rules', at.at('rules').with(places)]]),
    rules: Object.fromEntries(sides.map(({ direction, rules }) => [direction, rules])),
  }
}

/** Reports whether a list of rules has one to expand: most rules of a large account have their addresses. */
const hasNames = (list: unknown): boolean =>
  Array.isArray(list) && list.some((rule) => isRecord(rule) && (rule.use !== undefined || peerKeysIn(rule).length > 0))

function expanded(item: PlacedValue, direction: Direction, expansion: Expansion): ExpandedRule[] {
  const { value: rule, at } = item
  if (!isRecord(rule)) return [{ ...item, networks: [] }]
  if (rule.use !== undefined) return rulesOfGroup(rule, at.at('use'), { direction, expansion })
  const { networks } = expansion.definitions
  const result = expandRule(rule, { networks, direction, at })
  expansion.faults.push(...result.faults.map(({ field, reason }) => ({ at: at.of(field), reason })))
  // Its addresses are where their names are.
  const [key] = peerKeysIn(rule)
  const place = key === undefined ? at : at.with([['addresses', at.at(key).whole()]])
  return [{ value: result.rule, at: place, networks: networksOf(rule, networks) }]
}

/** Returns the rules of a group, whose place is that of its use. A wrong group has none: its definition has the faults. */
function rulesOfGroup(
  { use, ...others }: Record<string, unknown>,
  at: Place,
  { direction, expansion }: { direction: Direction; expansion: Expansion },
): ExpandedRule[] {
  const { groups, networks } = expansion.definitions
  const fail = (reason: string): [] => {
    expansion.faults.push({ at, reason })
    return []
  }
  const [other] = Object.keys(others)
  if (other !== undefined) return fail(`the group sets the whole rule. Remove "${other}"`)
  if (typeof use !== 'string') return fail('Must be the name of a group of rules')
  const group = groups.get(use)
  if (!group) return fail(unknownGroup(use, [...groups.keys()]))
  if (group.isWrong) {
    group.usedIn.push(at)
    return []
  }
  expansion.uses.push({ at, name: use })
  const stranger = group.value.find(({ written }) => peerKeysIn(written).some((key) => key !== peerKeys[direction]))
  if (stranger) {
    const [key = ''] = peerKeysIn(stranger.written)
    return fail(`"${use}" is not for ${direction} rules: ${stranger.at.at(key)} has "${key}"`)
  }
  const place = at.whole()
  return group.value.map(({ rule, written }) => ({ value: rule, at: place, networks: networksOf(written, networks) }))
}

function unknownGroup(use: string, names: readonly string[]): string {
  const available = names.length === 0 ? 'The files define no groups' : `The groups are: ${names.join(', ')}`
  return `no group of rules has the name "${use}". ${didYouMean(use, names) ?? available}`
}

/** Returns the networks that rules name, by the rules of the normalized entry. */
export function ruleNetworks({ rules }: ExpandedEntry, value: unknown): RuleNetworks {
  const normalized = isRecord(value) && isRecord(value.rules) ? value.rules : {}
  return new Map(
    directions.flatMap((direction) => {
      const list: unknown = normalized[direction]
      return (rules[direction] ?? []).flatMap(({ networks }, index) => {
        const rule: unknown = Array.isArray(list) ? list[index] : undefined
        return isRecord(rule) && networks.length > 0 ? [[rule, networks] as const] : []
      })
    }),
  )
}

/** Returns which groups the rules come from, to append to a fault of all rules; empty if none does. */
export function groupsNote({ uses }: ExpandedEntry, { groups }: Definitions): string {
  const texts = uses.flatMap(({ at, name }) => {
    const group = groups.get(name)
    return group ? [`${at} uses ${group.value.length} of "${name}" (${group.at})`] : []
  })
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`
}
