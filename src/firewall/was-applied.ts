/** Checks whether a rule change was applied, regardless of other changes made at the same time. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { withServiceKeys } from './diff'
import { directions, meaningOf } from './rules'

/** Reports whether `now` has at least as many copies of each added rule, and at most as many of each removed one. */
export function wasApplied(now: FirewallRules, change: Record<'from' | 'to', FirewallRules>): boolean {
  const [from, to] = [withServiceKeys(change.from, now), withServiceKeys(change.to, now)]
  return directions.every((direction) => {
    const [before, after, current] = [countsOf(from[direction]), countsOf(to[direction]), countsOf(now[direction])]
    return [...new Set([...from[direction], ...to[direction]].map(meaningOf))].every((meaning) => {
      const [old, goal, count] = [before(meaning), after(meaning), current(meaning)]
      return goal > old ? count >= goal : goal === old || count <= goal
    })
  })
}

function countsOf(rules: readonly FirewallRule[]): (meaning: string) => number {
  const meanings = rules.map(meaningOf)
  return (meaning) => meanings.filter((one) => one === meaning).length
}
