import { firewallDevices, firewalls } from '../../catalogue/firewalls'
import { byId, type Resource } from '../../engine/resource'
import { valueAt } from '../../output/cells'
import type { Column } from '../../output/print'

export const firewallResource: Resource = {
  noun: 'firewall',
  parameter: 'firewallId',
  list: firewalls.list,
  view: firewalls.view,
  values: 'firewalls',
}

/** `DROP, 3 rules`: the policy with how many rules come before it. */
const side = (direction: 'inbound' | 'outbound'): Column => ({
  path: `rules.${direction}_policy`,
  title: direction,
  show(policy, record) {
    const rules = valueAt(record, `rules.${direction}`)
    const count = Array.isArray(rules) ? rules.length : 0
    return `${policy}, ${count === 1 ? '1 rule' : `${count} rules`}`
  },
})

export const firewallColumns: readonly Column[] = [
  { path: 'id' },
  { path: 'label' },
  { path: 'status' },
  side('inbound'),
  side('outbound'),
  { path: 'tags' },
]

export const deviceResource: Resource = {
  noun: 'device',
  parameter: 'deviceId',
  list: firewallDevices.list,
  view: firewallDevices.view,
  reference: byId,
  parent: firewallResource,
}

export const deviceColumns: readonly Column[] = [
  { path: 'id' },
  { path: 'entity.type', title: 'type' },
  { path: 'entity.id', title: 'service' },
  { path: 'entity.label', title: 'label' },
  { path: 'created' },
]
