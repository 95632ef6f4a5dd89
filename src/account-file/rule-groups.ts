/** Expands `use` and the names of networks in the rules of a firewall in an account file (state.md, For teams). */
import type { FieldError } from '../errors'
import { type Direction, directions } from '../firewall/rules'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Definitions } from './definitions'
import type { NamedAddresses, RuleNetworks } from './network-changes'
import { expandRule, networksOf, peerKeys, peerKeysIn } from './rule-networks'

export interface ExpandedEntry {
  value: Record<string, unknown>
  /** Faults, with fields as they were written. */
  faults: readonly FieldError[]
  /** Returns a field as it was written: a rule of a group is the `use` of that group. */
  fieldOf(field: string): string
  /** Returns the networks that the rules of the normalized entry name. */
  networksIn(value: Record<string, unknown>): RuleNetworks
  /** Returns what explains a fault of a field, to append to its reason. */
  noteOn(field: string): string
}

export interface ExpansionContext {
  definitions: Definitions
  /** Returns the position of a field as it was written. */
  placeOf(field: string): string
}

/** A rule after expansion. */
interface Item {
  rule: unknown
  /** Field that it was written in: `rules.inbound[1]`. */
  field: string
  /** Key that was expanded to addresses, or that named its group. */
  key?: 'from' | 'to' | 'use'
  /** The rule as it was written, with names. */
  written?: Readonly<Record<string, unknown>>
}

interface Expanded {
  items: readonly Item[]
  faults: readonly FieldError[]
}

export const unexpanded = (value: Record<string, unknown>): ExpandedEntry => ({ value, ...nothing })

/** One for all entries: large accounts have 40,000 of them. */
const nothing: Omit<ExpandedEntry, 'value'> = {
  faults: [],
  fieldOf: (field) => field,
  noteOn: () => '',
  networksIn: () => none,
}
const none: RuleNetworks = new Map()

/** Expands the rules of an entry; everything else stays as it is. */
export function expandRules(entry: Record<string, unknown>, context: ExpansionContext): ExpandedEntry {
  const { rules } = entry
  if (!isRecord(rules)) return unexpanded(entry)
  const sides = new Map<string, Expanded>()
  for (const direction of directions) {
    const list = rules[direction]
    if (Array.isArray(list)) sides.set(direction, expandSide(list, direction, context))
  }
  const lists = [...sides].map(([direction, { items }]) => [direction, items.map(({ rule }) => rule)])
  const items = (direction: string) => sides.get(direction)?.items ?? []
  return {
    value: { ...entry, rules: { ...rules, ...Object.fromEntries(lists) } },
    faults: [...sides.values()].flatMap(({ faults }) => faults),
    fieldOf: fieldFinder(sides),
    networksIn({ rules }) {
      const list = (direction: Direction) => (isRecord(rules) ? rules[direction] : [])
      return new Map(directions.flatMap((direction) => namedIn(list(direction), items(direction), context)))
    },
    noteOn: (field) => (field === 'rules' ? groupsNote(rules, context) : ''),
  }
}

function expandSide(list: readonly unknown[], direction: Direction, context: ExpansionContext): Expanded {
  const sides = list.map((rule, index) =>
    expandItem({ rule, field: `rules.${direction}[${index}]` }, direction, context),
  )
  return { items: sides.flatMap(({ items }) => items), faults: sides.flatMap(({ faults }) => faults) }
}

function expandItem(item: Item, direction: Direction, context: ExpansionContext): Expanded {
  const { rule, field } = item
  if (!isRecord(rule)) return { items: [item], faults: [] }
  if (rule.use !== undefined) return expandUse(rule, { field, direction, context })
  const [key] = peerKeysIn(rule)
  const { networks } = context.definitions
  const placeOf = (below: string) => context.placeOf(`${field}.${below}`)
  const expanded = expandRule(rule, { networks, direction, placeOf })
  return {
    items: [{ rule: expanded.rule, field, written: rule, ...(key !== undefined && { key }) }],
    faults: expanded.faults.map((fault) => ({ field: `${field}.${fault.field}`, reason: fault.reason })),
  }
}

interface Use {
  field: string
  direction: Direction
  context: ExpansionContext
}

/** Returns the rules of a group. A wrong group has none: its faults are reported with its definition. */
function expandUse({ use, ...others }: Record<string, unknown>, { field, direction, context }: Use): Expanded {
  const wrong = (reason: string): Expanded => ({ items: [], faults: [{ field: `${field}.use`, reason }] })
  const [other] = Object.keys(others)
  if (other !== undefined) return wrong(`the group sets the whole rule. Remove "${other}"`)
  if (typeof use !== 'string') return wrong('Must be the name of a group of rules')
  const { groups } = context.definitions
  const group = groups.get(use)
  if (!group) return wrong(unknownGroup(use, [...groups.keys()]))
  if (group.isWrong) {
    group.usedIn.push(context.placeOf(`${field}.use`))
    return { items: [], faults: [] }
  }
  const stranger = group.value.find(({ written }) => peerKeysIn(written).some((key) => key !== peerKeys[direction]))
  if (stranger) {
    const [key = ''] = peerKeysIn(stranger.written)
    return wrong(`"${use}" is not for ${direction} rules: ${stranger.place.at([key])} has "${key}"`)
  }
  return { items: group.value.map(({ rule, written }) => ({ rule, written, field, key: 'use' })), faults: [] }
}

function unknownGroup(use: string, names: readonly string[]): string {
  const available = names.length === 0 ? 'The files define no groups' : `The groups are: ${names.join(', ')}`
  return `no group of rules has the name "${use}". ${didYouMean(use, names) ?? available}`
}

/** Returns `fieldOf` of an entry; it outlives the entry, so it must not hold the rules. */
function fieldFinder(sides: ReadonlyMap<string, Expanded>): ExpandedEntry['fieldOf'] {
  const places = [...sides].map(([direction, { items }]): [string, Place[]] => [
    direction,
    items.map(({ field, key }) => ({ field, ...(key !== undefined && { key }) })),
  ])
  const byDirection = new Map(places)
  return (field) => writtenField(field, (direction) => byDirection.get(direction) ?? [])
}

type Place = Pick<Item, 'field' | 'key'>

function writtenField(field: string, itemsOf: (direction: string) => readonly Place[]): string {
  const [, direction = '', index = '', below = ''] = /^rules\.(inbound|outbound)\[(\d+)\](.*)$/.exec(field) ?? []
  const item = itemsOf(direction)[Number(index)]
  if (!item) return field
  if (item.key === 'use') return `${item.field}.use`
  return `${item.field}${item.key && below.startsWith('.addresses') ? `.${item.key}` : below}`
}

function namedIn(
  list: unknown,
  items: readonly Item[],
  { definitions }: ExpansionContext,
): [rule: object, networks: readonly NamedAddresses[]][] {
  return items.flatMap(({ written = {} }, index) => {
    const rule: unknown = Array.isArray(list) ? list[index] : undefined
    const networks = networksOf(written, definitions.networks)
    return isRecord(rule) && networks.length > 0 ? [[rule, networks]] : []
  })
}

/** Returns which groups the rules come from; empty if none does. */
function groupsNote(rules: Record<string, unknown>, { definitions, placeOf }: ExpansionContext): string {
  const uses = directions.flatMap((direction) => {
    const list: readonly unknown[] = Array.isArray(rules[direction]) ? rules[direction] : []
    return list.flatMap((rule, index) => {
      const name = isRecord(rule) ? String(rule.use) : ''
      const group = definitions.groups.get(name)
      const place = placeOf(`rules.${direction}[${index}].use`)
      return group ? [`${place} uses ${group.value.length} of "${name}" (${group.place})`] : []
    })
  })
  return uses.length === 0 ? '' : `: ${uses.join(', ')}`
}
