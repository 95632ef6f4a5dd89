/** Steps before an undo: it checks the account and later changes, and asks the user. */

import { accountOf } from '../../account/account'
import { expectOwnAccount } from '../../account/expect-own-account'
import type { RecordedChange } from '../../account/history/lines'
import { askAbout, listUnasked } from '../../engine/ask-about'
import type { CommandInput } from '../../engine/command'
import type { Session } from '../../engine/session'
import { type Details, Problem } from '../../errors'
import { capitalized } from '../../rules/texts'
import { accountFlag, type ChangeRecord, contextNames, noUndoReason } from './describe-change'

/**
 * Throws if a change was made in another account, where ids mean other objects. If its user is unknown, the context
 * decides; it may have been renamed, and with environment variables there is none. `command` is the undo command.
 */
export async function expectAccount(past: RecordedChange, command: string, session: Session): Promise<void> {
  const flag = (await accountFlag(session))(past)
  const hint = flag === '' ? 'Sign in to that account' : `Run: skyctl ${command}${flag}`
  const owner = { service: past.service, user: past.user }
  if (await expectOwnAccount({ text: `change ${past.number} was made by`, owner, hint }, session.account)) return
  const { context } = await accountOf(session.account)
  const other = context !== null && past.context !== context
  if (!other || !(await contextNames(session)).has(past.context ?? '')) return
  throw new Problem('conflict', `change ${past.number} was made in the context "${past.context}"`, { hint })
}

/**
 * Reports whether others have changed something since, as these texts say. Throws `changed` if the user cannot decide about
 * it.
 */
export async function goesOver(
  changed: readonly string[],
  { flags, session }: CommandInput,
  detailsOf: () => Details,
): Promise<boolean> {
  if (changed.length === 0 || flags.force) return changed.length > 0
  if (!session.ui.interactive || session.ui.yes) throw new Problem('changed', changed.join('; '), detailsOf())
  for (const text of changed) await session.ui.print(capitalized(text))
  return true
}

/** Returns the refusal to undo a change; undefined if it has an automatic undo. `later` are the changes after it. */
export function undoRefusal(
  change: ChangeRecord,
  later: readonly RecordedChange[],
  details: Details = {},
): Problem | undefined {
  const { number, result } = change.past
  const reason = result?.outcome === 'failed' ? 'it failed, so nothing was changed' : noUndoReason(change, later)
  if (reason === undefined) return undefined
  const text = reason.startsWith('To ')
    ? `change ${number} has no automatic undo. ${reason}`
    : `change ${number} cannot be undone: ${reason[0]?.toLowerCase()}${reason.slice(1)}`
  return new Problem('refused', text, details)
}

interface Target {
  input: string
  /** Reason why it cannot be undone. */
  reason?: string
}

interface Undoing {
  /** True if others have changed something since. */
  over: boolean
  /** Returns the rest of the question, behind the first consequence. */
  text(names: string): string
  session: Session
}

/** Asks once about all changes that can be undone. Lists the others with their reasons, even if nobody is asked. */
export async function confirmUndo(targets: readonly Target[], { over, text, session }: Undoing): Promise<void> {
  if (session.ui.yes || !session.ui.interactive) await listUnasked(leftOf(targets), { verb: 'undo', targets }, session)
  if (session.ui.yes) return
  const consequence = over ? 'Changes since then will be lost' : 'The values from before will be restored'
  await askAbout(
    {
      text: ({ names }) => `${consequence}${text(names)}`,
      nameOf: async ({ input }) => input,
      concerns: ({ reason }) => reason === undefined,
      plural: 'changes',
    },
    {
      verb: 'undo',
      targets,
      async prepare({ reason }) {
        if (reason !== undefined) throw new Problem('refused', reason)
        return {}
      },
    },
    session,
  )
}

const leftOf = (targets: readonly Target[]) =>
  new Map(
    targets.flatMap((target) =>
      target.reason === undefined ? [] : [[target, new Problem('refused', target.reason)] as const],
    ),
  )
