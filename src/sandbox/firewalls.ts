import type { FirewallRule, FirewallRules, firewallRules } from '../catalogue/firewall-rules'
import { mostRules } from '../catalogue/firewall-rules'
import type { Firewall, FirewallDevice, firewallDevices, firewalls } from '../catalogue/firewalls'
import type { Body } from '../catalogue/operation'
import { grantToCreator, visibleTo } from './caller'
import { recordEvent } from './events'
import type { Handlers } from './handler'
import type { DeviceRecord, FirewallRecord, ServiceType } from './network'
import { listing } from './pages'
import { checkNoOther, checkNotMigrating, protect } from './protection'
import { all, found, refusal } from './refusal'
import type { World } from './world'

export const firewallHandlers: Handlers<typeof firewalls> = {
  list: {
    handle(_, { world, caller }) {
      return listing(visibleTo(caller.user, 'firewall', world.network.firewalls.all()), shown)
    },
  },

  create: {
    needs: ['add_firewalls'],
    handle({ label, rules, devices: { computes = [], balancers = [] } = {}, tags = [] }, { world, caller }) {
      const { inbound_policy, outbound_policy } = rules
      const firewall = world.network.firewall({
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
    handle: ({ firewallId }, { world }) => shown(found(world.network.firewalls.get(firewallId))),
  },

  update: {
    needs: ['read_write'],
    handle({ firewallId, label, status, tags }, { world, caller }) {
      const firewall = found(world.network.firewalls.get(firewallId))
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
      const firewall = found(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      for (const { id } of world.network.devicesOf(firewallId)) world.network.devices.delete(id)
      world.network.firewalls.delete(firewallId)
      recordEvent('firewall_delete', firewall, { world, caller })
      return {}
    },
  },
}

export const firewallDeviceHandlers: Handlers<typeof firewallDevices> = {
  list: {
    needs: ['read_only'],
    handle({ firewallId }, { world }) {
      const { id } = found(world.network.firewalls.get(firewallId))
      return listing(world.network.devicesOf(id), (device) => shownDevice(device, world))
    },
  },

  create: {
    needs: ['read_write'],
    handle({ firewallId, id, type }, { world, caller }) {
      const firewall = found(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      const device = protect(firewall, { type, id }, 'id', { world, caller })
      recordEvent('firewall_device_add', firewall, { world, caller })
      return shownDevice(device, world)
    },
  },

  view: {
    needs: ['read_only'],
    handle: ({ firewallId, deviceId }, { world }) => shownDevice(deviceOf(firewallId, deviceId, world), world),
  },

  delete: {
    needs: ['read_write'],
    handle({ firewallId, deviceId }, { world, caller }) {
      const firewall = found(world.network.firewalls.get(firewallId))
      const device = deviceOf(firewallId, deviceId, world)
      checkNotMigrating(firewall, world)
      world.network.devices.delete(device.id)
      recordEvent('firewall_device_remove', firewall, { world, caller })
      return {}
    },
  },
}

export const firewallRuleHandlers: Handlers<typeof firewallRules> = {
  list: {
    needs: ['read_only'],
    handle: ({ firewallId }, { world }) => found(world.network.firewalls.get(firewallId)).rules,
  },

  update: {
    needs: ['read_write'],
    handle({ firewallId, inbound, inbound_policy, outbound, outbound_policy }, { world }) {
      const firewall = found(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      const standing = firewall.rules
      const rules: FirewallRules = {
        inbound: inbound ? stored(inbound) : standing.inbound,
        inbound_policy: inbound_policy ?? standing.inbound_policy,
        outbound: outbound ? stored(outbound) : standing.outbound,
        outbound_policy: outbound_policy ?? standing.outbound_policy,
      }
      // One side alone may be small enough, and too much together with what stands.
      if (rules.inbound.length + rules.outbound.length > mostRules) {
        throw refusal(null, `Too many rules submitted. Max allowed is ${mostRules}`)
      }
      return change(firewall, { rules }, world).rules
    },
  },
}

type SentRules = NonNullable<Body<typeof firewallRules.update>['inbound']>

/** A rule without ports has no such key (gaps.md). */
function stored(rules: SentRules = []): FirewallRule[] {
  return rules.map(({ ports, ...rule }) => (typeof ports === 'string' ? { ...rule, ports } : rule))
}

function checkUnique({ id, label }: Pick<FirewallRecord, 'id' | 'label'>, { network }: World): void {
  if (network.firewalls.all().some((other) => other.label === label && other.id !== id)) {
    throw refusal('label', 'Label must be unique among your Cloud Firewalls')
  }
}

function deviceOf(firewall: number, id: number, { network }: World): DeviceRecord {
  return found(network.devicesOf(firewall).find((device) => device.id === id))
}

function change(firewall: FirewallRecord, changes: Partial<FirewallRecord>, world: World): FirewallRecord {
  return world.network.firewalls.put({ ...firewall, ...changes, updated: world.timestamp() })
}

function shown({ id, label, status, rules, tags, created, updated }: FirewallRecord): Firewall {
  return { id, label, status, rules, tags: [...tags], created, updated }
}

function shownDevice({ id, type, entity, created, updated }: DeviceRecord, world: World): FirewallDevice {
  const record = type === 'compute' ? world.computes.get(entity) : world.balancers.get(entity)
  const url = type === 'compute' ? `/v4/compute/instances/${entity}` : `/v4/balancers/${entity}`
  return { id, entity: { id: entity, label: record?.label ?? null, type, url }, created, updated }
}
