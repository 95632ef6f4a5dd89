/** Whether a change of rules has come to stand, whatever else was changed beside it. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { directions, meaningOf } from './rules'

/** What was added is there as often as it was to be, and what was removed no more often. */
export function hasLanded(now: FirewallRules, { from, to }: Record<'from' | 'to', FirewallRules>): boolean {
  return directions.every((direction) => {
    const [had, wanted, has] = [countsOf(from[direction]), countsOf(to[direction]), countsOf(now[direction])]
    return [...new Set([...from[direction], ...to[direction]].map(meaningOf))].every((meaning) => {
      const [old, goal, found] = [had(meaning), wanted(meaning), has(meaning)]
      return goal === old || (goal > old ? found >= goal : found <= goal)
    })
  })
}

function countsOf(rules: readonly FirewallRule[]): (meaning: string) => number {
  const found = new Map<string, number>()
  for (const meaning of rules.map(meaningOf)) found.set(meaning, (found.get(meaning) ?? 0) + 1)
  return (meaning) => found.get(meaning) ?? 0
}
