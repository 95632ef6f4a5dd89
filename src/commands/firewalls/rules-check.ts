/** Refusing wrong rules before anything is sent, and warning of those that are hardly meant. */
import { check } from '../../catalogue/check'
import type { Schema } from '../../catalogue/operation'
import type { Context } from '../../context'
import { wrongBody } from '../../engine/body'
import type { FieldError } from '../../errors'
import { adviseOn } from '../../rules/firewall-advice'
import { type Direction, directions, meaningOf, type Rule, type Rules } from '../../rules/firewall-rules'
import { isRecord } from '../../rules/records'
import type { GivenRules } from './rules-file'

/** Throws `usage` with everything that is wrong, each with its field and its line. */
export function checkRules(
  schema: Schema,
  { value, placeOf }: Pick<GivenRules, 'value' | 'placeOf'>,
  standing?: Rules,
): void {
  const errors = check(schema, value).filter(({ field }) => !(standing && stands(field, value, standing)))
  if (errors.length > 0) throw wrongRules(errors, placeOf)
}

function wrongRules(errors: FieldError[], placeOf: GivenRules['placeOf']) {
  return wrongBody(errors.map(({ field, reason }) => ({ field, reason: reason + placeOf(field) })))
}

/** A rule that the service has already is its own affair: it may know more than api.md. */
function stands(field: string | null, value: GivenRules['value'], standing: Rules): boolean {
  const [, direction, index] = /^(inbound|outbound)\[(\d+)\]/.exec(field ?? '') ?? []
  if (direction === undefined) return false
  const rule = (value[direction] as unknown[])[Number(index)]
  return standing[direction as Direction].some((one) => meaningOf(one) === meaningOf(rule as Rule))
}

/** Without a check there must at least be something to compare: both sides lists of objects. */
export function isComparable(value: Record<string, unknown>): boolean {
  return directions.every((direction) => {
    const side = value[direction]
    return Array.isArray(side) && side.every((rule) => isRecord(rule) && isRecord(rule.addresses))
  })
}

/** Tells what was taken for something else, and what is allowed but hardly meant. */
export async function tellAbout(rules: Rules, given: Omit<GivenRules, 'value'>, context: Context) {
  const { masked, left, placeOf } = given
  if (left.length > 0) await context.say(`Neither rules nor policies, and left out: ${left.join(', ')}`)
  if (masked.length > 0) await context.say(`A plain address is a network of its own: ${masked.join(', ')}`)
  for (const { field, text } of adviseOn(rules)) await context.warn(`${field}: ${text}${placeOf(field)}`)
}
