/** Closing what was opened for a while: the rule that did it goes, and nothing else, whatever others have changed. */
import type { FirewallRule, FirewallRules } from '../../../catalogue/firewall-rules'
import type { Found } from '../../../engine/resource'
import { markOfChanged, type Opening, parted } from '../../../firewall/opening'
import type { Session } from '../../../session'
import { completeRules } from '../rules/change'
import { readRules, replaceRules } from '../rules/standing'
import { noFile } from '../rules-file'

interface Closed {
  closed: readonly { opening: Opening; rule: FirewallRule }[]
  /** The marks of rules that were openings until somebody changed them: those stay. */
  changed: readonly string[]
}

/** Takes away the openings that pass the test; sends nothing where there is none. */
export async function closeOpenings(
  firewall: Found,
  test: (opening: Opening) => boolean,
  session: Session,
): Promise<Closed> {
  const before = await readRules(firewall, session)
  const changed = before.inbound.flatMap((rule) => markOfChanged(rule) ?? [])
  const { openings: closed } = parted(before, test)
  if (closed.length === 0) return { closed, changed }
  const without = (standing: FirewallRules) => {
    const { inbound } = parted(standing, test).rest
    return completeRules({ ...noFile, value: { inbound } }, standing, { flags: {} })
  }
  const again = async (standing: FirewallRules) => without(standing)
  await replaceRules({ firewall, before, after: without(before), again, unkept: true }, session)
  return { closed, changed }
}
