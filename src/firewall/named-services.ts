/**
 * Services that a firewall's own record names. api.md has them only in the list of devices, but recorded answers of real
 * services have them in the record, too: `entities`, without the ids of the devices.
 */
import type { Firewall, FirewallDevice } from '../catalogue/firewalls'
import { isRecord } from '../rules/records'

/** A service of a firewall; the id of its device is unknown if only the firewall's record names it. */
export type AssignedService = Pick<FirewallDevice, 'entity'> & Partial<Pick<FirewallDevice, 'id'>>

/** Returns the services; undefined if the record does not name them all: then only their list tells. */
export function servicesNamedIn({ entities }: Firewall): AssignedService[] | undefined {
  if (!Array.isArray(entities)) return undefined
  const services = entities.flatMap((entity) => serviceOf(entity) ?? [])
  const keys = new Set(services.map(({ entity: { type, id } }) => `${type} ${id}`))
  return keys.size === entities.length ? services : undefined
}

function serviceOf(entity: unknown): AssignedService | undefined {
  if (!isRecord(entity)) return undefined
  const { id, type, label = null, url = '' } = entity
  if (typeof id !== 'number' || typeof type !== 'string') return undefined
  return { entity: { id, type, label: typeof label === 'string' ? label : null, url: String(url) } }
}
