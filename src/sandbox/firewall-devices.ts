import * as v from 'valibot'
import type { FirewallDevice, firewallDevices as operations } from '../catalogue/firewalls'
import type { DeclarationOf, RecordOf } from './declaration'
import { recordEvent } from './events'
import { id, may, oneOf, times } from './fields'
import type { Handlers } from './handler'
import { listing } from './pages'
import { checkNotMigrating, protect } from './protection'
import { found } from './refusal'
import { devices as builtIn } from './seed/network'
import type { World } from './world'

/** The kinds of services that a firewall can be assigned to. */
const service = oneOf('compute', 'balancer')

/** `entity` is the id of the compute instance or balancer. */
const device = v.strictObject({ id: may(id), firewall: id, type: service, entity: id, ...times })

export type DeviceRecord = RecordOf<typeof device>
export type ServiceType = v.InferOutput<typeof service>

/** They are written with their firewall. */
export const firewallDevices: DeclarationOf<typeof device, never> = {
  name: 'firewall devices',
  usual: {
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
  },
  builtIn: () => builtIn,
  form: null,
}

export type ShownDevice = Omit<DeviceRecord, 'firewall' | 'entity'> & { device_id: number }
export const deviceInFile = v.strictObject({ device_id: may(id), type: service, id, ...times })

export const deviceShown = ({ id, type, entity, created, updated }: DeviceRecord): ShownDevice => ({
  device_id: id,
  type,
  created,
  updated,
  id: entity,
})

/** All at once: to look for those of each firewall takes time in the square of their number. */
export function byFirewall(devices: readonly DeviceRecord[]): Map<number, DeviceRecord[]> {
  const groups = new Map<number, DeviceRecord[]>()
  for (const device of devices) {
    const group = groups.get(device.firewall)
    if (group) group.push(device)
    else groups.set(device.firewall, [device])
  }
  return groups
}

export const firewallDeviceHandlers: Handlers<typeof operations> = {
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

function deviceOf(firewall: number, id: number, { network }: World): DeviceRecord {
  return found(network.devicesOf(firewall).find((device) => device.id === id))
}

function shownDevice({ id, type, entity, created, updated }: DeviceRecord, world: World): FirewallDevice {
  const record = type === 'compute' ? world.computes.get(entity) : world.balancers.get(entity)
  const url = type === 'compute' ? `/v4/compute/instances/${entity}` : `/v4/balancers/${entity}`
  return { id, entity: { id: entity, label: record?.label ?? null, type, url }, created, updated }
}
