import type { firewallDevices, firewalls } from '../../catalogue/firewalls'
import type { AnswerRecord } from '../../catalogue/operation'
import type { Direction } from '../../firewall/rules'
import { valueAt } from '../../output/cells'
import { type Column, columnsFor } from '../../output/column'
import { counted } from '../../rules/texts'

/** Description of a label that fits on a line of help, and what it leaves out (api.md, Firewall label rules). */
export const labelText = 'Unique label, 3 to 32 characters'
export const labelHelp =
  'A label has letters, digits and - _ . and begins and ends with a letter or digit, without two of - _ . in a row.'

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
