/** Finds entries without an object that are perhaps meant to rename one (state.md, For teams). Pure. */
import { protectedTag } from '../account/protection'
import { isMissing } from '../catalogue/normalize'
import { nearest, orList } from '../rules/nearest'
import { once } from '../rules/once'
import { groupBy, isRecord } from '../rules/records'
import { nameList } from '../rules/texts'
import { formerLabel } from './check-former-labels'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import { knownEntry } from './entry-before-after'
import type { AccountState, Holder, Kind } from './kind'
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

type Desired = Pick<DesiredState, 'entries' | 'settings'>

/** Returns the hints for entries without an object, in the renamed account. */
export const renameHints = (desired: Desired, world: AccountState): readonly RenameHint[] =>
  kinds.flatMap((kind) => (kind.rename ? hintsIn(kind, desired, world.get(kind.key) ?? []) : []))

interface Unnamed {
  record: unknown
  label: string
  tags: readonly string[]
  holder: Holder
  entry(): unknown
}

function hintsIn(kind: Kind, { entries, settings }: Desired, records: readonly unknown[]): RenameHint[] {
  const named = entries.get(kind.key) ?? new Map<string, DesiredObject>()
  const labels = new Set(records.map(kind.nameOf))
  const unnamed = records.filter((record) => !named.has(kind.nameOf(record))).map(unnamedIn(kind, settings))
  // Those of the owner are the likelier ones.
  const others = new Set(unnamed.toSorted((one, other) => Number(isOwned(other)) - Number(isOwned(one))))
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
    const own = { record, label: kind.nameOf(record), tags, holder: holderOf(tags, owner) }
    return { ...own, entry: once(() => knownEntry(kind, record)) }
  }

function holderOf(tags: readonly string[], owner: string | undefined): Holder {
  if (owner !== undefined && tags.includes(owner)) return 'owner'
  return owner === undefined || tags.every((tag) => tag === protectedTag) ? 'unknown' : 'another'
}

const isOwned = ({ holder }: Unnamed) => holder === 'owner'

interface Match extends Pick<RenameHint, 'text' | 'fault'> {
  other: Unnamed
}

/**
 * Finds an object whose label resembles the former label of an entry. In a fresh account, no object has a former label,
 * and others may resemble it: only one with the owner's tag, which some file once had, is a reason to stop.
 */
function mistyped(object: DesiredObject, kind: Kind, others: ReadonlySet<Unnamed>): Match | undefined {
  const was = formerLabel(object)
  if (was === undefined) return undefined
  const labels = [...others].map(({ label }) => label)
  const near = nearest(was, labels)
  // One of the owner, if there is any.
  const other = [...others].find(({ label }) => near.includes(label))
  if (!other) return undefined
  const question = `Did you mean ${orList(near)}?`
  const reason = `No ${kind.noun} has the label "${was}". ${question}`
  const at = object.at.at('was')
  return {
    other,
    text: `${lacking(kind, was)}. ${question} (${at})`,
    ...(isOwned(other) && { fault: { at, reason, code: 'not_found' } }),
  }
}

type Index = ReadonlyMap<string, Set<Unnamed>>

/** Returns the objects of each trait, in their order. */
function indexOf(others: ReadonlySet<Unnamed>, { rename }: Kind): Index {
  const index = new Map<string, Set<Unnamed>>()
  for (const one of others) {
    for (const trait of rename?.likeness?.traitsOf(one.entry(), one.holder) ?? [])
      index.set(trait, (index.get(trait) ?? new Set()).add(one))
  }
  return index
}

interface Around extends Pick<DesiredState, 'settings'> {
  others: ReadonlySet<Unnamed>
  byTrait(): Index
}

/** Finds the object that an entry describes: one of the owner, or else the only one with the first trait that any has. */
function lookalike(object: DesiredObject, kind: Kind, { others, byTrait, settings }: Around): Match | undefined {
  const { value } = object
  const { likeness } = kind.rename ?? {}
  if (!likeness || others.size === 0) return undefined
  const withTrait = (trait: string) => {
    const some: Unnamed[] = []
    const alike = byTrait().get(trait) ?? new Set()
    for (const one of alike) {
      // Other entries have it already.
      if (!others.has(one)) alike.delete(one)
      else if (!isOfAnother(one, value) && !likeness.areApart?.(one.entry(), value)) some.push(one)
      if (some.length > 1) break
    }
    return some
  }
  const candidates = likeness.desiredTraits(value, settings.defaults).map(withTrait)
  const owned = candidates.flat().find(isOwned)
  const [only, another] = candidates.find((some) => some.length > 0) ?? []
  const other = owned ?? (another ? undefined : only)
  return other && { other, text: likenessText(object, kind, other) }
}

function likenessText(object: DesiredObject, kind: Kind, { label, record }: Unnamed): string {
  const was = formerLabel(object)
  const name = `${kind.noun} "${label}" (${kind.idOf(record)})`
  const looks = `it looks like ${name}, which is in no file. To rename that one instead,`
  const line = `was: ${JSON.stringify(label)}`
  return was === undefined
    ? `${looks} add to its entry: ${line} (${object.at})`
    : `${lacking(kind, was)}, but ${looks} set ${line} (${object.at.at('was')})`
}

/** Reports whether tags show that an object belongs to another owner. */
function isOfAnother({ tags, holder }: Unnamed, desired: unknown): boolean {
  const own = isRecord(desired) && Array.isArray(desired.tags) ? desired.tags : []
  return holder === 'another' && tags.some((tag) => tag !== protectedTag && !own.includes(tag))
}
