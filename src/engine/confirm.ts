/** Shows what is about to change, and asks for confirmation before something is destroyed. */

import type { Change } from '../account/change'
import { Problem } from '../errors'
import { showsDifferences } from './printing'
import type { Session } from './session'

interface ConfirmOptions {
  local?: boolean
  /** The problem without a terminal, if there is a simpler one than the whole question. */
  unasked?: { message: string; hint: string }
}

const defaultUnasked = (question: string) => ({
  message: `${question}? This must be confirmed, and there is no terminal for questions`,
  hint: 'Add --yes',
})

/**
 * Asks on a terminal; `--yes` answers. Throws `refused` on no, and `usage` without a terminal. The question has no
 * question mark, and its consequences come first: `The data will be lost for ever. Delete volume "data" (123)`. `local`
 * is for changes on this machine only, without an account.
 */
export async function confirm(
  question: string,
  session: Session,
  { local = false, unasked = defaultUnasked(question) }: ConfirmOptions = {},
): Promise<void> {
  if (session.ui.yes) return
  if (!session.ui.interactive) throw new Problem('usage', unasked.message, { hint: unasked.hint })
  const ask = await session.ui.ask({ local })
  if (!(await ask.confirm(`${question}?`))) throw new Problem('refused', 'not confirmed; nothing was done')
}

/** Facts about a change that its question depends on. */
export type ChangeFacts = Pick<Change, 'noop' | 'blocks'>

/** Returns the question about a change that blocks traffic; undefined if it blocks none. `what` names the change. */
export function blockingQuestion(
  { noop, blocks = [] }: ChangeFacts,
  what: string,
  session: Session,
): string | undefined {
  return noop || blocks.length === 0 ? undefined : blockingText(blocks, what, session)
}

/** Puts newly blocked traffic before a question, unless it was listed above. */
export function blockingText(blocked: readonly string[], what: string, session: Session): string {
  const consequence = showsDifferences(session) ? 'Traffic will be newly blocked, as listed above' : blocked.join('; ')
  return `${consequence}. ${what}`
}

/**
 * Shows a difference before it is applied: one line per change; lines begin with a word of 8 columns and a blank. Before a question it is printed in any
 * format; otherwise like a message, but without the account prefix, which would shift the columns.
 */
export async function showDifference(lines: readonly string[], session: Session, title?: string): Promise<void> {
  if (lines.length === 0 || !showsDifferences(session)) return
  const { columns } = session.ui.stderr
  const all = title ? [title, ...lines] : lines
  if (columns === 0) return session.ui.print(all.join('\n'))
  const { wrap } = await import('../output/wrap')
  const wrapped = lines.map((line) => wrap(line, columns, ' '.repeat(9)))
  const text = [...(title ? [wrap(title, columns, '')] : []), ...wrapped].join('\n')
  await session.ui.print(text)
}
