/** Reads something once for all of many targets, instead of again for each. */
import type { Account } from './account'

/** Reads of each command, by its own lists. */
const reads = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Reads once for the targets of a command that has a list for them; a read that fails is tried anew. */
export function sharedRead<T>(key: string, { lists }: Account, read: () => Promise<T>): Promise<T> {
  if (!lists) return read()
  const ofCommand: Map<string, Promise<unknown>> = reads.get(lists) ?? new Map()
  reads.set(lists, ofCommand)
  const reading = (ofCommand.get(key) as Promise<T> | undefined) ?? read()
  ofCommand.set(key, reading)
  reading.catch(() => ofCommand.delete(key))
  return reading
}
