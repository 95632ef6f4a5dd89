/** Traffic that a change of rules stops allowing, and that the policy or another rule allows all the same. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { diffRules, type RulesChange } from './diff'
import type { Direction } from './rules'
import { sortTraffic } from './sort-traffic'
import type { Traffic } from './traffic'

export interface StillAllowed {
  direction: Direction
  traffic: readonly Traffic[]
  /** The rules that allow it, counted from 1 in the new rules; null is the policy. */
  by: readonly (number | null)[]
}

/**
 * One for each change that closes nothing of what it takes away. What a new rule allows is meant to be allowed, so only
 * rules that were there before, and a policy that stays, count.
 */
export function stillAllowed(before: FirewallRules, after: FirewallRules): StillAllowed[] {
  const changes = diffRules(before, after)
  return changes.flatMap((change): StillAllowed[] => {
    const { direction } = change
    const taken = takenAway(change, before)
    if (!taken || closes(taken, before, after)) return []
    const isNew = newAcceptors(changes, direction)
    const old = acceptors(after, direction).filter((one) => !isNew.has(one))
    const allowedBy = (some: typeof old) => passing(taken, acceptedBy(some, after, direction))
    const traffic = allowedBy(old)
    if (traffic.length === 0) return []
    return [{ direction, traffic, by: old.filter((one) => allowedBy([one]).length > 0) }]
  })
}

const nothing: FirewallRules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }

const only = (direction: Direction, rules: readonly FirewallRule[]): FirewallRules => ({
  ...nothing,
  [direction]: [...rules],
})

/** Rules that allow what a change does not allow any more by itself; undefined where it only allows more. */
function takenAway(change: RulesChange, before: FirewallRules): FirewallRules | undefined {
  const { direction, kind } = change
  if (kind === 'policy') {
    return change.to === 'DROP' ? { ...nothing, [`${direction}_policy`]: 'ACCEPT' } : undefined
  }
  if (kind === 'added') return undefined
  const { rule } = change
  if (kind === 'moved') {
    return rule.action === 'DROP' && change.to < change.from
      ? only(direction, [{ ...rule, action: 'ACCEPT' }])
      : undefined
  }
  const old = before[direction][change.from - 1]
  if (old?.action !== 'ACCEPT') return undefined
  if (kind === 'removed' || rule.action !== 'ACCEPT') return only(direction, [old])
  return only(direction, [{ ...rule, action: 'DROP' }, old])
}

/** Whether something of it was let through before, and is not any more for sure. */
function closes(taken: FirewallRules, before: FirewallRules, after: FirewallRules): boolean {
  const { closed } = sortTraffic([taken, before, after], 'compute', {
    names: ['closed'],
    decisive: ([wanted]) => (wanted.policy === 'ACCEPT' ? undefined : wanted.rules),
    sort: ([wanted, was, is]) => ({ closed: wanted.passes & was.passes & ~(is?.passes ?? 0n) }),
  })
  return closed.length > 0
}

function passing(taken: FirewallRules, rules: FirewallRules): Traffic[] {
  return sortTraffic([taken, rules], 'compute', {
    names: ['passing'],
    decisive: ([wanted]) => (wanted.policy === 'ACCEPT' ? undefined : wanted.rules),
    sort: ([wanted, is]) => ({ passing: wanted.passes & is.passes }),
  }).passing
}

type Acceptor = StillAllowed['by'][number]

/** The numbers of the rules that accept, and null for a policy that does. */
const acceptors = (rules: FirewallRules, direction: Direction): Acceptor[] => [
  ...rules[direction].flatMap(({ action }, index) => (action === 'ACCEPT' ? [index + 1] : [])),
  ...(rules[`${direction}_policy`] === 'ACCEPT' ? [null] : []),
]

/** Those that a change brings in; another name makes none new. */
function newAcceptors(changes: readonly RulesChange[], side: Direction): ReadonlySet<Acceptor> {
  const isName = (field: string) => field === 'label' || field === 'description'
  const added = changes.flatMap((change): Acceptor[] => {
    if (change.direction !== side) return []
    if (change.kind === 'policy') return [null]
    const isNew =
      change.kind === 'added' || (change.kind === 'changed' && !change.fields.every(({ field }) => isName(field)))
    return isNew ? [change.to] : []
  })
  return new Set(added)
}

/** The same rules, of which no others accept anything. */
const acceptedBy = (some: readonly Acceptor[], rules: FirewallRules, direction: Direction): FirewallRules => ({
  ...rules,
  [direction]: rules[direction].map((rule, index) => ({
    ...rule,
    action: some.includes(index + 1) ? rule.action : 'DROP',
  })),
  [`${direction}_policy`]: some.includes(null) ? 'ACCEPT' : 'DROP',
})
