/** Undoes a change of rules that was made from this machine. */
import { differenceDetails, type ShownFirewall } from '../../../account/actions/rules'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { BackedUpChange } from '../../../account/rule-backups'
import { showDifference } from '../../../engine/confirm'
import { Problem } from '../../../errors'
import { areCurrent, diffRules, withServiceKeys } from '../../../firewall/diff'
import { restoring } from '../../../firewall/edit'
import { changeLine } from '../../../firewall/rule-text'
import { changeRules, type RulesInvocation } from './change'

/** A change, and the later change from this machine, such as `, last from here by change 14`. */
interface Undone extends BackedUpChange {
  later?: string | undefined
}

/** Restores the rules before a change. Throws `refused` if they have changed since, unless the user allows it. */
export async function undoPast(past: Undone, read: ShownFirewall, { flags, session }: RulesInvocation): Promise<void> {
  const changed = await changedSince(past, read, { flags, session })
  const time = `${new Date(past.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const over = changed
    ? `Changes ${past.later ? '' : 'of others '}since then will be lost. `
    : 'The rules from before it will be restored. '
  const question = `${over}Undo the change of ${time} to the rules of ${nameOf(firewallResource, read.firewall)}`
  await changeRules(read, { edit: restoring(past.before), question }, { flags, session })
}

/** Reports whether the rules have changed since; throws `refused` if the user cannot decide about it. */
async function changedSince(
  { before, written, later }: Undone,
  { firewall, shown }: ShownFirewall,
  { flags, session }: RulesInvocation,
): Promise<boolean> {
  const changes = diffRules(withServiceKeys(written, shown), shown)
  if (changes.length === 0 || areCurrent(before, shown)) return false
  const name = nameOf(firewallResource, firewall)
  const others = 'by somebody else'
  await showDifference(changes.map(changeLine), session, `Since then, ${name} was changed${later ?? ` ${others}`}:`)
  if (flags.force || (session.ui.interactive && !session.ui.yes)) {
    await showDifference(['Undoing all of it:'], session)
    return true
  }
  throw new Problem('changed', `the rules of ${name} were changed ${later ? `since${later}` : `${others} since`}`, {
    ...differenceDetails(changes),
    hint: 'To undo it anyway, add --force',
  })
}
