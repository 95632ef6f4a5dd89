/** Asking before something is destroyed. */

import { Problem } from '../errors'
import { someNames } from '../rules/names'
import type { Session } from '../session'

/**
 * Asks on a terminal; `--yes` answers. Throws `refused` on no, `usage` where nobody can be asked.
 * `consequence` says what will happen, for example `Delete volume "data" (123) and its data for ever`; `local` what
 * happens on this machine only, and concerns no account.
 */
export async function confirm(consequence: string, session: Session, { local = false } = {}): Promise<void> {
  if (session.yes) return
  if (!session.interactive) {
    throw new Problem('usage', `${consequence}: this must be confirmed, and there is no terminal to ask on`, {
      hint: 'Add --yes',
    })
  }
  const ask = await session.ask({ local })
  if (!(await ask.confirm(`${consequence}?`))) throw new Problem('refused', 'not confirmed; nothing was done')
}

/** What is destroyed or cut off, as a question without its mark. */
export interface Question<T = unknown> {
  /** `found` are the targets that can be done; none where nobody can be asked, and nothing was looked up. */
  text(names: string, found: readonly T[]): string | Promise<string>
  /** How the question names a target that was found. */
  nameOf(target: T): Promise<string>
}

interface Asking<T> {
  targets: readonly T[]
  prepare(target: T): Promise<{ idle?: true }>
}

/**
 * Asks once for all that can be done. Resolves to the others, with why: what nobody was asked about is not done, also
 * where it could be by now.
 */
export async function askAbout<T extends { typed: string }>(
  { text, nameOf }: Question<T>,
  { targets, prepare }: Asking<T>,
  session: Session,
): Promise<ReadonlyMap<T, Problem>> {
  const unasked = new Map<T, Problem>()
  const named = new Map<T, string>()
  // Nothing is looked up where nobody can be asked.
  if (!session.interactive) await confirm(await text(someNames(targets.map(({ typed }) => typed)), []), session)
  for (const target of targets) {
    try {
      if (!(await prepare(target)).idle) named.set(target, await nameOf(target))
    } catch (error) {
      if (targets.length === 1 || !(error instanceof Problem)) throw error
      unasked.set(target, error)
    }
  }
  if (named.size > 0) await confirm(await text(someNames([...named.values()]), [...named.keys()]), session)
  return unasked
}
