import type { FoundObject } from '../../../account/resource'
import { firewalls } from '../../../catalogue/firewalls'
import type { Session } from '../../../engine/session'
import { shapedRules } from '../../../firewall/rules'
import { markIn } from '../../../firewall/temporary-opening'

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
