/**
 * What two sets of rules do differently with traffic: exact, over all ports and addresses there are, with nothing tried
 * out. What is found is what ./verdict says of each packet.
 */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { differing } from './differing'
import { open, sortTraffic } from './sort-traffic'
import type { Traffic } from './traffic'
import type { Packet } from './verdict'

/** What becomes of traffic that did not before. `unclear` may, where api.md does not say what a protocol matches. */
export interface Comparison {
  refused: readonly Traffic[]
  admitted: readonly Traffic[]
  unclear: readonly Traffic[]
}

export function compareRules(before: FirewallRules, after: FirewallRules, service: Packet['service']): Comparison {
  return sortTraffic([before, after], service, {
    names: ['refused', 'admitted', 'unclear'],
    decisive: ([was, is]) => differing(was, is),
    sort: ([was, is], [wasBy, isBy]) => ({
      refused: was.passes & is.drops,
      admitted: was.drops & is.passes,
      unclear: (was.unclear ^ is.unclear) | (wasBy.foreign === isBy.foreign ? 0n : was.unclear & is.unclear),
    }),
  })
}

/**
 * What of the traffic that `kept` lets in is not let in, or may not be; with `before`, only what was let in by that.
 */
export function closedBy(
  rules: FirewallRules,
  kept: FirewallRules,
  { service, before = open }: { service: Packet['service']; before?: FirewallRules | undefined },
): Omit<Comparison, 'admitted'> {
  return sortTraffic([kept, rules, before], service, {
    names: ['refused', 'unclear'],
    decisive: ([wanted]) => wanted.rules,
    sort: ([wanted, is, was = wanted]) => ({
      refused: wanted.passes & was.passes & is.drops,
      unclear: wanted.passes & was.passes & is.unclear,
    }),
  })
}
