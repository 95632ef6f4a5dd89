/**
 * Reads firewalls with the services that they protect. Reports rely on the services that a firewall's own record names, if
 * it does. A change relies on the list of its devices: what it cuts off or leaves unprotected must be certain.
 */

import { isDeepStrictEqual } from 'node:util'
import { readOfEach } from '../../../account/concurrency'
import { readAll } from '../../../account/resource'
import { type Firewall, firewallDevices, firewalls } from '../../../catalogue/firewalls'
import { keepHeapSmall } from '../../../data/memory-limits'
import { Problem } from '../../../errors'
import { type AssignedService, servicesNamedIn } from '../../../firewall/named-services'
import type { Client } from '../../../http/client'
import { isRecord } from '../../../rules/records'
import { unlessGone } from '../../check-removal'
import type { ReadPurpose } from '../../kind'
import type { OnUnreadable } from '../../unreadable-records'

export interface Guarded {
  firewall: Firewall
  devices: readonly AssignedService[]
  /** Time of reading in milliseconds, by the service's clock: decides which temporary openings have expired. */
  asOf: number
  /** True if the services are those that the firewall's record names. */
  isFromRecord?: true
}

/** Reports whether the devices of a firewall must be listed, although its record names its services. */
export type NeedsList = (firewall: Firewall, services: readonly AssignedService[]) => boolean

const always: NeedsList = () => true

interface GuardedReading extends Pick<ReadPurpose, 'desired'> {
  needsList?: NeedsList | undefined
}

const deviceLists = { operation: firewallDevices.list, noun: 'firewall' }

/**
 * Reads all firewalls with their services. A firewall that was deleted in the meantime is skipped; `onUnreadable` gets one
 * whose rules or devices lack a part.
 */
export async function readGuarded(
  client: Client,
  onUnreadable?: OnUnreadable,
  { needsList = always, desired }: GuardedReading = {},
): Promise<Guarded[]> {
  // Before volumes and addresses, which are read at the same time, let the young generation grow.
  await keepHeapSmall()
  const essential = ['label', 'status', 'tags', 'rules.*']
  const all = client.pages(firewalls.list, { essential, onUnreadable })
  const fromRecord = (firewall: Firewall) => {
    const services = servicesNamedIn(firewall)
    return services && !needsList(firewall, services) ? services : undefined
  }
  const read = async (firewall: Firewall): Promise<Omit<Guarded, 'asOf'>[]> => {
    shareLists(firewall, desired?.get(firewall.label)?.value)
    const devices = fromRecord(firewall)
    return devices ? [{ firewall, devices, isFromRecord: true }] : listed(firewall, client, onUnreadable)
  }
  const reads = { ...deviceLists, isNeeded: (firewall: Firewall) => !fromRecord(firewall) }
  const guarded = (await readOfEach(all, reads, { client, read })).flat()
  const asOf = client.serviceTime ?? Date.now()
  return guarded.map((one) => ({ ...one, asOf }))
}

/** Puts lists of texts of another value in the place of equal ones: files mostly have the addresses of their account. */
function shareLists(value: unknown, other: unknown): void {
  if (!isObject(value) || !isObject(other)) return
  for (const [key, inner] of Object.entries(value)) {
    const theirs = other[key]
    if (Array.isArray(inner) && typeof inner[0] === 'string' && isDeepStrictEqual(inner, theirs)) value[key] = theirs
    else shareLists(inner, theirs)
  }
}

/** Reports whether a value has keys; those of an array are 0, 1, … */
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns firewalls with their listed devices, and lists those that were not. */
export async function withListedDevices(
  all: readonly Guarded[],
  client: Client,
  onUnreadable?: OnUnreadable,
): Promise<Guarded[]> {
  const read = async (one: Guarded): Promise<Guarded[]> => {
    if (!one.isFromRecord) return [one]
    return (await listed(one.firewall, client, onUnreadable)).map((now) => ({ ...now, asOf: one.asOf }))
  }
  const reads = { ...deviceLists, isNeeded: ({ isFromRecord }: Guarded) => isFromRecord === true }
  return (await readOfEach(onePage(all), reads, { client, read })).flat()
}

/** Returns firewalls that were read by themselves, with their listed devices. */
export function guardedOf(all: readonly unknown[], client: Client): Promise<Guarded[]> {
  const asOf = client.serviceTime ?? Date.now()
  const guarded = all
    .filter(isFirewall)
    .map((firewall): Guarded => ({ firewall, devices: [], asOf, isFromRecord: true }))
  return withListedDevices(guarded, client)
}

const isFirewall = (record: unknown): record is Firewall => isRecord(record) && 'status' in record && 'rules' in record

async function* onePage<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items
}

async function listed(
  firewall: Firewall,
  client: Client,
  onUnreadable?: OnUnreadable,
): Promise<Omit<Guarded, 'asOf'>[]> {
  try {
    const devices = await unlessGone(readAll(client, firewallDevices.list, { path: { firewallId: firewall.id } }))
    return devices ? [{ firewall, devices }] : []
  } catch (error) {
    if (!onUnreadable || !(error instanceof Problem) || error.code !== 'defect') throw error
    onUnreadable(firewall, error.message)
    return []
  }
}
