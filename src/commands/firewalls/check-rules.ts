/** Validates rules before anything is sent, and warns of likely mistakes. */
import type { Account } from '../../account/account'
import { check } from '../../catalogue/check'
import { checkFile } from '../../catalogue/check-file'
import { type FirewallRules, firewallRules, mostRules } from '../../catalogue/firewall-rules'
import type { Schema } from '../../catalogue/operation'
import { wrongBody } from '../../engine/body'
import type { FieldSource } from '../../engine/field-names'
import { type FieldError, Problem } from '../../errors'
import { adviseOn } from '../../firewall/advice'
import { areRules, type Direction, directions, isRule, meaningOf } from '../../firewall/rules'
import type { RulesInput } from './rules-file'

/** Throws `usage` with all errors, each with its field and its line. */
export function checkRules(
  schema: Schema,
  { value, placeOf }: Pick<RulesInput, 'value' | 'placeOf'>,
  { standing = [], source }: { standing?: readonly FirewallRules[]; source?: FieldSource } = {},
): void {
  const errors = checkFile(schema, value).filter(({ field }) => !standing.some((rules) => stands(field, value, rules)))
  if (errors.length > 0) throw wrongRules(errors, placeOf, source)
}

export function wrongRules(errors: FieldError[], placeOf: RulesInput['placeOf'], source?: FieldSource) {
  return wrongBody(
    errors.map(({ field, reason }) => ({ field, reason: reason + placeOf(field) })),
    source,
  )
}

/**
 * Validates rules before those of the firewall are read. Rules with protocols that only services know (gaps.md, Null
 * lists in answers) are left to `checkRules`, which knows the current rules.
 */
export function checkUnread(schema: Schema, { value, placeOf }: RulesInput, source: FieldSource): void {
  const errors = checkFile(schema, value).filter(({ field }) => !isForeign(ruleAt(field, value)?.rule))
  if (errors.length > 0) throw wrongRules(errors, placeOf, source)
}

const isForeign = (rule: unknown) => isRule(rule) && /^(ALL|\d+)$/.test(String(rule.protocol))

/** Reports whether a field belongs to a rule that the service already has: it may accept more than api.md. */
function stands(field: string | null, value: RulesInput['value'], standing: FirewallRules): boolean {
  const { direction, rule } = ruleAt(field, value) ?? {}
  return (
    direction !== undefined && isRule(rule) && standing[direction].some((one) => meaningOf(one) === meaningOf(rule))
  )
}

/** Returns the rule of a field such as `inbound[3].ports`. */
function ruleAt(field: string | null, value: RulesInput['value']): { direction: Direction; rule: unknown } | undefined {
  const [, side, index] = /^(\w+)\[(\d+)\]/.exec(field ?? '') ?? []
  const direction = directions.find((one) => one === side)
  const list = direction && value[direction]
  return direction && Array.isArray(list) ? { direction, rule: list[Number(index)] } : undefined
}

/** Throws `refused` if new rules do not fit beside the current ones. `name` is that of the firewall. */
export function expectRoom({ value }: Pick<RulesInput, 'value'>, standing: FirewallRules, name: string): void {
  const countIn = (direction: Direction) => {
    const rules = value[direction]
    return Array.isArray(rules) ? rules.length : standing[direction].length
  }
  const count = countIn('inbound') + countIn('outbound')
  if (count <= mostRules) return
  throw new Problem('refused', `${name} would have ${count} rules. Max allowed is ${mostRules}`, {
    hint: 'Remove others first: see skyctl firewalls rules list',
  })
}

/** Returns the rules; throws `usage` for unvalidated values that cannot be compared or evaluated. */
export function comparable({ value, placeOf }: Pick<RulesInput, 'value' | 'placeOf'>): FirewallRules {
  if (areRules(value)) return value
  throw wrongRules(check(firewallRules.list.returns, value), placeOf)
}

/** Reports reinterpreted values, and warns of valid but unlikely ones. */
export async function tellAbout(rules: FirewallRules, given: Omit<RulesInput, 'value'>, account: Account) {
  const { masked, left, placeOf } = given
  if (left.length > 0) await account.status(`Neither rules nor policies, and left out: ${left.join(', ')}`)
  if (masked.length > 0) await account.status(`A plain address is a network of its own: ${masked.join(', ')}`)
  for (const { field, text } of adviseOn(rules)) await account.warn(`${text}${placeOf(field)}`)
}
