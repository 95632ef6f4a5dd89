/** Whether a change of rules has come to stand, whatever else was changed beside it. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { directions, meaningOf } from './rules'

/** What was added is there as often as it was to be, and what was removed no more often. */
export function hasLanded(now: FirewallRules, { from, to }: Record<'from' | 'to', FirewallRules>): boolean {
  return directions.every((direction) => {
    const [had, wanted, has] = [countsOf(from[direction]), countsOf(to[direction]), countsOf(now[direction])]
    return [...new Set([...from[direction], ...to[direction]].map(meaningOf))].every((meaning) => {
      const [old, goal, found] = [had(meaning), wanted(meaning), has(meaning)]
      return goal > old ? found >= goal : goal === old || found <= goal
    })
  })
}

function countsOf(rules: readonly FirewallRule[]): (meaning: string) => number {
  const meanings = rules.map(meaningOf)
  return (meaning) => meanings.filter((one) => one === meaning).length
}
