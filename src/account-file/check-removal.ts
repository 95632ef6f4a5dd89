/** Checks right before a step that what it relies on is still as planned (state.md, For teams). */
import { isGone, Problem } from '../errors'
import { isOwned } from './tags'

/** Returns an object to remove as it is now; undefined if it is gone. Throws `changed` if it has lost the owner's tag. */
export async function readOwned<R extends { id: number; tags: readonly string[] }>(
  reading: Promise<R>,
  owner: string,
): Promise<R | undefined> {
  const record = await unlessGone(reading)
  if (record && !isOwned(record, owner)) throw keptAs(`it no longer has the tag "${owner}"`)
  return record
}

/** Returns the problem of a removal that relies on what has changed since the plan was made. */
export const keptAs = (reason: string) => new Problem('changed', `${reason}, so skyctl keeps it`)

/** Returns the problem of a step that relies on what has changed since the plan was made: `it was attached elsewhere`. */
export const changedSince = (who: string, what: string) =>
  new Problem('changed', `${who} ${what} since the plan was made`, {
    hint: 'Run the command again, and review the difference',
  })

/** Resolves to undefined if the object is gone. */
export const unlessGone = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isGone(error)) return undefined
    throw error
  })
