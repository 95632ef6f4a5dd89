/**
 * Builds the desired state of an object from its entries in files: combined, with `use` and names of networks in rules
 * expanded, and validated (state.md, For teams).
 */
import { checkFileValue } from '../catalogue/check-file-value'
import { type Direction, directions } from '../firewall/rules'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { NamedAddresses, RuleNetworks } from './changes-by-network'
import type { Definitions } from './definitions'
import type { KindShape } from './kind'
import { combined, type Layers } from './overlays'
import type { Fault, Place, PlacedValue } from './places'
import { expandRule, networksOf, peerKeys, peerKeysIn } from './rule-networks'
import { withLists } from './single-values'
import { type ServiceLabel, takeLabels } from './take-service-labels'

export interface DesiredObject {
  name: string
  value: unknown
  /** Place of the object; that of a field is in the file that sets it. */
  at: Place
  /** Services that the file names by label; their ids are not in the value yet. */
  labels?: readonly ServiceLabel[]
  /** Networks that its rules name; the value has their addresses. */
  networks?: RuleNetworks
}

/** An object that files name, with all of its entries. */
export interface DeclaredObject {
  kind: KindShape
  name: string
  layers: Layers
  /** True if one of its entries cannot be read. */
  isBroken: boolean
}

/** Returns the fields of a kind that files can hold: they are replaced as a whole. */
export const wholeFields = ({ included }: KindShape) => (included ? [included.fills] : [])

export function desiredObject(
  { kind, name, layers }: DeclaredObject,
  definitions: Definitions,
): { object: DesiredObject; faults: readonly Fault[] } {
  const { value: entry, at: place } = combined(layers, wholeFields(kind))
  if (!isRecord(entry)) {
    const faults = checkFileValue(kind.entry, entry).map(({ field, reason }) => ({ at: place.of(field), reason }))
    return { object: { name, value: entry, at: place }, faults }
  }
  const whole = { value: withLists(kind.entry, entry), at: place }
  const expanded = expandRules(whole, definitions)
  const { value, labels, faults } = takeLabels(tidied(expanded, kind), kind)
  const { at } = expanded
  // The value is checked as it will be sent, so a fault names a field of the expanded entry; its place is where the
  // file has it.
  const wrong = [...faults, ...checkFileValue(kind.entry, value, fileFields(kind))].map(({ field, reason }) => {
    const note = field === 'rules' ? groupsNote(expanded, definitions) : ''
    return { at: at.of(field), reason: reason.replace(`${field} is`, 'is') + note }
  })
  const networks = ruleNetworks(expanded, value)
  return {
    object: { name, value, at, networks, ...(labels.length > 0 && { labels }) },
    faults: [...expanded.faults, ...wrong],
  }
}

const fileFields = ({ included }: KindShape) => (included ? [included.field] : [])

function tidied({ value }: ExpandedEntry, { tidy }: KindShape): Record<string, unknown> {
  const entry = isRecord(value) ? value : {}
  return tidy?.(entry) ?? entry
}

interface GroupUse {
  at: Place
  name: string
}

/** A rule after expansion; its place is where it was written. */
interface ExpandedRule extends PlacedValue {
  networks: readonly NamedAddresses[]
}

/** An entry with the contents of the names in its rules. */
interface ExpandedEntry extends PlacedValue {
  faults: readonly Fault[]
  rules: Readonly<Partial<Record<Direction, readonly ExpandedRule[]>>>
  uses: readonly GroupUse[]
}

interface Expansion {
  definitions: Definitions
  faults: Fault[]
  uses: GroupUse[]
}

/** Expands the rules of an entry; everything else stays as it is. */
function expandRules({ value, at }: PlacedValue, definitions: Definitions): ExpandedEntry {
  const expansion: Expansion = { definitions, faults: [], uses: [] }
  const written = isRecord(value) && isRecord(value.rules) ? value.rules : {}
  if (!isRecord(value) || !directions.some((direction) => hasNames(written[direction])))
    return { ...expansion, value, at, rules: {} }
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
function ruleNetworks({ rules }: ExpandedEntry, value: unknown): RuleNetworks {
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
function groupsNote({ uses }: ExpandedEntry, { groups }: Definitions): string {
  const texts = uses.flatMap(({ at, name }) => {
    const group = groups.get(name)
    return group ? [`${at} uses ${group.value.length} of "${name}" (${group.at})`] : []
  })
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`
}
