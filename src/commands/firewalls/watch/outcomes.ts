/** What a watcher did, told by the process that it did it for. */
import { Problem } from '../../../errors'
import type { Session } from '../../../session'
import type { Outcome } from './watch'

export async function sayOutcome({ ok, texts, next }: Outcome, session: Session): Promise<void> {
  if (ok) for (const text of texts) await session.say(text)
  else await session.warn(`${texts.join('; ')}${next === undefined ? '' : `. Run: ${next}`}`)
}

/** It is not as it should be, for which nobody else's exit code stands. */
export function problemOf({ texts, next }: Outcome): Problem {
  return new Problem('refused', texts.join('; '), next === undefined ? {} : { hint: `Run: ${next}` })
}
