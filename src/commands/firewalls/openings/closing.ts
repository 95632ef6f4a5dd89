/** Closing what was opened for a while: the rule that did it goes, and nothing else, whatever others have changed. */
import { type FirewallRule, type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { PlannedRequest } from '../../../engine/dry-run'
import type { Found } from '../../../engine/resource'
import { markOfChanged, type Opening, parted } from '../../../firewall/opening'
import type { Session } from '../../../session'
import { completeRules } from '../rules/change'
import { readRules, replaceRules } from '../rules/standing'
import { noFile } from '../rules-file'

/** What closing comes to at a firewall. */
interface Closing {
  firewall: Found
  before: FirewallRules
  /** Those of its openings that pass the test. */
  closed: readonly { opening: Opening; rule: FirewallRule }[]
  /** The marks of rules that were openings until somebody changed them: those stay. */
  changed: readonly string[]
  /** Any rules, without those openings. */
  without(standing: FirewallRules): FirewallRules
}

export async function planClosing(
  firewall: Found,
  test: (opening: Opening) => boolean,
  session: Session,
): Promise<Closing> {
  const before = await readRules(firewall, session)
  return {
    firewall,
    before,
    closed: parted(before, test).openings,
    changed: before.inbound.flatMap((rule) => markOfChanged(rule) ?? []),
    without(standing) {
      const { inbound } = parted(standing, test).rest
      return completeRules({ ...noFile, value: { inbound } }, standing, { flags: {} })
    },
  }
}

/** The request that takes them away, where nobody changes the rules before. */
export const closingRequest = ({ firewall, before, without }: Closing): PlannedRequest => ({
  operation: firewallRules.update,
  path: { firewallId: firewall.id },
  body: { ...without(before) },
})

/** A process that was stopped while it changes the rules must not keep them open. */
export const patienceMs = 5_000

/** Sends nothing where there is nothing to close. */
export async function carryOutClosing({ firewall, before, closed, without }: Closing, session: Session): Promise<void> {
  if (closed.length === 0) return
  const again = async (standing: FirewallRules) => without(standing)
  await replaceRules({ firewall, before, after: without(before), again, unkept: true, patienceMs }, session)
}
