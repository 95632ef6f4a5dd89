/** Closes temporary openings: removes only the rule of the opening, whatever others have changed. */

import { readRules, replaceRules } from '../../../account/actions/rules'
import type { PlannedRequest } from '../../../account/change'
import type { FoundObject } from '../../../account/resource'
import { type FirewallRule, type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import { showDifference } from '../../../engine/confirm'
import type { Session } from '../../../engine/session'
import { completeRules } from '../../../firewall/check-rules'
import { markOfChanged, parted, type TemporaryOpening } from '../../../firewall/temporary-opening'

/** Result of closing openings of a firewall. */
interface Closing {
  firewall: FoundObject
  before: FirewallRules
  /** Openings that pass the test. */
  closed: readonly { opening: TemporaryOpening; rule: FirewallRule }[]
  /** Rules that others have changed, so they are no longer openings and stay, with their marks. */
  changed: readonly { mark: string; rule: FirewallRule }[]
  /** Removes these openings from any rules. */
  without(current: FirewallRules): FirewallRules
}

export async function planClosing(
  firewall: FoundObject,
  test: (opening: TemporaryOpening, rule: FirewallRule) => boolean,
  session: Session,
): Promise<Closing> {
  const before = await readRules(firewall, session.account)
  return {
    firewall,
    before,
    closed: parted(before, test).openings,
    changed: before.inbound.flatMap((rule) => {
      const mark = markOfChanged(rule)
      return mark === undefined ? [] : [{ mark, rule }]
    }),
    without(current) {
      const { inbound } = parted(current, test).rest
      return completeRules({ value: { inbound } }, current)
    },
  }
}

/** Returns the request that removes them, if the rules do not change before. */
export const closingRequest = ({ firewall, before, without }: Closing): PlannedRequest => ({
  operation: firewallRules.update,
  path: { firewallId: firewall.id },
  body: { ...without(before) },
})

/** Maximum wait for another process that changes the rules, and may be stopped: openings must be closed in time. */
export const patienceMs = 5_000

/** Closes the openings; sends nothing if there are none. */
export async function closeOpenings({ firewall, before, closed, without }: Closing, session: Session): Promise<void> {
  if (closed.length === 0) return
  const commuting = {
    again: async (current: FirewallRules) => without(current),
    showOthers: (lines: readonly string[], title: string) => showDifference(lines, session, title),
  }
  await replaceRules(
    { firewall, before, after: without(before), commuting, noBackup: true, patienceMs },
    session.account,
  )
}
