/** Implements `--journal` and `--resume`: opens the journal of a command. */
import type { Operation } from '../catalogue/operation'
import { Problem, tellsOfObject } from '../errors'
import type { ChangeContext } from './change-context'
import { newFileFlag, textFlag } from './flag-values'
import type { Journal } from './journal'
import type { JournalEntry } from './journal-lines'

/** Does the work with the journal that flags name, or without one. */
export async function withJournal<T>(
  { flags, session, dry }: ChangeContext,
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
  const { Journal } = await import('./journal')
  const journal = await Journal.open({ session, path, resume: begun !== undefined, dry })
  try {
    return await work(journal)
  } finally {
    journal.close()
  }
}

/**
 * Reports whether a failed request certainly had no effect. A request that can be retried may have been tried before it
 * failed. Then only an answer of the service decides; after an earlier run has sent it, nothing does.
 */
export function isUndone(error: unknown, { idempotency }: Operation, { past }: JournalEntry): boolean {
  if (!(error instanceof Problem)) return false
  if (idempotency === 'idempotent') return past?.state !== 'sending' && isAnswered(error)
  return error.code !== 'outcome_unknown'
}

const isAnswered = (error: Problem) => tellsOfObject(error.code) || error.code === 'usage'
