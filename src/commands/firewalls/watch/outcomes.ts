/** What a watcher did, told by the process that it did it for. */
import { type Details, Problem } from '../../../errors'
import type { Session } from '../../../session'
import { wasRefused } from '../rules/standing'
import type { Outcome } from './watch'
import type { Watcher } from './watcher'

export async function sayOutcome(outcome: Outcome, session: Session): Promise<void> {
  if (outcome.ok) for (const text of outcome.texts) await session.say(text)
  else await session.warn(`${outcome.texts.join('; ')}. Run: ${outcome.next}`)
}

/**
 * What becomes of the rules of a firewall where the work on them failed: those that were refused do not stand. After
 * any other failure they are undone, as far as they were written.
 */
export async function undoFailed(error: unknown, watcher: Watcher, session: Session): Promise<void> {
  if (wasRefused(error) && areRules(error.details.request)) await watcher.forget()
  else await undoNow(watcher, session)
}

export async function undoNow(watcher: Watcher, session: Session): Promise<void> {
  await sayOutcome(await watcher.undo(), session)
}

/** What is refused after them tells nothing of them. */
const areRules = (request: Details['request']) => request?.method === 'PUT' && request.path.endsWith('/rules')

/** It is not as it should be, for which nobody else's exit code stands. */
export function problemOf(outcome: Outcome): Problem {
  return new Problem('refused', outcome.texts.join('; '), outcome.ok ? {} : { hint: `Run: ${outcome.next}` })
}
