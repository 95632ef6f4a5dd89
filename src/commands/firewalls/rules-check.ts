/** Refusing wrong rules before anything is sent, and warning of those that are hardly meant. */
import { check } from '../../catalogue/check'
import { type FirewallRules, firewallRules } from '../../catalogue/firewall-rules'
import type { Schema } from '../../catalogue/operation'
import { wrongBody } from '../../engine/body'
import type { Source } from '../../engine/typed-names'
import type { FieldError } from '../../errors'
import { adviseOn } from '../../firewall/advice'
import { areRules, type Direction, directions, isRule, meaningOf } from '../../firewall/rules'
import type { Session } from '../../session'
import type { GivenRules } from './rules-file'

/** Throws `usage` with everything that is wrong, each with its field and its line. */
export function checkRules(
  schema: Schema,
  { value, placeOf }: Pick<GivenRules, 'value' | 'placeOf'>,
  { standing = [], source }: { standing?: readonly FirewallRules[]; source?: Source } = {},
): void {
  const errors = check(schema, value).filter(({ field }) => !standing.some((rules) => stands(field, value, rules)))
  if (errors.length > 0) throw wrongRules(errors, placeOf, source)
}

function wrongRules(errors: FieldError[], placeOf: GivenRules['placeOf'], source?: Source) {
  return wrongBody(
    errors.map(({ field, reason }) => ({ field, reason: reason + placeOf(field) })),
    source,
  )
}

/**
 * What is wrong whatever the firewall has, before that is read. Rules of protocols that services are known to have
 * beside those of api.md (gaps.md, Null lists in answers) are left to `checkRules`, which knows whether they stand.
 */
export function checkUnread(schema: Schema, { value, placeOf }: GivenRules, source: Source): void {
  const errors = check(schema, value).filter(({ field }) => !isForeign(ruleAt(field, value)?.rule))
  if (errors.length > 0) throw wrongRules(errors, placeOf, source)
}

const isForeign = (rule: unknown) => isRule(rule) && /^(ALL|\d+)$/.test(String(rule.protocol))

/** A rule that the service has already is its own affair: it may know more than api.md. */
function stands(field: string | null, value: GivenRules['value'], standing: FirewallRules): boolean {
  const { direction, rule } = ruleAt(field, value) ?? {}
  return (
    direction !== undefined && isRule(rule) && standing[direction].some((one) => meaningOf(one) === meaningOf(rule))
  )
}

/** The rule that a field such as `inbound[3].ports` belongs to. */
function ruleAt(field: string | null, value: GivenRules['value']): { direction: Direction; rule: unknown } | undefined {
  const [, side, index] = /^(\w+)\[(\d+)\]/.exec(field ?? '') ?? []
  const direction = directions.find((one) => one === side)
  const list = direction && value[direction]
  return direction && Array.isArray(list) ? { direction, rule: list[Number(index)] } : undefined
}

/** Throws `usage` for what was not checked, and is nothing that could be compared, or judged by. */
export function comparable({ value, placeOf }: Pick<GivenRules, 'value' | 'placeOf'>): FirewallRules {
  if (areRules(value)) return value
  throw wrongRules(check(firewallRules.list.returns, value), placeOf)
}

/** Tells what was taken for something else, and what is allowed but hardly meant. */
export async function tellAbout(rules: FirewallRules, given: Omit<GivenRules, 'value'>, session: Session) {
  const { masked, left, placeOf } = given
  if (left.length > 0) await session.say(`Neither rules nor policies, and left out: ${left.join(', ')}`)
  if (masked.length > 0) await session.say(`A plain address is a network of its own: ${masked.join(', ')}`)
  for (const { field, text } of adviseOn(rules)) await session.warn(`${text}${placeOf(field)}`)
}
