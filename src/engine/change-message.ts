/** Puts the result of a change into words. */
import { type Account, sameAccount } from '../account/account'
import type { ChangeResult, SentRequest } from '../account/change'
import type { Answer, Operation } from '../catalogue/operation'

/** Messages about a change that was made, or was not needed. */
export interface ChangeMessages<O extends Operation = Operation> {
  /** `undoing`: the flag that names the account, empty without one, if there is a backup to restore. */
  done(answer: Answer<O>, sent: SentRequest, undoing?: string): string
  already?(sent: SentRequest, answer: Answer<O>): string
}

export async function changeMessage(
  { outcome, answer, sent }: ChangeResult,
  words: ChangeMessages,
  account: Account,
): Promise<string> {
  switch (outcome.kind) {
    case 'done':
      return words.done(answer, sent, outcome.hasBackup ? await sameAccount(account) : undefined)
    case 'already':
      return words.already?.(sent, answer) ?? 'No changes'
    case 'exists':
      return `${sent.name} already exists and matches`
    case 'absent':
      return `${outcome.problem.message}: nothing to do`
    case 'unchanged':
      return `No changes to ${outcome.what}`
  }
}
