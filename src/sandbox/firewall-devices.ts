import type { FirewallDevice, firewallDevices as operations } from '../catalogue/firewalls'
import { recordEvent } from './events'
import { checkNotMigrating, protect } from './firewall-assignment'
import type { Handlers } from './handler'
import { listing } from './pages'
import { orNotFound } from './refusal'
import type { FirewallDeviceRecord } from './tables/firewall-devices'
import type { World } from './world'

export const firewallDeviceHandlers: Handlers<typeof operations> = {
  list: {
    needs: ['read_only'],
    handle({ firewallId }, { world }) {
      const { id } = orNotFound(world.network.firewalls.get(firewallId))
      return listing(world.network.devicesOf(id), (device) => shownDevice(device, world))
    },
  },

  create: {
    needs: ['read_write'],
    handle({ firewallId, id, type }, { world, caller }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
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
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      const device = deviceOf(firewallId, deviceId, world)
      checkNotMigrating(firewall, world)
      world.network.devices.delete(device.id)
      recordEvent('firewall_device_remove', firewall, { world, caller })
      return {}
    },
  },
}

function deviceOf(firewall: number, id: number, { network }: World): FirewallDeviceRecord {
  return orNotFound(network.devicesOf(firewall).find((device) => device.id === id))
}

function shownDevice({ id, type, entity, created, updated }: FirewallDeviceRecord, world: World): FirewallDevice {
  const record = type === 'compute' ? world.computes.get(entity) : world.balancers.get(entity)
  const url = type === 'compute' ? `/v4/compute/instances/${entity}` : `/v4/balancers/${entity}`
  return { id, entity: { id: entity, label: record?.label ?? null, type, url }, created, updated }
}
