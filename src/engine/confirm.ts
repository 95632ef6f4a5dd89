/** Asking before something is destroyed. */
import type { Context } from '../context'
import { Problem } from '../errors'

/**
 * Asks on a terminal; `--yes` answers. Throws `refused` on no, `usage` where nobody can be asked.
 * `consequence` says what will happen, for example `Delete volume "data" (123) and its data for ever`; `local` what
 * happens on this machine only, and concerns no account.
 */
export async function confirm(consequence: string, context: Context, { local = false } = {}): Promise<void> {
  if (context.yes) return
  if (!context.interactive) {
    throw new Problem('usage', `${consequence}: this must be confirmed, and there is no terminal to ask on`, {
      hint: 'Add --yes',
    })
  }
  const ask = await context.ask({ local })
  if (!(await ask.confirm(`${consequence}?`))) throw new Problem('refused', 'not confirmed; nothing was done')
}
