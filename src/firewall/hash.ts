/** A short text that is the same for rules that mean the same, and another one once anything of them is changed. */
import { createHash } from 'node:crypto'
import type { FirewallRules } from '../catalogue/firewall-rules'
import { directions, meaningOf } from './rules'

/** So many hexadecimal digits: of 10,000 versions of a firewall, two are alike with a chance of 1 in 5 million. */
const digits = 12

export const hashPattern = new RegExp(`^[0-9a-f]{${digits}}$`)

export function hashOf(rules: FirewallRules): string {
  const sides = directions.map((direction) => [rules[`${direction}_policy`], rules[direction].map(meaningOf)])
  return createHash('sha256').update(JSON.stringify(sides)).digest('hex').slice(0, digits)
}
