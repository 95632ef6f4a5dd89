/** Asks before changes are undone. */
import { askAbout, listUnasked } from '../../engine/confirm'
import { Problem } from '../../errors'
import type { Session } from '../../session'

interface Target {
  typed: string
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
      nameOf: async ({ typed }) => typed,
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
