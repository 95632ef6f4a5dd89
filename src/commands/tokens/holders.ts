/** The contexts that hold a token. */
import type { StoredContext } from '../../config/contexts'
import { Problem } from '../../errors'
import type { Session } from '../../session'
import { sameStart } from './in-use'

export interface Holders {
  /** Whether there are any. */
  any: boolean
  /** Gives all of them another token, at once; resolves to their names. */
  give(token: string): Promise<string[]>
}

/**
 * Finds the contexts of the account in use that hold a token, and makes sure that they can be changed: throws `local`
 * where they cannot. Contexts that cannot be read are said to be left alone.
 */
export async function holdersOf(token: string, session: Session): Promise<Holders> {
  const { origin } = new URL((await session.signedIn()).baseUrl)
  const holds = ({ token: held, base_url }: StoredContext) =>
    held !== undefined && sameStart(held, token) && URL.canParse(base_url) && new URL(base_url).origin === origin
  if (!(await readContexts(session)).some(holds)) return { any: false, give: async () => [] }
  // To store them as they are proves more than any look at modes: a full disk, a lock, a file system for reading only.
  await session.changeConfig(() => {})
  return {
    any: true,
    async give(next) {
      const names: string[] = []
      await session.changeConfig(({ contexts }) => {
        for (const [name, stored] of contexts) {
          if (!holds(stored)) continue
          contexts.set(name, { ...stored, token: next })
          names.push(name)
        }
      })
      return names
    },
  }
}

/** Whoever is signed in by the environment may have no contexts, and no home to have them in. */
async function readContexts(session: Session): Promise<StoredContext[]> {
  try {
    return [...(await session.config()).contexts.values()]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await session.warn(`no context is given the new token: ${error.message}`)
    return []
  }
}
