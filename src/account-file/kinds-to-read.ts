/** Says which kinds must be read to plan files, and what stays unknown if the token may not read them. */

import { valueAt } from '../rules/records'
import type { DesiredState } from './desired-state'
import type { AccountState, Kind, KindShape } from './kind'
import { kinds } from './kinds'
import type { NeededKinds } from './read-account'
import { everything, type Selection } from './selection'
import { serviceSources } from './take-service-labels'

/**
 * Returns the kinds that must be read, and those that only add information: other objects of the owner, and locations.
 */
export function kindsToRead(
  { entries, settings }: DesiredState,
  { prune, selection = everything }: { prune: boolean; selection?: Selection },
): NeededKinds {
  // Without permission, what is only expected is not compared.
  const isExpected = (kind: Kind) => kind.expect !== undefined && entries.has(kind.key)
  const isOwned = ({ key, remove }: Kind) =>
    remove !== undefined && settings.owner !== undefined && selection.hasKind(key)
  const required = kinds.filter((kind) => (entries.has(kind.key) && !kind.expect) || (prune && isOwned(kind)))
  const isNeeded = ({ key }: Kind) => required.some(({ needs }) => needs?.includes(key))
  const sources = new Set(serviceLabelsIn(entries).flatMap(({ kind }) => serviceSources[kind]))
  const isUseful = (kind: Kind) => isExpected(kind) || isOwned(kind) || isNeeded(kind) || sources.has(kind.key)
  return { required, optional: kinds.filter((kind) => !required.includes(kind) && isUseful(kind)), entries }
}

/** Returns the services that files name by label. */
export const serviceLabelsIn = (entries: DesiredState['entries']) =>
  [...entries.values()].flatMap((named) => [...named.values()].flatMap(({ labels = [] }) => labels))

const valuesOf = (entries: DesiredState['entries'], { key }: Kind) =>
  [...(entries.get(key)?.values() ?? [])].map(({ value }) => value)

/** Reports whether files name compute instances, but the token may not read addresses to verify them. */
export const areComputesUnseen = ({ entries }: DesiredState, world: AccountState) =>
  !world.has('rdns') && kinds.some((kind) => valuesOf(entries, kind).some((value) => namesCompute(value, kind)))

function namesCompute(entry: unknown, { services = {} }: KindShape): boolean {
  const fields = Object.keys(services).filter((field) => services[field] === 'computes')
  return fields.some((field) => {
    const value = valueAt(entry, field)
    return Array.isArray(value) ? value.length > 0 : (value ?? null) !== null
  })
}

/** Returns the kinds in which the owner's objects are unknown, as the token may not read them. */
export function unreadableKinds(
  { settings }: DesiredState,
  world: AccountState,
  selection = everything,
): readonly Kind[] {
  const isUnseen = ({ key, remove }: Kind) => remove !== undefined && !world.has(key) && selection.hasKind(key)
  return settings.owner === undefined ? [] : kinds.filter(isUnseen)
}
