/** Asking before something is destroyed. */

import { Problem } from '../errors'
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
