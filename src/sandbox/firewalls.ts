import * as v from 'valibot'
import { newFirewallRules, rules } from '../catalogue/firewall-rules'
import type { Firewall, firewalls as operations } from '../catalogue/firewalls'
import { grantToCreator, visibleTo } from './caller'
import type { DeclarationOf, NewOf, RecordOf } from './declaration'
import { recordEvent } from './events'
import { id, may, oneOf, string, strings, times } from './fields'
import { byFirewall, deviceInFile, deviceShown, type ServiceType, type ShownDevice } from './firewall-devices'
import { stored } from './firewall-rules'
import { replace } from './forms'
import type { Handlers } from './handler'
import { listing } from './pages'
import { checkNoOther, checkNotMigrating, protect } from './protection'
import { all, found, refusal } from './refusal'
import { firewalls as builtIn } from './seed/network'
import type { Table } from './tables'
import type { World } from './world'

const firewall = v.strictObject({
  id: may(id),
  label: may(string),
  status: may(oneOf('enabled', 'disabled')),
  rules: may(rules),
  tags: may(strings),
  ...times,
})

export type FirewallRecord = RecordOf<typeof firewall>
type Shown = FirewallRecord & { devices: ShownDevice[] }

const firewallInFile = v.strictObject({
  ...firewall.entries,
  rules: may(newFirewallRules),
  devices: may(v.array(deviceInFile, 'Must be an array')),
})

/** A firewall that is made without rules lets everything through. */
export const firewalls: DeclarationOf<typeof firewall, Shown> = {
  name: 'firewalls',
  usual: {
    label: ({ id }) => `firewall-${id}`,
    status: () => 'enabled',
    rules: () => ({ inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }),
    tags: () => [],
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
  },
  builtIn: () => builtIn,
  form: {
    file: firewallInFile,
    show(table, { network }) {
      const devices = byFirewall(network.devices.all())
      return table.all().map((record) => ({ ...record, devices: (devices.get(record.id) ?? []).map(deviceShown) }))
    },
    restore: (given: readonly v.InferOutput<typeof firewallInFile>[], { table, world }) => {
      for (const { id } of world.network.devices.all()) world.network.devices.delete(id)
      replace(table, given, (wanted) => restoreFirewall(wanted, table, world))
    },
  },
}

function restoreFirewall(
  { devices = [], ...wanted }: v.InferOutput<typeof firewallInFile>,
  table: Table<FirewallRecord, NewOf<typeof firewall>>,
  { network }: World,
): void {
  const { rules, ...more } = wanted
  const { id: firewall } = table.add(rules ? { ...wanted, rules: wholeRules(rules) } : more)
  for (const { device_id, id: entity, ...device } of devices) {
    network.devices.add({ ...(device_id && { id: device_id }), firewall, entity, ...device })
  }
}

const wholeRules = ({ inbound = [], outbound = [], ...policies }: v.InferOutput<typeof newFirewallRules>) => ({
  inbound,
  outbound,
  ...policies,
})

export const firewallHandlers: Handlers<typeof operations> = {
  list: {
    handle(_, { world, caller }) {
      return listing(visibleTo(caller.user, 'firewall', world.network.firewalls.all()), shown)
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
