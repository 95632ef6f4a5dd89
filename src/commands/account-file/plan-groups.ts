/** Orders the objects of a plan by their gravest consequence, and folds those that change alike. */

import type { NetworkChange } from '../../account-file/changes-by-network'
import type { Plan, PlannedObject } from '../../account-file/plan'
import type { Consequence, PlanStep } from '../../account-file/plan-step'
import type { RulesChange } from '../../firewall/diff'
import { changeLine } from '../../firewall/rule-text'
import { trafficText } from '../../firewall/traffic-text'
import { escapeText } from '../../rules/escape'
import { groupBy } from '../../rules/records'

/** Consequences, the gravest first; `other` stands for objects that have none of them. */
export const gravities = ['destroys', 'unprotects', 'cuts off', 'opens', 'starts billing', 'other'] as const

export type Gravity = (typeof gravities)[number]

/** Headings of documents. */
export const gravityTitles: Readonly<Record<Gravity, string>> = {
  destroys: 'Destroys',
  unprotects: 'Unprotects',
  'cuts off': 'Cuts off',
  opens: 'Opens',
  'starts billing': 'Starts billing',
  other: 'Other changes',
}

/** Objects with the same changes and consequences; mostly one. */
export interface PlanBlock {
  objects: readonly [PlannedObject, ...PlannedObject[]]
  lines: readonly PlanLine[]
}

export interface PlanLine {
  text: string
  warns: boolean
}

/** Objects with the same gravest consequence. */
export interface PlanGroup {
  gravity: Gravity
  blocks: readonly PlanBlock[]
}

/** Returns the consequences of an object that count for its place. */
export function gravitiesOf({ steps }: PlannedObject): Gravity[] {
  const kinds = new Set<string>(steps.flatMap(({ consequences = [] }) => consequences.map(({ kind }) => kind)))
  return gravities.filter((one) => kinds.has(one))
}

/** Groups the objects, the gravest group first; within a group by kind and name. `full` folds nothing. */
export function groupsOf(
  { objects, networks = [] }: Plan,
  { full = false, verbose = false }: { full?: boolean | undefined; verbose?: boolean | undefined },
): PlanGroup[] {
  const sorted = inReadingOrder(objects)
  const byGravity = groupBy(sorted, (object) => gravitiesOf(object)[0] ?? 'other')
  return gravities.flatMap((gravity) => {
    const blocks = (byGravity.get(gravity) ?? []).map((object) => blockOf(object, { networks, verbose }))
    return blocks.length === 0 ? [] : [{ gravity, blocks: full ? blocks : folded(blocks) }]
  })
}

const blockOf = (
  object: PlannedObject,
  { networks, verbose }: { networks: readonly NetworkChange[]; verbose: boolean },
): PlanBlock => ({
  objects: [object],
  lines: object.steps.flatMap((step) => [
    ...linesOf(step, networks).map((text) => ({ text, warns: false })),
    ...(step.consequences ?? []).map((one) => ({
      text: `${one.kind}: ${escapeText(verbose ? wholeText(one) : one.text)}`,
      warns: true,
    })),
  ]),
})

/** Returns the text of a consequence with all of its traffic, instead of the first pieces. */
const wholeText = ({ text, traffic }: Consequence) =>
  traffic ? text.replace(trafficText(traffic), () => trafficText(traffic, { full: true })) : text

/** Sorts by kind, in the order of the plan, and by name: numbers in names count as numbers. */
export function inReadingOrder<T extends Pick<PlannedObject, 'kind' | 'name'>>(objects: readonly T[]): T[] {
  const { compare } = new Intl.Collator('en', { numeric: true })
  const kinds = [...new Set(objects.map(({ kind }) => kind))]
  return objects.toSorted(
    (one, other) =>
      kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
      compare(one.name, other.name) ||
      (one.name < other.name ? -1 : Number(one.name > other.name)),
  )
}

/** Maximum number of equal objects that each get a block. */
const mostUnfolded = 3

/** Maximum number of names and ranges of names in a block. */
const mostNames = 40

/** Joins the blocks that differ in names and ids only, at the place of the first one. */
function folded(blocks: readonly PlanBlock[]): PlanBlock[] {
  const alike = groupBy(blocks, ({ objects: [{ kind, action, name }], lines }) =>
    JSON.stringify([kind, action, isListable(name) || name, lines]),
  )
  const joined = new Map<PlanBlock, readonly PlanBlock[]>()
  for (const group of alike.values()) {
    if (group.length <= mostUnfolded) continue
    for (const [index, one] of group.entries()) joined.set(one, index === 0 ? chunks(group) : [])
  }
  return blocks.flatMap((block) => joined.get(block) ?? [block])
}

/** Reports whether a list of names is clear with this one: a name may have quotes and dots itself. */
const isListable = (name: string) => !/["\u2026]|\.\.\./.test(name)

/** Splits equal objects into blocks whose names a reader still takes in. */
function chunks(group: readonly PlanBlock[]): PlanBlock[] {
  const objects = group.flatMap((block) => block.objects)
  const ranges = rangesOf(objects)
  return ranges.flatMap((_, index): PlanBlock[] => {
    const [first, ...others] = index % mostNames === 0 ? ranges.slice(index, index + mostNames).flat() : []
    return first && group[0] ? [{ ...group[0], objects: [first, ...others] }] : []
  })
}

/** Splits a list in reading order into ranges such as data-1 to data-60; other objects are ranges of their own. */
export function rangesOf<T extends { name: string }>(objects: readonly T[]): T[][] {
  const ranges: T[][] = []
  for (const object of objects) {
    const last = ranges.at(-1)
    const before = last?.at(-1)
    if (last && before && nameAfter(before.name) === object.name) last.push(object)
    else ranges.push([object])
  }
  // For two, a range is no shorter.
  return ranges.flatMap((range) => (range.length === 2 ? range.map((one) => [one]) : [range]))
}

/** Returns the name with the next number: `web-09-a`, `web-10-a`. */
function nameAfter(name: string): string | undefined {
  const [, before = '', number, after = ''] = /^(.*\D|)(\d{1,9})(\D*)$/s.exec(name) ?? []
  if (number === undefined) return undefined
  return `${before}${String(Number(number) + 1).padStart(number.startsWith('0') ? number.length : 0, '0')}${after}`
}

export const billedSize = ({ steps }: Pick<PlannedObject, 'steps'>): number =>
  steps
    .flatMap(({ consequences = [] }) => consequences)
    .reduce((sum, { kind, size = 0 }) => (kind === 'starts billing' ? sum + size : sum), 0)

/** Returns the lines of a step; changes with a network are one line. */
export function linesOf({ changes, rules = [] }: PlanStep, networks: readonly NetworkChange[] = []): string[] {
  const isShared = (change: RulesChange) => networks.some(({ changes }) => changes.has(change))
  return [
    ...changes.map((text) => escapeText(text)),
    ...rules.filter((change) => !isShared(change)).map(changeLine),
    ...networks.flatMap((network) => sharedLine(network, rules)),
  ]
}

/** Returns the line that stands for all rules of a step that change with a network. */
function sharedLine({ name, changes }: NetworkChange, rules: readonly RulesChange[]): string[] {
  const places = rules.flatMap((change) =>
    change.kind === 'changed' && changes.has(change) ? [`${change.direction} ${change.to}`] : [],
  )
  return places.length === 0 ? [] : [`${'changed'.padEnd(8)} ${places.join(', ')}: with network "${name}"`]
}
