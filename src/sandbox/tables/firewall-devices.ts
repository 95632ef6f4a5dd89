import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, oneOf, times } from '../fields'

/** Types of services that firewalls can be assigned to. */
const service = oneOf('compute', 'balancer')

/** Record of a device; `entity` is the id of the compute instance or balancer. */
const record = v.strictObject({ id: may(id), firewall: id, type: service, entity: id, ...times })

export type FirewallDeviceRecord = RecordOf<typeof record>
export type ServiceType = v.InferOutput<typeof service>

const device = (id: number, firewall: number, type: ServiceType, entity: number): FirewallDeviceRecord => ({
  id,
  firewall,
  type,
  entity,
  created: '2025-10-07T10:05:00',
  updated: '2025-10-07T10:05:00',
})

const builtIn: readonly FirewallDeviceRecord[] = [
  device(4101, 4001, 'compute', 1001),
  device(4102, 4001, 'compute', 1002),
  device(4103, 4001, 'balancer', 2001),
  device(4104, 4002, 'compute', 1001),
  device(4105, 4003, 'compute', 1003),
  device(4106, 4004, 'compute', 1007),
  device(4107, 4006, 'compute', 1011),
]

/** Table of devices. In files they are written inside their firewall. */
export const firewallDevices: DeclarationOf<typeof record, never> = {
  name: 'firewall devices',
  defaults: {
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
  },
  builtIn: () => builtIn,
  form: null,
}

export type ShownDevice = Omit<FirewallDeviceRecord, 'firewall' | 'entity'> & { device_id: number }
export const deviceInFile = v.strictObject({ device_id: may(id), type: service, id, ...times })

export const deviceShown = ({ id, type, entity, created, updated }: FirewallDeviceRecord): ShownDevice => ({
  device_id: id,
  type,
  created,
  updated,
  id: entity,
})

/** Groups devices by firewall in one pass; a search per firewall would take quadratic time. */
export function byFirewall(devices: readonly FirewallDeviceRecord[]): Map<number, FirewallDeviceRecord[]> {
  const groups = new Map<number, FirewallDeviceRecord[]>()
  for (const device of devices) {
    const group = groups.get(device.firewall)
    if (group) group.push(device)
    else groups.set(device.firewall, [device])
  }
  return groups
}
