/** Handles targets of a resumed journal whose request was sent, but whose answer is missing. */
import { Problem } from '../errors'
import type { Change } from './change'
import type { ChangeContext } from './change-context'
import type { BeforeRequest, JournalEntry } from './journal-lines'
import { lookUpLabel } from './label-lookup'
import { type CreationAttempt, findCreated, isLost } from './lost-response'
import type { Item } from './resource'

/** An object to create, and how to create it if the request may be sent after all. */
interface Resuming {
  attempt: Omit<CreationAttempt, 'before'>
  entry: JournalEntry
  past: BeforeRequest
  anew(): Promise<Change>
}

/**
 * Adopts the object that the earlier run certainly created, as after a lost answer. Otherwise the outcome stays unknown
 * and nothing is sent. Exceptions are `--if-absent`, which uses an existing object, and `--resend-unknown` if no new
 * object has the label.
 */
export function resumeCreation(change: Change, resuming: Resuming, context: ChangeContext): Change {
  const { attempt, past, entry } = resuming
  // Objects of other lines with the same label are not candidates.
  const others = entry.others().map((id): Item => ({ id: Number(id) }))
  const before = past.before && { ...past.before, items: [...past.before.items, ...others] }
  let sent = change
  return {
    ...change,
    async send() {
      try {
        return await findCreated(endedBefore(change), { ...attempt, before })
      } catch (error) {
        if (!isLost(error) || !(await maySend({ ...attempt, before }, context))) throw error
        sent = await resuming.anew()
        return sent.send ? sent.send() : (await import('./change')).send(sent, context.account)
      }
    },
    outcome: () => sent.outcome?.() ?? { kind: 'done' },
  }
}

function endedBefore({ operation: { method, path } }: Change): Problem {
  return new Problem('outcome_unknown', `an earlier run ended before the answer to ${method} ${path} came`, {
    request: { method, path },
  })
}

async function maySend(
  { body, resource, account, before }: CreationAttempt,
  { options }: ChangeContext,
): Promise<boolean> {
  const { label } = body
  if (typeof label !== 'string' || !(options.ifAbsent || options.resendUnknown)) return false
  const { items } = await lookUpLabel(label, resource, account)
  if (options.ifAbsent && items.length > 0) return true
  const fresh = items.filter(({ id }) => !before?.items.some((item) => item.id === id))
  return options.resendUnknown === true && before !== undefined && fresh.length === 0
}
