/** Computes a short hash of a rule set: equal for equal meaning, new after any other change. */
import { createHash } from 'node:crypto'
import type { FirewallRules } from '../catalogue/firewall-rules'
import { directions, meaningOf } from './rules'

/** Number of hexadecimal digits. Among 10,000 versions of a firewall, the chance of a collision is 1 in 5 million. */
const digits = 12

export const hashPattern = new RegExp(`^[0-9a-f]{${digits}}$`)

export function hashOf(rules: FirewallRules): string {
  const sides = directions.map((direction) => [rules[`${direction}_policy`], rules[direction].map(meaningOf)])
  return createHash('sha256').update(JSON.stringify(sides)).digest('hex').slice(0, digits)
}
