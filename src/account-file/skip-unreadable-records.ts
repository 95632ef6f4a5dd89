/** Keeps plans away from objects that cannot be read: they stay unchanged, and nothing is created in their place. */
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import type { AccountState } from './kind'
import { kinds } from './kinds'
import type { Plan } from './plan'
import { type UnreadableRecord, unreadableText } from './unreadable-records'

/**
 * Removes entries of objects that cannot be read. An object without a label may be any that the account seems to lack, so
 * nothing of its kind is created.
 */
export function withoutUnreadable(
  desired: DesiredState,
  world: AccountState,
  unreadable: readonly UnreadableRecord[],
): DesiredState {
  if (unreadable.length === 0) return desired
  const entries = kinds.flatMap(({ key, nameOf }): [string, ReadonlyMap<string, DesiredObject>][] => {
    const own = desired.entries.get(key)
    if (!own) return []
    const names = new Set(unreadable.flatMap(({ kind, name }) => (kind === key ? [name] : [])))
    const present = new Set((world.get(key) ?? []).map(nameOf))
    const isLeft = (name: string) => names.has(name) || (names.has(null) && !present.has(name))
    return [[key, new Map([...own].filter(([name]) => !isLeft(name)))]]
  })
  return { ...desired, entries: new Map(entries) }
}

/**
 * Adds notes about the records that cannot be read, and lists those that the files have, or may have. To prune, all of
 * them matter: their tags are unknown.
 */
export const withUnreadable = (
  plan: Plan,
  records: readonly UnreadableRecord[],
  { files, prune }: { files: DesiredState; prune: boolean },
): Plan => ({
  ...plan,
  notes: [...plan.notes, ...records.map(noteOf)],
  unreadable: records.filter(({ kind, name }) => prune || name === null || files.entries.get(kind)?.has(name) === true),
})

const noteOf = (record: UnreadableRecord) => ({
  ...{ kind: record.kind, noun: record.noun, name: record.name ?? '', id: record.id ?? undefined },
  text: `left unchanged: ${unreadableText(record)}`,
})
