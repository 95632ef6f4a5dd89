/** Prints the outcome of a watcher in the process that started it. */

import { wasRefused } from '../../../account/actions/rules'
import type { Session } from '../../../engine/session'
import { type Details, Problem } from '../../../errors'
import type { Watcher } from './start'
import type { WatchOutcome } from './watch'

export async function sayOutcome(outcome: WatchOutcome, session: Session): Promise<void> {
  if (outcome.ok) for (const text of outcome.texts) await session.ui.status(text)
  else await session.ui.warn(`${outcome.texts.join('; ')}. Run: ${outcome.next}`)
}

/**
 * Undoes rule changes after a failure. Refused rules were not written; after any other failure they are undone if they
 * were.
 */
export async function undoFailed(error: unknown, watcher: Watcher, session: Session): Promise<void> {
  if (wasRefused(error) && areRules(error.details.request)) await watcher.keep()
  else await undoNow(watcher, session)
}

export async function undoNow(watcher: Watcher, session: Session): Promise<void> {
  await sayOutcome(await watcher.undo(), session)
}

/** Reports whether the failed request wrote rules; a later request says nothing about them. */
const areRules = (request: Details['request']) => request?.method === 'PUT' && request.path.endsWith('/rules')

/** Creates the problem of an undo, if no other failure determines the exit code. */
export function problemOf(outcome: WatchOutcome): Problem {
  return new Problem('refused', outcome.texts.join('; '), outcome.ok ? {} : { hint: `Run: ${outcome.next}` })
}
