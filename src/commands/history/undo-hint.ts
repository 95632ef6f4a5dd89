/** Prints how to undo an apply. It ends each apply, so it loads only the actions of its changes. */
import { sameAccount } from '../../account/account'
import { byWay } from '../../account/action-functions'
import { undoOfAction } from '../../account/actions'
import type { RecordedChange } from '../../account/history/lines'
import { readHistory } from '../../account/ledger/reader'
import type { RestoringUndo, Undo } from '../../account/undo'
import type { Session } from '../../engine/session'
import { ignoreProblem } from '../../errors'
import { isRecord } from '../../rules/records'

/** Prints the command that undoes the changes of this run; nothing if no change is recorded, or none has an undo. */
export async function printUndoHint({ account, ui }: Session): Promise<void> {
  const { apply } = (await account.history()) ?? {}
  if (apply === undefined) return
  const past = (await readHistory(account).catch(ignoreProblem)) ?? []
  const changes = past.filter((one) => one.apply === apply && one.result?.outcome !== 'failed')
  const undoes = await Promise.all(changes.map(hasUndo))
  const lasting = undoes.filter((isPossible) => !isPossible).length
  if (lasting === changes.length) return
  const have = lasting === 1 ? 'has' : 'have'
  const rest =
    lasting === 0 ? 'Undo' : `${lasting} of ${changes.length} changes ${have} no automatic undo. Undo the rest`
  await ui.status(`${rest} with: skyctl history undo --apply ${apply}${await sameAccount(account)}`)
}

/** Says that a file still has changes of an apply that were undone. */
export async function tellOfFile(undone: readonly RecordedChange[], { ui }: Session): Promise<void> {
  if (undone.some(({ command }) => command.startsWith('apply: ')))
    await ui.status('If the file stays as it is, the next apply makes the change again')
}

/** Reports whether a change of a plan has an undo. Its command ends with the name of its action, or it deletes a duplicate. */
async function hasUndo(change: RecordedChange): Promise<boolean> {
  const undo = await undoOfAction(change.command.replace(/^.*: /, ''))
  return undo !== undefined && canUndo(change, undo)
}

/** Reports whether the history has what the undo of an action needs. */
export const canUndo = (past: RecordedChange, undo: Undo): boolean =>
  byWay(undo, {
    restoring: (way) => past.before !== undefined && lastingIn(past, way).length === 0,
    device: (way) => (way.device === 'delete' ? past.result?.id : serviceIn(past)) !== undefined,
    rules: () => past.copy !== undefined,
    hand: () => false,
  })

/**
 * Returns the fields that were on, are off now, and cannot be restored: `ip_whitelist_enabled: it cannot be switched on
 * again`.
 */
export function lastingIn({ before = {} }: RecordedChange, { lasting = {} }: RestoringUndo): string[] {
  return Object.entries(lasting).flatMap(([field, why]) => (before[field] === true ? [`${field}: ${why}`] : []))
}

export function serviceIn({ before }: RecordedChange): { type: 'compute' | 'balancer'; id: number } | undefined {
  const { id, type } = isRecord(before?.entity) ? before.entity : {}
  return typeof id === 'number' && (type === 'compute' || type === 'balancer') ? { type, id } : undefined
}
