/** Validates rules before anything is sent. */
import { check } from '../catalogue/check'
import { checkFile } from '../catalogue/check-file'
import { type FirewallRules, firewallRules, mostRules } from '../catalogue/firewall-rules'
import type { Schema } from '../catalogue/operation'
import { type FieldNaming, wrongBody } from '../catalogue/wrong-body'
import { type FieldError, Problem } from '../errors'
import { areRules, type Direction, directions, isRule, meaningOf, sendable } from './rules'
import { tidyRules } from './tidy'

/** Rules as given, not validated yet. */
export interface GivenRules {
  value: Record<string, unknown>
  /** Returns ` (line 12)` for a field such as `inbound[3].ports`; an empty string if no file has it. */
  placeOf?(field: string | null): string
}

/** Completes rules to the four keys of the API, and validates them. `previous` are rules that the service once had. */
export function completeRules(
  input: GivenRules,
  current: FirewallRules,
  { validate = true, previous }: { validate?: boolean; previous?: FirewallRules | undefined } = {},
): FirewallRules {
  const value = { ...tidyRules(sendable(current)).value, ...input.value }
  if (validate)
    checkRules(firewallRules.update.body, { ...input, value }, { existing: previous ? [current, previous] : [current] })
  return comparable({ ...input, value })
}

/** Throws `usage` with all errors, each with its field and its line. */
export function checkRules(
  schema: Schema,
  { value, placeOf }: GivenRules,
  { existing = [], naming }: { existing?: readonly FirewallRules[]; naming?: FieldNaming } = {},
): void {
  const errors = checkFile(schema, value).filter(
    ({ field }) => !existing.some((rules) => isExisting(field, value, rules)),
  )
  if (errors.length > 0) throw wrongRules(errors, placeOf, naming)
}

function wrongRules(errors: FieldError[], placeOf: GivenRules['placeOf'], naming?: FieldNaming) {
  const placed = errors.map(({ field, reason }) => ({ field, reason: reason + (placeOf?.(field) ?? '') }))
  return wrongBody(placed, { naming })
}

/**
 * Validates rules before those of the firewall are read. Rules with protocols that only services know (gaps.md, Null
 * lists in answers) are left to `checkRules`, which knows the current rules.
 */
export function checkUnread(schema: Schema, { value, placeOf }: GivenRules, naming: FieldNaming): void {
  const errors = checkFile(schema, value).filter(({ field }) => !isForeign(ruleAt(field, value)?.rule))
  if (errors.length > 0) throw wrongRules(errors, placeOf, naming)
}

const isForeign = (rule: unknown) => isRule(rule) && /^(ALL|\d+)$/.test(String(rule.protocol))

/** Reports whether a field belongs to a rule that the service already has: it may accept more than api.md. */
function isExisting(field: string | null, value: GivenRules['value'], current: FirewallRules): boolean {
  const { direction, rule } = ruleAt(field, value) ?? {}
  return direction !== undefined && isRule(rule) && current[direction].some((one) => meaningOf(one) === meaningOf(rule))
}

/** Returns the rule of a field such as `inbound[3].ports`. */
function ruleAt(field: string | null, value: GivenRules['value']): { direction: Direction; rule: unknown } | undefined {
  const [, side, index] = /^(\w+)\[(\d+)\]/.exec(field ?? '') ?? []
  const direction = directions.find((one) => one === side)
  const list = direction && value[direction]
  return direction && Array.isArray(list) ? { direction, rule: list[Number(index)] } : undefined
}

/** Throws `refused` if new rules do not fit beside the current ones. `name` is that of the firewall. */
export function expectRoom({ value }: GivenRules, current: FirewallRules, name: string): void {
  const countIn = (direction: Direction) => {
    const rules = value[direction]
    return Array.isArray(rules) ? rules.length : current[direction].length
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
  throw wrongRules(check(firewallRules.list.returns, value), placeOf)
}
