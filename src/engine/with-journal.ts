/** Implements `--journal` and `--resume`: opens the journal of a command. */

import type { Journal } from '../account/journal'
import { Problem } from '../errors'
import type { CommandContext } from './change-command-context'
import { confirm } from './confirm'
import { newFileFlag, textFlag } from './flag-values'

/** Does the work with the journal that flags name, or without one. */
export async function withJournal<T>(
  { flags, session, dry }: CommandContext,
  work: (journal: Journal | undefined) => Promise<T>,
): Promise<T> {
  const begun = textFlag(flags, 'resume')
  const path = begun ?? newFileFlag(flags, 'journal')
  if (flags['resend-unknown'] && begun === undefined) throw new Problem('usage', '--resend-unknown needs --resume')
  if (path === undefined || (dry && begun === undefined)) return work(undefined)
  if (begun !== undefined && flags.journal !== undefined) {
    throw new Problem('usage', '--journal and --resume contradict each other', {
      hint: '--resume goes on with its file',
    })
  }
  const { Journal } = await import('../account/journal')
  const journal = await Journal.open({
    account: session.account,
    path,
    resume: begun !== undefined,
    dry,
    confirm: (question) => confirm(question, session),
  })
  try {
    return await work(journal)
  } finally {
    journal.close()
  }
}
