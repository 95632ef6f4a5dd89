/** `--journal` and `--resume`: what of a command that changes many things is kept, to go on with. */
import type { Operation } from '../catalogue/operation'
import { Problem, tellsOfObject } from '../errors'
import { newFileFlag, textFlag } from './flag-values'
import type { Journal } from './journal'
import type { Entry } from './journal-lines'
import type { Situation } from './situation'

/** Does the work with the journal that flags name; without one, with none. */
export async function withJournal<T>(
  { flags, session, dry }: Situation,
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
 * Whether a failed request is known not to have been done. One that may be repeated may have been tried before it
 * failed: then only an answer of the service tells, and of what an earlier run has sent, none does.
 */
export function isUndone(error: unknown, { repeat }: Operation, { past }: Entry): boolean {
  if (!(error instanceof Problem)) return false
  if (repeat === 'safe' || repeat === 'idempotent') return past?.state !== 'sending' && isAnswered(error)
  return error.code !== 'outcome_unknown'
}

const isAnswered = (error: Problem) => tellsOfObject(error.code) || error.code === 'usage'
