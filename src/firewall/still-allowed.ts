/** Finds traffic that a rule change stops allowing but the policy or another rule still allows. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { escapeText } from '../rules/escape'
import { joinNames } from '../rules/texts'
import { classifyTraffic } from './classify-traffic'
import { diffRules, type RulesChange } from './diff'
import type { Direction } from './rules'
import type { Traffic } from './summarize-traffic'
import { isOther, trafficText } from './traffic-text'

export interface StillAllowed {
  direction: Direction
  traffic: readonly Traffic[]
  /** Numbers of the rules that allow it, counted from 1 in the new rules; null is the policy. */
  by: readonly (number | null)[]
}

/**
 * Lists the changes that block none of the traffic they remove. Only rules that existed before and an unchanged policy
 * count, because a new rule allows traffic on purpose.
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

/** `the inbound policy`, `inbound rule 2 "office" and inbound rule 4` */
export function allowedByText({ direction, by }: StillAllowed, rules: FirewallRules): string {
  const names = by.map((number) => {
    const label = number !== null && rules[direction][number - 1]?.label
    return number === null ? `the ${direction} policy` : `${direction} rule ${number}${label ? ` "${label}"` : ''}`
  })
  return joinNames(names, 'and')
}

const nothing: FirewallRules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' }

const only = (direction: Direction, rules: readonly FirewallRule[]): FirewallRules => ({
  ...nothing,
  [direction]: [...rules],
})

/** Returns rules that allow the traffic removed by a change; undefined if the change only allows more. */
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

/** Reports whether some of the traffic that rules can name was allowed before, and is certainly not allowed now. */
function closes(taken: FirewallRules, before: FirewallRules, after: FirewallRules): boolean {
  const { closed } = classifyTraffic([taken, before, after], 'compute', {
    names: ['closed'],
    decisive: ([subject]) => (subject.policy === 'ACCEPT' ? undefined : subject.rules),
    sort: ([subject, was, is]) => ({ closed: subject.passes & was.passes & ~(is?.passes ?? 0n) }),
  })
  return !closed.every(isOther)
}

function passing(taken: FirewallRules, rules: FirewallRules): Traffic[] {
  return classifyTraffic([taken, rules], 'compute', {
    names: ['passing'],
    decisive: ([subject]) => (subject.policy === 'ACCEPT' ? undefined : subject.rules),
    sort: ([subject, is]) => ({ passing: subject.passes & is.passes }),
  }).passing
}

type Acceptor = StillAllowed['by'][number]

/** Lists the numbers of accepting rules, and null for an accepting policy. */
const acceptors = (rules: FirewallRules, direction: Direction): Acceptor[] => [
  ...rules[direction].flatMap(({ action }, index) => (action === 'ACCEPT' ? [index + 1] : [])),
  ...(rules[`${direction}_policy`] === 'ACCEPT' ? [null] : []),
]

/** Lists the acceptors that the changes add. A changed label or description does not count. */
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

/** Returns the same rules with every other acceptor set to DROP. */
const acceptedBy = (some: readonly Acceptor[], rules: FirewallRules, direction: Direction): FirewallRules => ({
  ...rules,
  [direction]: rules[direction].map((rule, index) => ({
    ...rule,
    action: some.includes(index + 1) ? rule.action : 'DROP',
  })),
  [`${direction}_policy`]: some.includes(null) ? 'ACCEPT' : 'DROP',
})

const mostWarnings = 3

/** Returns warnings of removed rules whose traffic is still allowed; of many, only the first ones. */
export function stillAllowedWarnings(before: FirewallRules, after: FirewallRules): string[] {
  const all = stillAllowed(before, after)
  const more = all.length - mostWarnings
  return [
    ...all.slice(0, mostWarnings).map((one) => stillAllowedText(one, after)),
    ...(more > 0 ? [`${more} more of these changes block nothing. See: skyctl help lockout`] : []),
  ]
}

/** Returns `tcp/5432 from 0.0.0.0/0 is still allowed by the inbound policy`. */
const stillAllowedText = (one: StillAllowed, rules: FirewallRules) =>
  escapeText(`${trafficText(one.traffic)} is still allowed by ${allowedByText(one, rules)}`)
