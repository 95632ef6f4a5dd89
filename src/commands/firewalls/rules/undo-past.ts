/** Undoes a change of rules that was made from this machine. */

import { differenceDetails, type ShownFirewall } from '../../../account/actions/rules'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { BackedUpChange } from '../../../account/rule-backups'
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { CommandInput } from '../../../engine/command'
import { showDifference } from '../../../engine/confirm'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { diffRules, withServiceKeys } from '../../../firewall/diff'
import { areRestored, restoring, withOpeningsOf } from '../../../firewall/restore'
import { changeLine } from '../../../firewall/rule-text'
import { openingsIn, temporaryOpening } from '../../../firewall/temporary-opening'
import { changeRules } from './change'

/** A change, and the later change from this machine, such as `, last from here by change 14`. */
interface Undone extends BackedUpChange {
  later?: string | undefined
  /** Reason if nothing changes, such as `as before change 8`. */
  asBefore?: string
}

/** Restores the rules before a change. Throws `refused` if they have changed since, unless the user allows it. */
export async function undoPast(past: Undone, read: ShownFirewall, { flags, session }: CommandInput): Promise<void> {
  const changed = await changedSince(past, read, { flags, session })
  const time = `${new Date(past.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const over = changed
    ? `Changes ${past.later ? '' : 'of others '}since then will be lost. `
    : 'The rules from before it will be restored. '
  const name = nameOf(firewallResource, read.firewall)
  const reason = past.asBefore && `the rules of ${name} are ${past.asBefore}`
  const question = `${over}Undo the change of ${time} to the rules of ${name}`
  await reportClosed(past, read.shown, session)
  await changeRules(read, { edit: restoring(past.before, read.shown), question, reason }, { flags, session })
}

/** Says which temporary openings from before the change stay closed. */
async function reportClosed({ before }: BackedUpChange, shown: FirewallRules, { ui }: Session): Promise<void> {
  const open = new Set(shown.inbound.map((rule) => temporaryOpening(rule)?.mark))
  const closed = openingsIn(before.inbound, ({ mark }) => !open.has(mark))
  if (closed.length === 0) return
  const { accessRuleText } = await import('../temporary-access/open-flags')
  for (const { rule } of closed) await ui.status(`${accessRuleText(rule)} stays closed: it was open temporarily`)
}

/** Reports whether the rules have changed since; throws `refused` if the user cannot decide about it. */
async function changedSince(
  { before, written, later }: Undone,
  { firewall, shown }: ShownFirewall,
  { flags, session }: CommandInput,
): Promise<boolean> {
  const changes = diffRules(withServiceKeys(withOpeningsOf(shown, written), shown), shown)
  if (changes.length === 0 || areRestored(before, shown)) return false
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
