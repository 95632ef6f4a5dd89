/** Finds firewalls with openings, and formats openings as records. */
import { findTarget } from '../../../account/find-target'
import type { FoundObject, Target } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { FirewallRule } from '../../../catalogue/firewall-rules'
import { firewalls } from '../../../catalogue/firewalls'
import type { Flags } from '../../../engine/command'
import { viewOf } from '../../../engine/printing'
import type { Session } from '../../../engine/session'
import { accountFor } from '../../../engine/targets'
import { networkTexts, shapedRules } from '../../../firewall/rules'
import { markIn, type TemporaryOpening } from '../../../firewall/temporary-opening'
import { columnsFor } from '../../../output/column'
import type { View } from '../../../output/print'
import { formatTimestamp } from '../../../rules/times'

export interface OpeningRecord {
  firewall_id: number
  firewall: string | null
  protocol: string
  ports: string | null
  from: string[]
  /** Time in RFC 3339, in UTC. */
  until: string
  mark: string
}

const columns = columnsFor<OpeningRecord>(['firewall_id', 'firewall', 'protocol', 'ports', 'from', 'until', 'mark'])

export function recordOf(
  { opening, rule }: { opening: TemporaryOpening; rule: FirewallRule },
  { id, label }: { id: number; label: string | undefined },
): OpeningRecord {
  return {
    firewall_id: id,
    firewall: label ?? null,
    protocol: rule.protocol,
    ports: rule.ports ?? null,
    from: networkTexts(rule),
    until: `${formatTimestamp(opening.until)}Z`,
    mark: opening.mark,
  }
}

export function openingView(flags: Flags, session: Session): Promise<View> {
  return viewOf({ columns, key: 'firewall_id' }, flags, session)
}

/** A firewall that was listed, or that the user named. */
export type FirewallTarget = FoundObject | Target

/** Returns a function that finds each of these firewalls with its record, many of them in their list. */
export async function firewallFinder(
  firewalls: readonly FirewallTarget[],
  session: Session,
): Promise<(firewall: FirewallTarget) => Promise<FoundObject>> {
  const account = await accountFor(firewalls, firewallResource, session.account)
  return async (firewall) =>
    'record' in firewall ? firewall : findTarget(firewall, firewallResource, account, { record: true })
}

/** Returns the firewalls with openings, according to the rules in the list. */
export async function firewallsWithOpenings(session: Session): Promise<FoundObject[]> {
  const client = await session.account.client()
  const matches: FoundObject[] = []
  for await (const page of client.pages(firewalls.list)) {
    for (const record of page) {
      const rules = shapedRules(record.rules)
      // Rules that the list lacks are read by themselves.
      if (rules && !rules.inbound.some((rule) => markIn(rule))) continue
      matches.push({ id: record.id, input: record.label, record })
    }
  }
  return matches
}
