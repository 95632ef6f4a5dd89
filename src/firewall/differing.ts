/** Reduces two rule lists to the rules in which they differ. */
import type { FirewallRule } from '../catalogue/firewall-rules'
import { unnamed } from './rules'

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
