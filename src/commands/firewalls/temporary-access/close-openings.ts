/** Closes temporary openings: removes only the rule of the opening, whatever others have changed. */

import { nextRules, type PlannedEdit, readRules, type ShownFirewall, writeEdit } from '../../../account/actions/rules'
import type { FoundObject } from '../../../account/resource'
import type { FirewallRule, FirewallRules } from '../../../catalogue/firewall-rules'
import type { Session } from '../../../engine/session'
import { markOfChanged, openingsIn, type TemporaryOpening } from '../../../firewall/temporary-opening'

interface Closing extends ShownFirewall {
  next: FirewallRules
  /** Openings that pass the test. */
  closed: readonly { opening: TemporaryOpening; rule: FirewallRule }[]
  /** Rules that others have changed, so they are no longer openings and stay, with their marks. */
  changed: readonly { mark: string; rule: FirewallRule }[]
  /** The edit that removes the openings. */
  planned: PlannedEdit
}

export async function planClosing(
  firewall: FoundObject,
  test: (opening: TemporaryOpening, rule: FirewallRule) => boolean,
  session: Session,
): Promise<Closing> {
  const shown = await readRules(firewall, session.account)
  const closed = openingsIn(shown.inbound, test)
  const targets = closed.map(({ opening: { mark } }) => ({ text: mark, mark }))
  const edit = { kind: 'remove', direction: 'inbound', targets, ifPresent: true } as const
  const planned: PlannedEdit = { firewall, shown, edit, noBackup: true, patienceMs }
  return {
    firewall,
    shown,
    closed,
    changed: shown.inbound.flatMap((rule) => {
      const mark = markOfChanged(rule)
      return mark === undefined ? [] : [{ mark, rule }]
    }),
    planned,
    next: await nextRules(planned, shown),
  }
}

/** Maximum wait for another process that changes the rules, and may be stopped: openings must be closed in time. */
export const patienceMs = 5_000

/** Closes the openings; sends nothing if there are none. */
export async function closeOpenings({ closed, planned }: Closing, session: Session): Promise<void> {
  if (closed.length > 0) await writeEdit(planned, session.account)
}
