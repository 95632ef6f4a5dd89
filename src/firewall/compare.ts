/**
 * Compares two rule sets by the traffic that they allow. The comparison is exact over all ports and addresses, without
 * sampling, and agrees with ./verdict for every packet.
 */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { classifyTraffic, open } from './classify-traffic'
import { unnamed } from './rules'
import type { Traffic } from './summarize-traffic'
import type { Packet } from './verdict'

/** Traffic newly blocked, newly allowed, or `unclear` because a rule cannot be judged. */
export interface Comparison {
  blocked: readonly Traffic[]
  allowed: readonly Traffic[]
  unclear: readonly Traffic[]
}

export function compareRules(before: FirewallRules, after: FirewallRules, service: Packet['service']): Comparison {
  return classifyTraffic([before, after], service, {
    names: ['blocked', 'allowed', 'unclear'],
    decisive: ([was, is]) => differing(was, is),
    sort: ([was, is], [wasBy, isBy]) => ({
      blocked: was.passes & is.drops,
      allowed: was.drops & is.passes,
      unclear: (was.unclear ^ is.unclear) | (wasBy.unjudged === isBy.unjudged ? 0n : was.unclear & is.unclear),
    }),
  })
}

/** Returns the traffic of `required` that `rules` block or may block; with `before`, only what that allows too. */
export function closedBy(
  rules: FirewallRules,
  required: FirewallRules,
  { service, before = open }: { service: Packet['service']; before?: FirewallRules | undefined },
): Omit<Comparison, 'allowed'> {
  return classifyTraffic([required, rules, before], service, {
    names: ['blocked', 'unclear'],
    decisive: ([subject]) => subject.rules,
    sort: ([subject, is, was = subject]) => ({
      blocked: subject.passes & was.passes & is.drops,
      unclear: subject.passes & was.passes & is.unclear,
    }),
  })
}

interface Side {
  policy: string
  rules: readonly FirewallRule[]
}

/** Returns the rules from the first difference to the last; undefined if the policies differ as well. */
export function differing(one: Side, other: Side): readonly FirewallRule[] | undefined {
  if (one.policy !== other.policy) return undefined
  const [some, others] = [written(one), written(other)]
  const least = Math.min(some.length, others.length)
  let [start, end] = [0, 0]
  while (start < least && some[start] === others[start]) start += 1
  while (end < least - start && some.at(-1 - end) === others.at(-1 - end)) end += 1
  return [...one.rules.slice(start, some.length - end), ...other.rules.slice(start, others.length - end)]
}

const written = ({ rules }: Side) => rules.map((rule) => JSON.stringify(unnamed(rule)))
