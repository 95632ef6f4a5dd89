/**
 * Restores the rules before a change, for undos and rollbacks. Temporary openings stay as they are now: what has been
 * closed is never opened again, and what is open stays open until its own time is over.
 */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { areCurrent } from './diff'
import type { RulesEdit } from './edit'
import { tidyRules } from './normalize-rules'
import { sendable } from './rules'
import { temporaryOpening, withoutOpenings } from './temporary-opening'
import { withUnmanaged } from './unmanaged'

/** Returns earlier rules with the openings of now in place of those from then. */
export function withOpeningsOf(now: FirewallRules, earlier: FirewallRules): FirewallRules {
  const openings = now.inbound.flatMap((rule, index) =>
    temporaryOpening(rule) ? [{ direction: 'inbound' as const, index }] : [],
  )
  return withUnmanaged(withoutOpenings(earlier), now, openings)
}

/** Reports whether rules are the current ones, apart from temporary openings. */
export const areRestored = (earlier: FirewallRules, now: FirewallRules) => areCurrent(withOpeningsOf(now, earlier), now)

/** Returns the edit of the rules of now that restores rules that the service had before. */
export function restoring(earlier: FirewallRules, now: FirewallRules): RulesEdit {
  const previous = withOpeningsOf(now, earlier)
  return { kind: 'replace', input: tidyRules(sendable(previous)), previous }
}
