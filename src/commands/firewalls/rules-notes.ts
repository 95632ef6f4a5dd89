/** Prints remarks about rules to write: parts that skyctl left out or added, and likely mistakes. */
import type { Account } from '../../account/account'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { adviseOn } from '../../firewall/advice'

/** Remarks about rules, from reading them. */
export interface RulesNotes {
  /** Plain addresses, written with the mask that skyctl added. */
  masked: readonly string[]
  /** Keys of a listing that are neither rules nor policies. */
  left: readonly string[]
  /** Returns ` (line 12)` for a field such as `inbound[3].ports`; an empty string if no file has it. */
  placeOf(field: string | null): string
}

/** For rules of the command line. */
export const noNotes: RulesNotes = { masked: [], left: [], placeOf: () => '' }

/** Reports reinterpreted values, and warns of valid but unlikely ones; of open ports, if they were not open before. */
export async function printNotes(
  { next, shown }: { next: FirewallRules; shown?: FirewallRules },
  { masked, left, placeOf }: RulesNotes,
  { reporter }: Account,
): Promise<void> {
  if (left.length > 0) await reporter.status(`Neither rules nor policies, and left out: ${left.join(', ')}`)
  if (masked.length > 0) await reporter.status(`A plain address is a network of its own: ${masked.join(', ')}`)
  for (const { field, text } of adviseOn(next, shown)) await reporter.warn(`${text}${placeOf(field)}`)
}
