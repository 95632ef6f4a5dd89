/** Finds out why `history undo` without a number passes over a change: there is nothing left to undo. */

import type { RecordedChange } from '../../account/history/lines'
import { nameOf } from '../../account/resource'
import { firewallResource } from '../../account/resources/firewall'
import { changeAt } from '../../account/rule-backups'
import type { CommandInput } from '../../engine/command'
import { isGone, Problem } from '../../errors'
import { areRestored } from '../../firewall/restore'
import { readShown } from '../firewalls/rules/change'
import { expectAccount } from './confirm-undo'
import { type ChangeRecord, changeRecordOf, objectName } from './describe-change'
import { prepareUndo } from './prepare-undo'

/** Returns the reason, in which "it" is the change; undefined if an undo of the change would change something. */
export async function undoSkipReason(past: RecordedChange, input: CommandInput): Promise<string | undefined> {
  const { apply } = past
  if (apply !== undefined) {
    const { isApplyReversed } = await import('./undo-apply')
    return (await isApplyReversed(apply, input)) ? 'everything is as before it' : undefined
  }
  const change = changeRecordOf(past)
  const number = String(past.number)
  await expectAccount(past, `history undo ${number}`, input.session)
  try {
    return await prepareUndo(change, input, {
      prepared: async ({ lines, name }) => (lines.length === 0 ? `${name} is as before it` : undefined),
      rules: () => rulesReason(change, input),
    })
  } catch (error) {
    if (error instanceof Problem && isGone(error)) return `${objectName(change)} no longer exists`
    throw error
  }
}

async function rulesReason({ past, pathParameters }: ChangeRecord, input: CommandInput): Promise<string | undefined> {
  const backup = past.copy === undefined ? undefined : await changeAt(past.copy, input.session.account)
  if (!backup) return 'the rules before it are no longer kept'
  const { firewall, shown } = await readShown(`id:${Number(pathParameters.firewallId)}`, input)
  const name = nameOf(firewallResource, firewall)
  return areRestored(backup.before, shown) ? `the rules of ${name} are as before it` : undefined
}
