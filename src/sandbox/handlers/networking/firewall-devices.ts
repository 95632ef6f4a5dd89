import { type FirewallDevice, firewallDevices } from '../../../catalogue/firewalls'
import { type CallerContext, permissionOf } from '../../caller'
import { changeEvent } from '../../events'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { forbidden, orNotFound, refusal } from '../../refusal'
import type { FirewallDeviceRecord, ServiceType } from '../../tables/firewall-device'
import type { FirewallRecord } from '../../tables/firewalls'
import type { World } from '../../world'

export const servedDevices = serve(firewallDevices, {
  list: {
    needs: ['read_only'],
    handle({ firewallId }, { world }) {
      const { id } = orNotFound(world.network.firewalls.get(firewallId))
      return listing(world.network.devicesOf(id), (device) => shownDevice(device, world))
    },
  },

  create: {
    event: changeEvent('firewall', 'firewallId', 'firewall_device_add'),
    needs: ['read_write'],
    handle({ firewallId, id, type }, { world, caller }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      return shownDevice(protect(firewall, { type, id }, 'id', { world, caller }), world)
    },
  },

  view: {
    needs: ['read_only'],
    handle: ({ firewallId, deviceId }, { world }) => shownDevice(deviceOf(firewallId, deviceId, world), world),
  },

  delete: {
    event: changeEvent('firewall', 'firewallId', 'firewall_device_remove'),
    needs: ['read_write'],
    handle({ firewallId, deviceId }, { world }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      const device = deviceOf(firewallId, deviceId, world)
      checkNotMigrating(firewall, world)
      world.network.devices.delete(device.id)
      return {}
    },
  },
})

function deviceOf(firewall: number, id: number, { network }: World): FirewallDeviceRecord {
  return orNotFound(network.devicesOf(firewall).find((device) => device.id === id))
}

function shownDevice({ id, type, entity, created, updated }: FirewallDeviceRecord, world: World): FirewallDevice {
  const record = type === 'compute' ? world.computes.get(entity) : world.balancers.get(entity)
  const url = type === 'compute' ? `/v4/compute/instances/${entity}` : `/v4/balancers/${entity}`
  return { id, entity: { id: entity, label: record?.label ?? null, type, url }, created, updated }
}

/** Service that a firewall is assigned to (api.md, Firewall behaviour). */
interface Service {
  type: ServiceType
  id: number
}

const names = { compute: 'Compute', balancer: 'Balancer' }

/** Assigns a firewall to a service; `field` names the service in the request. */
export function protect(
  firewall: FirewallRecord,
  service: Service,
  field: string,
  { world, caller }: CallerContext,
): FirewallDeviceRecord {
  const { type, id } = service
  const record = type === 'compute' ? world.computes.get(id) : world.balancers.get(id)
  const permission = permissionOf(caller.user, type, id)
  if (record === undefined || permission === null) throw refusal(field, `Invalid ${names[type]} ID ${id}`)
  if (permission !== 'read_write') throw forbidden()
  if (isMigrating(service, world)) throw refusal(field, 'Compute busy.')
  const assigned = world.network.devicesOf(firewall.id)
  if (assigned.some((device) => device.type === type && device.entity === id)) {
    throw refusal(field, `${names[type]} ${id} is already assigned to this firewall`)
  }
  if (type === 'balancer' && assigned.some((device) => device.type === type)) {
    throw refusal(field, 'Only one balancer can be assigned to a firewall')
  }
  if (firewall.status === 'enabled') checkNoOther(firewall, service, field, world)
  return world.network.devices.add({ firewall: firewall.id, type, entity: id })
}

/** Fails if another enabled firewall is assigned to the service: only one may be active. */
export function checkNoOther(
  firewall: FirewallRecord,
  { type, id }: Service,
  field: string | null,
  { network }: World,
): void {
  const others = network.devices.where('entity', id).filter((device) => device.type === type)
  for (const device of others) {
    const other = network.firewalls.get(device.firewall)
    if (other?.status === 'enabled' && other.id !== firewall.id) {
      throw refusal(field, `${names[type]} ${id} already has an active firewall: ${other.label} (${other.id})`)
    }
  }
}

/** Fails if an instance assigned to the firewall is migrating. */
export function checkNotMigrating(firewall: FirewallRecord, world: World): void {
  const devices = world.network.devicesOf(firewall.id)
  if (devices.some(({ type, entity }) => isMigrating({ type, id: entity }, world))) throw refusal(null, 'Compute busy.')
}

function isMigrating({ type, id }: Service, { computes }: World): boolean {
  return type === 'compute' && computes.get(id)?.live_migration === true
}
