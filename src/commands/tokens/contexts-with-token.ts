/** Finds and updates the contexts that use a token. */

import { sameStart } from '../../account/token-in-use'
import type { StoredContext } from '../../config/contexts'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'

export interface ContextsWithToken {
  any: boolean
  /** Gives all of them another token in one write; resolves to their names. */
  give(token: string): Promise<string[]>
}

/**
 * Finds the contexts of the current service that use a token, and checks that they can be changed; throws `local` if
 * not. Warns if the contexts cannot be read.
 */
export async function contextsWithToken(token: string, session: Session): Promise<ContextsWithToken> {
  const { origin } = new URL((await session.account.access.signedIn()).baseUrl)
  const holds = ({ token: stored, base_url }: StoredContext) =>
    stored !== undefined && sameStart(stored, token) && URL.canParse(base_url) && new URL(base_url).origin === origin
  if (!(await readContexts(session)).some(holds)) return { any: false, give: async () => [] }
  // Rewriting them is the best test: it detects a full disk, a lock, and a read-only file system.
  await session.config.change(() => {})
  return {
    any: true,
    async give(next) {
      const names: string[] = []
      await session.config.change(({ contexts }) => {
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

/** Reads the contexts. With a token from the environment there may be none, and no home for them. */
async function readContexts(session: Session): Promise<StoredContext[]> {
  try {
    return [...(await session.config.read()).contexts.values()]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await session.ui.warn(`no context gets the new token: ${error.message}`)
    return []
  }
}
