/** Finds rules that change alike because they name a network, so that people read of its change once. */
import type { FieldChange, RulesChange } from '../firewall/diff'
import { withoutAddresses } from '../firewall/networks'
import { groupBy } from '../rules/records'

export type RuleNetworks = ReadonlyMap<object, readonly NamedAddresses[]>

export interface NamedAddresses {
  name: string
  addresses: readonly string[]
}

export interface NetworkChange {
  name: string
  added: readonly string[]
  removed: readonly string[]
  /** Changes of rules that are nothing but this one. */
  changes: ReadonlySet<RulesChange>
  /** Number of firewalls with these rules. */
  firewalls: number
}

/** Change of a rule's addresses, and a network that can be its cause. */
interface Candidate {
  change: RulesChange
  firewall: string
  name: string
  added: readonly string[]
  removed: readonly string[]
}

/**
 * Returns the changes of networks that explain changes of several rules, the one with most rules first. The account
 * holds addresses only, so a network counts as the cause if all rules with names that change alike name it, and it has
 * all their new addresses. If that holds for two networks, none is named.
 */
export function changesByNetwork(
  objects: readonly { name: string; steps: readonly { rules?: readonly RulesChange[] }[] }[],
  networks: RuleNetworks,
): NetworkChange[] {
  const all = objects.flatMap(({ name, steps }) =>
    steps.flatMap(({ rules = [] }) => rules.flatMap((change) => candidatesOf(change, name, networks))),
  )
  return [...groupBy(all, ({ added, removed }) => JSON.stringify([added, removed])).values()]
    .flatMap(causeOf)
    .sort((a, b) => b.changes.size - a.changes.size)
}

function candidatesOf(change: RulesChange, firewall: string, networks: RuleNetworks): Candidate[] {
  if (change.kind !== 'changed' || change.moved || change.from !== change.to) return []
  if (!change.fields.every(({ field }) => field.startsWith('addresses.'))) return []
  const [added, removed] = [change.fields.flatMap(addedIn), change.fields.flatMap(removedIn)]
  const named = networks.get(change.rule) ?? []
  return named
    .filter(({ addresses }) => withoutAddresses(added, addresses).length === 0)
    .map(({ name }) => ({ change, firewall, name, added, removed }))
}

const addedIn = ({ from, to }: FieldChange) => withoutAddresses(to ?? [], from ?? [])
const removedIn = ({ from, to }: FieldChange) => withoutAddresses(from ?? [], to ?? [])

/** Returns the only network that all rules with a change name; none for a single rule. */
function causeOf(alike: readonly Candidate[]): NetworkChange[] {
  const changes = new Set(alike.map(({ change }) => change))
  const causes = [...groupBy(alike, ({ name }) => name)].filter(([, group]) => group.length === changes.size)
  const [cause, other] = causes
  const [first] = alike
  if (changes.size < 2 || !first || !cause || other) return []
  const [name, group] = cause
  const firewalls = new Set(group.map(({ firewall }) => firewall)).size
  return [{ name, added: first.added, removed: first.removed, changes, firewalls }]
}
