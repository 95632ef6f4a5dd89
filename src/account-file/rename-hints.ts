/** Finds entries without an object that are perhaps meant to rename one (state.md, For teams). Pure. */
import { protectedTag } from '../account/protection'
import { isMissing } from '../catalogue/normalize'
import { nearest, orList } from '../rules/nearest'
import { once } from '../rules/once'
import { groupBy, isRecord } from '../rules/records'
import { nameList } from '../rules/texts'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import { knownEntry } from './entry-before-after'
import { formerLabel } from './former-labels'
import type { AccountState, Kind } from './kind'
import { kinds } from './kinds'
import type { Fault } from './places'
import type { PlannedObject } from './plan'

/** An entry without an object that is perhaps meant to rename one: it resembles an object, or names a former label. */
export interface RenameHint {
  kind: Kind
  object: DesiredObject
  /** Object that the entry resembles, with the next step beside it as a sentence without full stop. */
  match?: { record: unknown; advice: string }
  /** Reason beside the entry, as a clause. */
  text: string
  /** Fault of an entry that the plan must not turn into a new object. */
  fault?: Fault
}

/** Returns the hints for entries without an object, in the renamed account. */
export function renameHints(
  { entries, settings }: Pick<DesiredState, 'entries' | 'settings'>,
  world: AccountState,
): readonly RenameHint[] {
  return kinds
    .filter(({ rename }) => rename !== undefined)
    .flatMap((kind) =>
      hintsIn(kind, { named: entries.get(kind.key) ?? new Map(), settings }, world.get(kind.key) ?? []),
    )
}

interface NamedObjects extends Pick<DesiredState, 'settings'> {
  named: ReadonlyMap<string, DesiredObject>
}

interface Unnamed {
  record: unknown
  label: string
  tags: readonly string[]
  isOwned: boolean
  entry(): unknown
}

interface Ranked extends Unnamed {
  /** Place among all of them: those of the owner come first. */
  rank: number
}

function hintsIn(kind: Kind, { named, settings }: NamedObjects, records: readonly unknown[]): RenameHint[] {
  const labels = new Set(records.map(kind.nameOf))
  const unnamed = records.filter((record) => !named.has(kind.nameOf(record))).map(unnamedIn(kind, settings))
  // Those of the owner are the likelier ones.
  const ranked = unnamed.toSorted((one, other) => Number(other.isOwned) - Number(one.isOwned))
  const others = new Set(ranked.map((one, rank) => ({ ...one, rank })))
  const byTrait = once(() => indexOf(others, kind))
  const missing = [...named.values()].filter(
    (object) => !labels.has(object.name) && !labels.has(`${formerLabel(object)}`),
  )
  return missing
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((object) => {
      const match = mistyped(object, kind, others) ?? lookalike(object, kind, { others, byTrait, settings })
      if (!match) return unmatched(object, kind)
      const { other, ...texts } = match
      others.delete(other)
      const line = `was: ${JSON.stringify(other.label)} (${object.at})`
      const advice = `To rename it to "${object.name}" instead, add to the entry of "${object.name}": ${line}`
      return [{ kind, object, match: { record: other.record, advice }, ...texts }]
    })
}

/** Returns the hint at a former label that no object has, and that resembles none. */
function unmatched(object: DesiredObject, kind: Kind): RenameHint[] {
  const was = formerLabel(object)
  if (was === undefined) return []
  return [{ kind, object, text: `${lacking(kind, was)}, so this is a new ${kind.noun} (${object.at.at('was')})` }]
}

const lacking = ({ noun }: Kind, was: string) => `no ${noun} has the label "${was}" of its "was"`

/** Returns a fault for each former label that no object has, if the plan deletes the object that was perhaps meant. */
export function unsafeRenames(hints: readonly RenameHint[], objects: readonly PlannedObject[]): Fault[] {
  const byKind = groupBy(objects, ({ kind, action }) => (action === 'delete' ? kind : undefined))
  return hints.flatMap(({ kind, object, fault }) => {
    const was = formerLabel(object)
    const deleted = byKind.get(kind.key) ?? []
    if (was === undefined || fault || deleted.length === 0) return []
    const names = nameList(deleted.map(({ noun, name, id }) => `${noun} "${name}" (${id})`).sort())
    const reason = `No ${kind.noun} has the label "${was}", and the plan deletes ${names}. Correct "was", or remove it`
    return [{ at: object.at.at('was'), reason, code: 'not_found' }]
  })
}

const unnamedIn =
  (kind: Kind, { owner }: DesiredState['settings']) =>
  (record: unknown): Unnamed => {
    const tagged = kind.tagged?.(record)
    const tags = tagged && !isMissing(tagged, 'tags') ? (tagged.tags ?? []) : []
    const isOwned = owner !== undefined && tags.includes(owner)
    return { record, label: kind.nameOf(record), tags, isOwned, entry: once(() => knownEntry(kind, record)) }
  }

type Match = { other: Ranked } & Pick<RenameHint, 'text' | 'fault'>

/**
 * Finds an object whose label resembles the former label of an entry. In a fresh account, no object has a former label,
 * and others may resemble it: only one with the owner's tag, which some file once had, is a reason to stop.
 */
function mistyped(object: DesiredObject, kind: Kind, others: ReadonlySet<Ranked>): Match | undefined {
  const was = formerLabel(object)
  if (was === undefined) return undefined
  const labels = [...others].map(({ label }) => label)
  const near = nearest(was, labels)
  const resembling = near.flatMap((label) => [...others].find((one) => one.label === label) ?? [])
  const other = resembling.find(({ isOwned }) => isOwned) ?? resembling[0]
  if (!other) return undefined
  const question = `Did you mean ${orList(near)}?`
  const reason = `No ${kind.noun} has the label "${was}". ${question}`
  const at = object.at.at('was')
  return {
    other,
    text: `${lacking(kind, was)}. ${question} (${at})`,
    ...(other.isOwned && { fault: { at, reason, code: 'not_found' } }),
  }
}

type Index = ReadonlyMap<string, Set<Ranked>>

/** Returns the objects of each trait, in their order. */
function indexOf(others: ReadonlySet<Ranked>, { rename }: Kind): Index {
  const index = new Map<string, Set<Ranked>>()
  for (const one of others) {
    for (const trait of rename?.likeness?.traitsOf(one.entry(), one.isOwned) ?? [])
      index.set(trait, (index.get(trait) ?? new Set()).add(one))
  }
  return index
}

interface Around extends Pick<DesiredState, 'settings'> {
  others: ReadonlySet<Ranked>
  byTrait(): Index
}

/** Finds an object that an entry describes. */
function lookalike(object: DesiredObject, kind: Kind, { others, byTrait, settings }: Around): Match | undefined {
  const { value } = object
  const { likeness } = kind.rename ?? {}
  if (!likeness || others.size === 0) return undefined
  const firstWith = (trait: string) => {
    const alike = byTrait().get(trait) ?? new Set()
    for (const one of alike) {
      // Another entry has it already.
      if (!others.has(one)) alike.delete(one)
      else if (!isOfAnother(one, value, settings) && !likeness.areApart?.(one.entry(), value)) return [one]
    }
    return []
  }
  const candidates = likeness.desiredTraits(value, settings.defaults).flatMap(firstWith)
  const [other] = candidates.toSorted((one, another) => one.rank - another.rank)
  if (!other) return undefined
  const old = `${kind.noun} "${other.label}" (${kind.idOf(other.record)})`
  const [was, field] = [formerLabel(object), JSON.stringify(other.label)]
  const looks = `it looks like ${old}, which is in no file. To rename that one instead,`
  const text =
    was === undefined
      ? `${looks} add to its entry: was: ${field} (${object.at})`
      : `${lacking(kind, was)}, but ${looks} set was: ${field} (${object.at.at('was')})`
  return { other, text }
}

/** Reports whether tags show that an object belongs to another owner. */
function isOfAnother({ tags, isOwned }: Unnamed, desired: unknown, { owner }: DesiredState['settings']): boolean {
  const own = isRecord(desired) && Array.isArray(desired.tags) ? desired.tags : []
  return owner !== undefined && !isOwned && tags.some((tag) => tag !== protectedTag && !own.includes(tag))
}
