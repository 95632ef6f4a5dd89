/** Validates rules before anything is sent. */

import { bodyProblem, type FieldNaming } from '../catalogue/body-problem'
import { checkValue } from '../catalogue/check'
import { checkFileValue } from '../catalogue/check-file-value'
import { type FirewallRules, firewallRule, firewallRules, mostRules } from '../catalogue/firewall-rules'
import type { Schema } from '../catalogue/operation'
import { type FieldError, Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { withServiceKeys } from './diff'
import { tidyRules } from './normalize-rules'
import {
  areRules,
  asSent,
  type Direction,
  directions,
  isRule,
  isServiceKey,
  meaningOf,
  networkTexts,
  sendable,
} from './rules'

/** Rules as given, not validated yet. */
export interface GivenRules {
  value: Record<string, unknown>
  /** Returns ` (line 12)` for a field such as `inbound[3].ports`; an empty string if no file has it. */
  placeOf?(field: string | null): string
}

interface Completion {
  validate?: boolean
  /** Rules that the service once had. */
  previous?: FirewallRules | undefined
  /** True if all rules keep their places, so that what is wrong with a field of now is not wrong with the input. */
  inPlace?: boolean
}

/** Completes rules to the four keys of the API, and validates them. */
export function completeRules(
  input: GivenRules,
  now: FirewallRules,
  { validate = true, previous, inPlace = false }: Completion = {},
): FirewallRules {
  const current = tidyRules(sendable(now)).value
  const value = { ...current, ...input.value }
  if (validate)
    checkRules(
      firewallRules.update.body,
      { ...input, value },
      { existing: previous ? [now, previous] : [now], ...(inPlace && { current }) },
    )
  const rules = comparable({ ...input, value })
  return withServiceKeys(validate ? sendable(rules) : rules, previous ?? now)
}

interface CheckOptions {
  /** Rules that need no validation. */
  existing?: readonly FirewallRules[]
  /** The current value; an error that it has at the same place is no error of the new one. */
  current?: Readonly<Record<string, unknown>>
  naming?: FieldNaming
}

/** Throws `usage` with all errors, each with its field and its line. */
export function checkRules(
  schema: Schema,
  { value, placeOf }: GivenRules,
  { existing = [], current, naming }: CheckOptions = {},
): void {
  const old = current ? checkFileValue(schema, current) : []
  const errors = checkFileValue(schema, value).filter(
    ({ field, reason }) =>
      !existing.some((rules) => isExisting(field, value, rules)) &&
      !old.some((error) => error.field === field && error.reason === reason),
  )
  if (errors.length > 0) throw wrongRules(errors, placeOf, naming)
}

function wrongRules(errors: FieldError[], placeOf: GivenRules['placeOf'], naming?: FieldNaming) {
  const placed = errors.map(({ field, reason }) => ({ field, reason: reason + (placeOf?.(field) ?? '') }))
  return bodyProblem(placed, { naming })
}

/**
 * Validates rules before those of the firewall are read. Rules with parts that only services know (gaps.md, Null lists
 * and Empty forms in answers) are left to `checkRules`, which knows the current rules.
 */
export function checkUnread(schema: Schema, { value, placeOf }: GivenRules, naming: FieldNaming): void {
  const errors = checkFileValue(schema, value).filter(({ field }) => !isForeign(ruleAt(field, value)?.rule))
  if (errors.length > 0) throw wrongRules(errors, placeOf, naming)
}

/** Reports whether a rule has what only a service writes, so that the current rules may have it, too. */
function isForeign(rule: unknown): boolean {
  if (!isRule(rule)) return false
  const isOwn = (key: string) => isServiceKey(key) && didYouMean(key, documentedKeys) === undefined
  return (
    /^(ALL|\d+)$/.test(String(rule.protocol)) ||
    Object.keys(rule).some(isOwn) ||
    networkTexts(rule).some((text) => text.startsWith('pl:')) ||
    checkValue(firewallRule, asSent(rule)).length === 0
  )
}

const documentedKeys = Object.keys(firewallRule.entries)

/** Reports whether a rule, or a key in it, is one that the service already has: it may accept more than api.md. */
function isExisting(field: string | null, value: GivenRules['value'], now: FirewallRules): boolean {
  const { direction, rule, key } = ruleAt(field, value) ?? {}
  if (direction === undefined || !isRule(rule)) return false
  if (key !== undefined && isServiceKey(key)) return now[direction].some((one) => Object.hasOwn(one, key))
  return now[direction].some((one) => meaningOf(one) === meaningOf(rule))
}

/** Returns the rule of a field such as `inbound[3].ports`, and its key. */
function ruleAt(
  field: string | null,
  value: GivenRules['value'],
): { direction: Direction; rule: unknown; key?: string | undefined } | undefined {
  const [, side, index, key] = /^(\w+)\[(\d+)\](?:\.(\w+))?/.exec(field ?? '') ?? []
  const direction = directions.find((one) => one === side)
  const list = direction && value[direction]
  return direction && Array.isArray(list) ? { direction, rule: list[Number(index)], key } : undefined
}

/** Throws `refused` if new rules do not fit beside the current ones. `name` is that of the firewall. */
export function expectRoom({ value }: GivenRules, now: FirewallRules, name: string): void {
  const countIn = (direction: Direction) => {
    const rules = value[direction]
    return Array.isArray(rules) ? rules.length : now[direction].length
  }
  const count = countIn('inbound') + countIn('outbound')
  if (count <= mostRules) return
  throw new Problem('refused', `${name} would have ${count} rules. Max allowed is ${mostRules}`, {
    hint: 'Remove others first: see skyctl firewalls rules list',
  })
}

/** Returns the rules; throws `usage` for unvalidated values that cannot be compared or evaluated. */
export function comparable({ value, placeOf }: GivenRules): FirewallRules {
  if (areRules(value)) return value
  throw wrongRules(checkValue(firewallRules.list.returns, value), placeOf)
}
