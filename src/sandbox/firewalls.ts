import type { Firewall, firewalls as operations } from '../catalogue/firewalls'
import { grantToCreator, visibleTo } from './caller'
import { recordEvent } from './events'
import { checkNoOther, checkNotMigrating, protect } from './firewall-assignment'
import { stored } from './firewall-rules'
import type { Handlers } from './handler'
import { listing } from './pages'
import { all, orNotFound, refusal } from './refusal'
import type { ServiceType } from './tables/firewall-devices'
import type { FirewallRecord } from './tables/firewalls'
import type { World } from './world'

export const firewallHandlers: Handlers<typeof operations> = {
  list: {
    handle(_, { world, caller }) {
      return listing(visibleTo(caller.user, 'firewall', world.network.firewalls), shown)
    },
  },

  create: {
    needs: ['add_firewalls'],
    handle({ label, rules, devices: { computes = [], balancers = [] } = {}, tags = [] }, { world, caller }) {
      const { inbound_policy, outbound_policy } = rules
      const firewall = world.network.firewalls.add({
        label,
        rules: {
          inbound: stored(rules.inbound),
          inbound_policy,
          outbound: stored(rules.outbound),
          outbound_policy,
        },
        tags,
      })
      const protecting = (type: ServiceType, ids: readonly number[]) =>
        ids.map((id, index) => () => {
          protect(firewall, { type, id }, `devices.${type}s[${index}]`, { world, caller })
        })
      all(() => checkUnique(firewall, world), ...protecting('compute', computes), ...protecting('balancer', balancers))
      grantToCreator('firewall', firewall.id, caller.user, world)
      recordEvent('firewall_create', firewall, { world, caller })
      return shown(firewall)
    },
  },

  view: {
    needs: ['read_only'],
    handle: ({ firewallId }, { world }) => shown(orNotFound(world.network.firewalls.get(firewallId))),
  },

  update: {
    needs: ['read_write'],
    handle({ firewallId, label, status, tags }, { world, caller }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      if (label !== undefined) checkUnique({ id: firewallId, label }, world)
      if (status === 'enabled') {
        for (const { type, entity } of world.network.devicesOf(firewallId)) {
          checkNoOther(firewall, { type, id: entity }, 'status', world)
        }
      }
      const updated = change(
        firewall,
        { label: label ?? firewall.label, status: status ?? firewall.status, tags: tags ?? firewall.tags },
        world,
      )
      if (updated.status !== firewall.status) {
        const action = updated.status === 'enabled' ? 'firewall_enable' : 'firewall_disable'
        recordEvent(action, updated, { world, caller })
      }
      return shown(updated)
    },
  },

  delete: {
    needs: ['read_write'],
    handle({ firewallId }, { world, caller }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      for (const { id } of world.network.devicesOf(firewallId)) world.network.devices.delete(id)
      world.network.firewalls.delete(firewallId)
      recordEvent('firewall_delete', firewall, { world, caller })
      return {}
    },
  },
}

function checkUnique({ id, label }: Pick<FirewallRecord, 'id' | 'label'>, { network }: World): void {
  if (network.firewalls.all().some((other) => other.label === label && other.id !== id)) {
    throw refusal('label', 'Label must be unique among your Cloud Firewalls')
  }
}

function change(firewall: FirewallRecord, changes: Partial<FirewallRecord>, world: World): FirewallRecord {
  return world.network.firewalls.put({ ...firewall, ...changes, updated: world.timestamp() })
}

function shown({ id, label, status, rules, tags, created, updated }: FirewallRecord): Firewall {
  return { id, label, status, rules, tags: [...tags], created, updated }
}
