/** Reads the state of an account for a plan. */
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { AccountState, Kind } from './kind'
import { type OnUnreadable, type UnreadableRecord, unreadableRecord } from './unreadable'

interface Reading {
  records: Promise<unknown[]>
  /** Complete when all records are read. */
  unreadable: Parameters<OnUnreadable>[]
}

function startReading(read: Kind['read'], client: Client, isTolerant: boolean): Reading {
  const unreadable: Reading['unreadable'] = []
  return { records: read(client, isTolerant ? (...one) => void unreadable.push(one) : undefined), unreadable }
}

type Part = readonly [key: string, records: readonly unknown[]]

/**
 * Reads these kinds in parallel; an optional kind is left out if the token may not read it. `onUnreadable` gets the
 * records that cannot be read, which are left out; without it they fail.
 */
export async function readAccountState(
  { required, optional }: { required: readonly Kind[]; optional: readonly Kind[] },
  client: Client,
  onUnreadable?: (record: UnreadableRecord) => void,
): Promise<AccountState> {
  const started = new Map<Kind['read'], Reading>()
  const read = async ({ key, noun, read }: Kind): Promise<Part[]> => {
    const reading = started.get(read) ?? startReading(read, client, onUnreadable !== undefined)
    started.set(read, reading)
    const records = await reading.records
    for (const [record, reason] of reading.unreadable)
      onUnreadable?.(unreadableRecord({ kind: key, noun }, record, reason))
    return [[key, records]]
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

/** Reads these kinds, and lists the records that cannot be read instead of failing. */
export async function readReadableState(
  needed: Parameters<typeof readAccountState>[0],
  client: Client,
): Promise<{ world: AccountState; unreadable: readonly UnreadableRecord[] }> {
  const unreadable: UnreadableRecord[] = []
  const world = await readAccountState(needed, client, (record) => unreadable.push(record))
  return { world, unreadable }
}
