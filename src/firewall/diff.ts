/** Compares two rule sets rule by rule and field by field. */
import { isDeepStrictEqual } from 'node:util'
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { type Direction, directions, type FieldValue, fieldsOf, isServiceKey, meaningOf } from './rules'

export interface FieldChange {
  /** Field path: `ports`, `addresses.ipv4`. */
  field: string
  /** Old value; null if the field was absent. `to` is null if the field is removed. */
  from: FieldValue | null
  to: FieldValue | null
}

/** Change of one rule. Rule numbers count from 1: `from` in the old list, `to` in the new one. */
type RuleChange = { direction: Direction } & (
  | { kind: 'added'; to: number; rule: FirewallRule }
  | { kind: 'removed'; from: number; rule: FirewallRule }
  | { kind: 'moved'; from: number; to: number; rule: FirewallRule }
  | { kind: 'changed'; from: number; to: number; moved: boolean; rule: FirewallRule; fields: FieldChange[] }
)

export type RulesChange = RuleChange | { kind: 'policy'; direction: Direction; from: string; to: string }

/**
 * Lists the changes that turn `before` into `after`; empty if both mean the same. Rules without a change keep their
 * order: they fill the places that the changed, moved and added rules leave free.
 */
export function diffRules(before: FirewallRules, after: FirewallRules): RulesChange[] {
  return directions.flatMap((direction): RulesChange[] => {
    const [from, to] = [before[`${direction}_policy`], after[`${direction}_policy`]]
    const rules = diffSide(before[direction], after[direction]).map((change) => ({ direction, ...change }))
    return from === to ? rules : [{ kind: 'policy', direction, from, to }, ...rules]
  })
}

type SideChange = RuleChange extends infer C ? (C extends RuleChange ? Omit<C, 'direction'> : never) : never

type Pairs = Map<number, number>

/** Indexes of old rules, mapped to the indexes of the new rules that they became. */
export interface Pairing {
  pairs: ReadonlyMap<number, number>
  equal: ReadonlyMap<number, number>
  /** Old indexes of the rules that keep their order; all other paired rules were moved. */
  ordered: ReadonlySet<number>
}

export function pairRules(before: readonly FirewallRule[], after: readonly FirewallRule[]): Pairing {
  const equal = pairEqual(before, after)
  const pairs = new Map([...equal, ...pairSimilar(before, after, equal)])
  // If two rules swapped places, the unchanged one counts as moved.
  const ordered = inOrder(
    [...pairs].sort(([a], [b]) => a - b),
    (from) => (equal.has(from) ? 1 : 1.01),
  )
  return { pairs, equal, ordered }
}

/**
 * Returns the new rules with the service's own keys of the rules that they were, where they lack them. Files and flags
 * do not have these keys, and a request without them would delete them.
 */
export function withServiceKeys<R extends Pick<FirewallRules, Direction>>(after: R, before: FirewallRules): R {
  const sides = directions.map((direction) => {
    // To pair rules takes long, and most services have no keys of their own.
    if (!before[direction].some(hasServiceKey)) return [direction, after[direction]]
    const { pairs } = pairRules(before[direction], after[direction])
    const list = [...after[direction]]
    for (const [from, to] of pairs) {
      const own = Object.entries(before[direction][from] ?? {}).filter(([key]) => isServiceKey(key))
      const rule = list[to]
      if (rule && own.length > 0) list[to] = { ...Object.fromEntries(own), ...rule }
    }
    return [direction, list]
  })
  return { ...after, ...Object.fromEntries(sides) }
}

const hasServiceKey = (rule: FirewallRule) => Object.keys(rule).some(isServiceKey)

/** Reports whether rules are the current ones, apart from keys that the service has added to them. */
export const areCurrent = (rules: FirewallRules, current: FirewallRules) =>
  diffRules(withServiceKeys(rules, current), current).length === 0

/** Returns rules without the service's own keys, as files have them. */
export function withoutServiceKeys(rules: FirewallRules): FirewallRules {
  const documented = (rule: FirewallRule): FirewallRule => {
    if (!hasServiceKey(rule)) return rule
    const { action, protocol, addresses } = rule
    const fields = Object.entries(rule).filter(([key]) => !isServiceKey(key))
    return { ...Object.fromEntries(fields), action, protocol, addresses }
  }
  return { ...rules, inbound: rules.inbound.map(documented), outbound: rules.outbound.map(documented) }
}

function diffSide(before: readonly FirewallRule[], after: readonly FirewallRule[]): SideChange[] {
  // In a large account, most firewalls already match their file literally, with the keys in another order.
  if (isDeepStrictEqual(before, after)) return []
  const { pairs, equal, ordered } = pairRules(before, after)
  const paired = new Set(pairs.values())
  const changes: SideChange[] = []
  before.forEach((rule, index) => {
    const from = index + 1
    const to = (pairs.get(index) ?? -1) + 1
    const now = after[to - 1]
    if (!now) changes.push({ kind: 'removed', from, rule })
    else if (!equal.has(index)) {
      changes.push({
        kind: 'changed',
        from,
        to,
        moved: !ordered.has(index),
        rule: now,
        fields: changedFields(rule, now),
      })
    } else if (!ordered.has(index)) changes.push({ kind: 'moved', from, to, rule })
  })
  after.forEach((rule, index) => {
    if (!paired.has(index)) changes.push({ kind: 'added', to: index + 1, rule })
  })
  return changes.sort((a, b) => place(a) - place(b))
}

const place = (change: SideChange) => ('to' in change ? change.to : change.from)

function pairEqual(before: readonly FirewallRule[], after: readonly FirewallRule[]): Pairs {
  const waiting = new Map<string, number[]>()
  after.forEach((rule, index) => {
    const meaning = meaningOf(rule)
    waiting.set(meaning, [...(waiting.get(meaning) ?? []), index])
  })
  const pairs: Pairs = new Map()
  before.forEach((rule, index) => {
    const match = waiting.get(meaningOf(rule))?.shift()
    if (match !== undefined) pairs.set(index, match)
  })
  return pairs
}

/** Pairs the remaining rules by similarity, most similar first. Each pair counts as one changed rule. */
function pairSimilar(before: readonly FirewallRule[], after: readonly FirewallRule[], equal: Pairs): Pairs {
  const taken = new Set(equal.values())
  const oldFields = before.map((rule, from) => (equal.has(from) ? none : fieldsOf(rule)))
  const newFields = after.map((rule, to) => (taken.has(to) ? none : fieldsOf(rule)))
  const candidates: { from: number; to: number; alike: number }[] = []
  oldFields.forEach((old, from) => {
    if (equal.has(from)) return
    newFields.forEach((now, to) => {
      const alike = taken.has(to) ? 0 : likeness(old, now)
      if (alike >= enough) candidates.push({ from, to, alike })
    })
  })
  candidates.sort((a, b) => b.alike - a.alike || distance(a) - distance(b))
  const pairs: Pairs = new Map()
  for (const { from, to } of candidates) {
    if (pairs.has(from) || taken.has(to)) continue
    pairs.set(from, to)
    taken.add(to)
  }
  return pairs
}

/** Stands for the fields of a rule that has its pair: nobody compares them. */
const none: Map<string, FieldValue> = new Map()

const distance = ({ from, to }: { from: number; to: number }) => Math.abs(from - to)

/** Minimum score of a pair: an equal label, or three equal fields of action, protocol, ports and addresses. */
const enough = 3
const weights: Readonly<Record<string, number>> = { label: enough, description: 0 }

function likeness(old: Map<string, FieldValue>, now: Map<string, FieldValue>): number {
  let alike = haveAllPorts(old, now) ? 1 : 0
  for (const [field, value] of old) {
    if (String(now.get(field)) === String(value)) alike += weights[field] ?? 1
  }
  return alike
}

/** Reports whether two rules have the same ports, as neither has any. Rules with two labels are two rules. */
const haveAllPorts = (old: Map<string, FieldValue>, now: Map<string, FieldValue>) =>
  ![old, now].some((fields) => fields.has('ports')) && ![old, now].every((fields) => fields.has('label'))

function changedFields(before: FirewallRule, after: FirewallRule): FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field) => ({ field, from: old.get(field) ?? null, to: now.get(field) ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

/** Heaviest increasing subsequence that ends with a given pair. */
interface Run {
  from: number
  to: number
  weight: number
  before: Run | undefined
}

/** Returns the old indexes of the pairs that keep their order: the increasing subsequence with the greatest weight. */
function inOrder(
  pairs: readonly (readonly [from: number, to: number])[],
  weightOf: (from: number) => number,
): Set<number> {
  const runs: Run[] = []
  let best: Run | undefined
  for (const [from, to] of pairs) {
    let before: Run | undefined
    for (const run of runs) if (run.to < to && run.weight > (before?.weight ?? 0)) before = run
    const run = { from, to, weight: weightOf(from) + (before?.weight ?? 0), before }
    runs.push(run)
    if (run.weight > (best?.weight ?? 0)) best = run
  }
  const indexes = new Set<number>()
  for (let run = best; run; run = run.before) indexes.add(run.from)
  return indexes
}
