/**
 * Edits of a firewall's rules as data. An edit is made for the rules that were shown. It is applied to the rules of now,
 * which somebody else may have changed since, and results in the next rules.
 */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import { completeRules, expectRoom, type GivenRules } from './check-rules'
import { withServiceKeys } from './diff'
import type { RulesToAdd } from './existing-rules'
import type { RulesToRemove, RuleTarget } from './rule-targets'
import { type Direction, directions, type EditedRules, meaningOf, withoutEmpty } from './rules'

export interface AddEdit extends RulesToAdd {
  kind: 'add'
  /** True to leave out rules that have the effect of an existing one. */
  ifAbsent?: boolean
}

export interface RemoveEdit extends RulesToRemove {
  kind: 'remove'
}

/** Moves a rule to a position, counted from 1. */
interface MoveEdit {
  kind: 'move'
  direction: Direction
  target: RuleTarget
  at: number
}

/** Changes fields of a rule, which keeps its place and its other fields. */
interface ChangeEdit {
  kind: 'change'
  direction: Direction
  target: RuleTarget
  /** They may be invalid if validation is left to the service. An empty text removes its field. */
  fields: Readonly<Record<string, unknown>>
}

/** Replaces lists and policies; those that the input lacks stay unchanged. */
interface ReplaceEdit {
  kind: 'replace'
  input: GivenRules
  /** Rules that the service had before, and which need no validation. */
  previous?: FirewallRules | undefined
}

export type RulesEdit = AddEdit | RemoveEdit | MoveEdit | ChangeEdit | ReplaceEdit

/**
 * Returns the next rules, validated and complete. Throws `not_found` or `changed` if a rule that the edit names is gone or
 * different now.
 */
export async function applyEdit(
  edit: RulesEdit,
  rules: EditedRules,
  { validate = true }: { validate?: boolean | undefined } = {},
): Promise<FirewallRules> {
  const { now, name } = rules
  if (edit.kind === 'replace') return completeRules(edit.input, now, { validate, previous: edit.previous })
  const input = { value: { [edit.direction]: await editedList(edit, rules) } }
  if (validate && edit.kind === 'add') expectRoom(input, now, name)
  return completeRules(input, now, { validate, inPlace: edit.kind === 'change' })
}

async function editedList(edit: Exclude<RulesEdit, ReplaceEdit>, rules: EditedRules): Promise<unknown[]> {
  const list: unknown[] = [...rules.now[edit.direction]]
  if (edit.kind === 'add') {
    const added = edit.ifAbsent ? (await import('./existing-rules')).splitExisting(edit, rules).missing : edit.rules
    const { at = list.length + 1 } = edit
    expectPosition(at, list.length + 1)
    if (edit.at !== undefined) expectSameBefore(edit.at, edit, rules)
    return list.toSpliced(at - 1, 0, ...added)
  }
  const { findAgain, findRule, indexesToRemove } = await import('./rule-targets')
  if (edit.kind === 'change') {
    const [index = -1] = findAgain(edit.target, edit.direction, rules)
    return list.with(index, changedRule(rules.now[edit.direction][index], edit.fields))
  }
  if (edit.kind === 'remove') {
    const removed = indexesToRemove(edit, rules)
    return list.filter((_, index) => !removed.has(index))
  }
  const index = findRule(edit.target, { name: rules.name, direction: edit.direction, rules: rules.now })
  expectPosition(edit.at, list.length)
  return list.toSpliced(index, 1).toSpliced(edit.at - 1, 0, list[index])
}

/** Returns the changed rule. Fields with addresses replace all its IPv4 and IPv6 addresses. */
function changedRule(rule: FirewallRule | undefined, fields: ChangeEdit['fields']): object {
  const { addresses } = fields
  const replaced = isRecord(addresses) && { ...rule?.addresses, ipv4: [], ipv6: [], ...addresses }
  return withoutEmpty({ ...rule, ...fields, ...(replaced && { addresses: withoutEmpty(replaced) }) })
}

/** Throws `usage` if a position would leave a gap. */
function expectPosition(at: number, count: number): void {
  if (at > count) throw new Problem('usage', `--at ${at} is after the end: there are ${count} positions`)
}

/** Throws `changed` if the rules before a position have changed: it no longer means the same place. */
function expectSameBefore(at: number, { direction }: AddEdit, { shown, now, name }: EditedRules): void {
  const meaningsOf = (rules: FirewallRules) => JSON.stringify(rules[direction].slice(0, at - 1).map(meaningOf))
  if (meaningsOf(now) === meaningsOf(shown)) return
  throw new Problem('changed', `the rules of ${name} before position ${at} were changed meanwhile`, {
    hint: 'Check the current rules, and run the command again',
  })
}

/** Reports whether an edit can be applied to rules that somebody else has changed since. */
export function isMergeable(edit: RulesEdit): boolean {
  if (edit.kind === 'remove') return edit.targets.every(isByContent)
  return edit.kind === 'add' || (edit.kind === 'change' && isByContent(edit.target))
}

/** Reports whether a target means the same rule at any place: a number does not. */
const isByContent = (target: RuleTarget) => !('number' in target)

/**
 * Reports whether `now` has the changes between two sets of rules, whatever others have changed: at least as many copies
 * of each added rule, and at most as many of each removed one.
 */
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

function countsOf(rules: FirewallRules[Direction]): (meaning: string) => number {
  const meanings = rules.map(meaningOf)
  return (meaning) => meanings.filter((one) => one === meaning).length
}
