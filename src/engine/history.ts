/** The history of a run: opened as flags and environment say. */

import type { History } from '../account/history/history'
import { Problem } from '../errors'
import type { Flags } from './command'
import type { Session } from './session'
import { isSwitchedOn } from './variable-flags'

/** Opens the history of a command; undefined if it is turned off, or unavailable, which it reports. */
export async function openHistory(
  session: Session,
  { flags, command }: { flags: Flags; command: string },
): Promise<History | undefined> {
  if (!isSwitchedOn(session.env, 'SKYCTL_HISTORY', true)) return undefined
  const note = async (text: string) => {
    if (isExpected(session)) return session.ui.warn(text)
    if (flags.verbose || flags.debug) await session.ui.log('note', text)
  }
  const isApply = command === 'apply'
  const { historyOf } = await import('../account/history')
  return historyOf(session.account, { command, isApply, note })
}

/** Reports whether a history is expected: without a home, as in some containers, nothing is stored, and no warning helps. */
function isExpected({ account: { local } }: Session): boolean {
  try {
    return local.paths.state !== ''
  } catch (error) {
    return !(error instanceof Problem) || error.code !== 'local'
  }
}
