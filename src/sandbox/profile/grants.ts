import type { Answer } from '../../catalogue/operation'
import type { profile } from '../../catalogue/profile/profile'
import type { Entity, Grants } from '../tables/users'
import type { World } from '../world'

type Shown = NonNullable<Answer<typeof profile.grants>>

const nothing: Shown['global'] = {
  account_access: null,
  add_balancers: false,
  add_computes: false,
  add_databases: false,
  add_domains: false,
  add_firewalls: false,
  add_images: false,
  add_monitors: false,
  add_scripts: false,
  add_volumes: false,
  add_vpcs: false,
  cancel_account: false,
  child_account_access: null,
  monitor_subscription: false,
}

/** Returns a restricted user's grants in the service's format, which lists every kind of object. */
export function shownGrants(grants: Grants, world: World): Shown {
  const of = (kind: Entity) =>
    grants[kind]?.flatMap(({ id, permissions }) => {
      const label = labelOf(kind, id, world)
      return label === undefined ? [] : [{ id, label, permissions }]
    }) ?? []
  return {
    global: { ...nothing, ...grants.global },
    balancer: of('balancer'),
    compute: of('compute'),
    database: [],
    domain: [],
    firewall: of('firewall'),
    image: [],
    monitor: [],
    script: [],
    volume: of('volume'),
    vpc: [],
  }
}

/** Returns an object's label; undefined if the object was deleted. */
function labelOf(kind: Entity, id: number, { balancers, computes, network, volumes }: World): string | undefined {
  const tables = { balancer: balancers, compute: computes, firewall: network.firewalls, volume: volumes }
  return tables[kind].get(id)?.label
}
