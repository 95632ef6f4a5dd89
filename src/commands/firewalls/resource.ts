import type { FirewallRule, FirewallRules } from '../../catalogue/firewall-rules'
import type { firewallDevices, firewalls } from '../../catalogue/firewalls'
import { isMissing } from '../../catalogue/normalize'
import type { AnswerRecord } from '../../catalogue/operation'
import { type Direction, directions, shapedRules } from '../../firewall/rules'

import { valueAt } from '../../output/cells'
import { type Column, columnsFor } from '../../output/column'
import { isRecord } from '../../rules/records'
import { counted } from '../../rules/texts'

/** Description of a label that fits on a line of help, and what it leaves out (api.md, Firewall label rules). */
export const labelText = 'Unique label, 3 to 32 characters'
export const labelHelp =
  'A label has letters, digits and - _ . and begins and ends with a letter or digit, without two of - _ . in a row.'

/** Rules for display: a list that the answer lacked is null. */
export type ShownRules = Pick<FirewallRules, `${Direction}_policy`> & {
  [D in Direction]: FirewallRules[D] | null
} & {
  /** Rules whose addresses the answer lacked. */
  withoutAddresses?: ReadonlySet<FirewallRule>
}

/** Normalizes rules for display only: missing policies, actions and protocols are `-`. */
export function shownRules(answer: unknown): ShownRules | undefined {
  if (!isRecord(answer)) return undefined
  const policies = directions.map((direction) => [`${direction}_policy`, answer[`${direction}_policy`] ?? '-'])
  const sides = directions.map((direction) => [direction, shownSide(answer[direction])])
  const shown = shapedRules({ ...answer, ...Object.fromEntries([...policies, ...sides]) })
  if (!shown) return undefined
  const unknown = directions.filter((direction) => isMissing(answer, direction)).map((direction) => [direction, null])
  const withoutAddresses = new Set(
    directions.flatMap((direction) => lackingAddresses(answer[direction], shown[direction])),
  )
  return { ...shown, ...Object.fromEntries(unknown), withoutAddresses }
}

const lackingAddresses = (sent: unknown, shown: readonly FirewallRule[]): FirewallRule[] =>
  shown.filter((_, index) => {
    const one: unknown = Array.isArray(sent) ? sent[index] : undefined
    return isRecord(one) && isMissing(one, 'addresses')
  })

const shownSide = (side: unknown): unknown =>
  Array.isArray(side)
    ? side.map((one) => (isRecord(one) ? { ...one, action: one.action ?? '-', protocol: one.protocol ?? '-' } : one))
    : side

/** Returns a column such as `DROP, 3 rules`: the policy, and the number of rules before it. */
const side = (direction: Direction): Column<`rules.${Direction}_policy`> => ({
  path: `rules.${direction}_policy`,
  heading: direction,
  show(policy, record) {
    const rules = valueAt(record, `rules.${direction}`)
    if (!Array.isArray(rules)) return String(policy ?? '-')
    return `${policy ?? '-'}, ${counted(rules.length, 'rule')}`
  },
})

export const firewallColumns = columnsFor<AnswerRecord<typeof firewalls.list>>([
  'id',
  'label',
  'status',
  side('inbound'),
  side('outbound'),
  'tags',
])

export const deviceColumns = columnsFor<AnswerRecord<typeof firewallDevices.list>>([
  'id',
  { path: 'entity.type', heading: 'type' },
  { path: 'entity.id', heading: 'service' },
  { path: 'entity.label', heading: 'label' },
  'created',
])
