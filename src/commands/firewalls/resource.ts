import { firewallDevices, firewalls } from '../../catalogue/firewalls'

import { columns } from '../../engine/columns'
import { byId, type Found, nameOf, type Resource } from '../../engine/resource'
import { Problem } from '../../errors'
import type { Direction } from '../../firewall/rules'

import { valueAt } from '../../output/cells'
import type { Column } from '../../output/column'

export const firewallResource: Resource = {
  noun: 'firewall',
  parameter: 'firewallId',
  list: firewalls.list,
  view: firewalls.view,
  values: 'firewalls',
}

/** The answer is at fault, not the person. */
export function senselessRules(firewall: Pick<Found, 'id' | 'record'>): Problem {
  return new Problem('defect', `the rules of ${nameOf(firewallResource, firewall)} make no sense`)
}

/** `DROP, 3 rules`: the policy with how many rules come before it. */
const side = (direction: Direction): Column<`rules.${Direction}_policy`> => ({
  path: `rules.${direction}_policy`,
  heading: direction,
  show(policy, record) {
    const rules = valueAt(record, `rules.${direction}`)
    if (!Array.isArray(rules)) return String(policy ?? '-')
    return `${policy ?? '-'}, ${rules.length === 1 ? '1 rule' : `${rules.length} rules`}`
  },
})

export const firewallColumns = columns(firewalls.list, [
  'id',
  'label',
  'status',
  side('inbound'),
  side('outbound'),
  'tags',
])

export const deviceResource: Resource = {
  noun: 'device',
  parameter: 'deviceId',
  list: firewallDevices.list,
  view: firewallDevices.view,
  reference: byId,
  parent: firewallResource,
}

export const deviceColumns = columns(firewallDevices.list, [
  'id',
  { path: 'entity.type', heading: 'type' },
  { path: 'entity.id', heading: 'service' },
  { path: 'entity.label', heading: 'label' },
  'created',
])
