/** Reads the state of an account for a plan. */
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { AccountState, Kind } from './kind'

type Part = readonly [key: string, records: readonly unknown[]]

/** Reads these kinds in parallel; an optional kind is left out if the token may not read it. */
export async function readAccountState(
  { required, optional }: { required: readonly Kind[]; optional: readonly Kind[] },
  client: Client,
): Promise<AccountState> {
  const started = new Map<Kind['read'], Promise<unknown[]>>()
  const read = async ({ key, read }: Kind): Promise<Part[]> => {
    const records = started.get(read) ?? read(client)
    started.set(read, records)
    return [[key, await records]]
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
