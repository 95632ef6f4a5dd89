/** What an account has, as far as a file is about it. */
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { Kind, World } from './kind'

type Part = readonly [key: string, records: readonly unknown[]]

/** Reads all of these at the same time; what is only needed, and the token may not read, is left out. */
export async function readWorld(
  { wanted, needed }: { wanted: readonly Kind[]; needed: readonly Kind[] },
  client: Client,
): Promise<World> {
  const read = async (kind: Kind): Promise<Part[]> => [[kind.key, await kind.read(client)]]
  const ifAllowed = async (kind: Kind): Promise<Part[]> => {
    try {
      return await read(kind)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_allowed') return []
      throw error
    }
  }
  const readings = await Promise.allSettled([...wanted.map(read), ...needed.map(ifAllowed)])
  // Nothing is under way any more when the first failure is told.
  return new Map(
    readings.flatMap((reading) => {
      if (reading.status === 'rejected') throw reading.reason
      return reading.value
    }),
  )
}
