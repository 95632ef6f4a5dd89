/** Reads the state of an account for a plan. */
import type { Account } from '../account/account'
import { hasRecentChanges } from '../account/recent-changes'
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { DesiredState } from './desired-state'
import type { AccountState, Kind, ReadPurpose } from './kind'
import { firewallsOf } from './kinds/firewall/entry'
import { withListedDevices } from './kinds/firewall/read-guarded'
import { firewallKind } from './kinds/firewalls'
import { type OnUnreadable, type UnreadableRecord, unreadableRecord } from './unreadable-records'

export interface NeededKinds {
  required: readonly Kind[]
  optional: readonly Kind[]
  /** Desired state, by kind and name. */
  entries?: DesiredState['entries']
}

type Part = readonly [key: string, records: readonly unknown[]]

/**
 * Reads these kinds in parallel; an optional kind is left out if the token may not read it. `onUnreadable` gets the
 * records that cannot be read, which are left out; without it they fail.
 */
export async function readAccountState(
  { required, optional, entries, isReport = false }: NeededKinds & Pick<ReadPurpose, 'isReport'>,
  client: Client,
  onUnreadable?: (record: UnreadableRecord) => void,
): Promise<AccountState> {
  const started = new Map<Kind['read'], { records: Promise<unknown[]>; unreadable: Parameters<OnUnreadable>[] }>()
  const start = ({ key, read }: Kind) => {
    const unreadable: Parameters<OnUnreadable>[] = []
    const note: OnUnreadable | undefined = onUnreadable && ((...one) => void unreadable.push(one))
    const reading = { records: read(client, note, { isReport, desired: entries?.get(key) }), unreadable }
    started.set(read, reading)
    return reading
  }
  const read = async (kind: Kind): Promise<Part[]> => {
    const { key, noun } = kind
    const { records, unreadable } = started.get(kind.read) ?? start(kind)
    const part: Part = [key, await records]
    for (const [record, reason] of unreadable) onUnreadable?.(unreadableRecord({ kind: key, noun }, record, reason))
    return [part]
  }
  const ifAllowed = async (kind: Kind): Promise<Part[]> => {
    try {
      return await read(kind)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_allowed') return []
      throw error
    }
  }
  const readings = await Promise.allSettled([...required.map(read), ...optional.map(ifAllowed)])
  // All requests have ended when the first failure is thrown.
  return new Map(
    readings.flatMap((reading) => {
      if (reading.status === 'rejected') throw reading.reason
      return reading.value
    }),
  )
}

/** State of an account without the records that cannot be read, and these. */
export interface ReadableState {
  world: AccountState
  unreadable: readonly UnreadableRecord[]
}

/** Reads these kinds for a report, and lists the records that cannot be read instead of failing. */
export async function readForReport(needed: NeededKinds, client: Client, account: Account): Promise<ReadableState> {
  const unreadable: UnreadableRecord[] = []
  const read = await readAccountState({ ...needed, isReport: true }, client, (record) => unreadable.push(record))
  if (!hasRecentChanges(account)) return { world: read, unreadable }
  const world = new Map(read)
  const { withRecentObjects } = await import('./recent-objects')
  for (const kind of [...needed.required, ...needed.optional]) {
    const records = read.get(kind.key)
    // A record that cannot be read is no object that the list lacks.
    const isWhole = records && !unreadable.some((record) => record.kind === kind.key)
    if (isWhole) world.set(kind.key, await withRecentObjects(records, kind, account))
  }
  return { world, unreadable }
}

/**
 * Returns the state with all that a change relies on: the devices of firewalls as their lists have them. Resolves to
 * undefined if it has them already.
 */
export async function stateForChange(
  { world, unreadable }: ReadableState,
  client: Client,
): Promise<ReadableState | undefined> {
  const guarded = firewallsOf({ world })
  if (!guarded.some(({ isFromRecord }) => isFromRecord)) return undefined
  const more: UnreadableRecord[] = []
  const names = { kind: firewallKind.key, noun: firewallKind.noun }
  const listed = await withListedDevices(guarded, client, (...one) => more.push(unreadableRecord(names, ...one)))
  return { world: new Map([...world, [firewallKind.key, listed]]), unreadable: [...unreadable, ...more] }
}
