/** Determines which firewall will protect each service: only one enabled firewall can (api.md, Firewall behaviour). */
import type { FirewallDevice } from '../../../catalogue/firewalls'
import { isMissing } from '../../../catalogue/normalize'
import { isKnownStatus } from '../../../firewall/status'
import { groupBy, isRecord } from '../../../rules/records'
import { rememberLast } from '../../../rules/remember-last'
import type { AccountState, PlanRefusal, UnprotectedService } from '../../kind'
import { inOrder } from '../../kind-functions'
import { type Added, listedIn, listedServices, listOf, servicesAfter } from './compare-services'
import { type FirewallEntry, firewallsOf, type One } from './entry'
import type { Guarded } from './read-guarded'

/** A firewall that will be enabled, and the services that it will protect. */
interface Claim {
  label: string
  services: readonly Added[]
  /** Keys of their protection. */
  keys: ReadonlySet<string>
}

type Around = Pick<One, 'entries' | 'world'>
type Beside = Pick<One, 'entries' | 'world' | 'isRemoved'>

/** Caches a result that all firewalls of a plan need: each plan has entries of its own. */
export const oncePerPlan = <A extends Around, T>(compute: (around: A) => T) =>
  rememberLast(({ entries }: A) => entries, compute)

const claimsOf = oncePerPlan((around): Claim[] => {
  const records = new Map(firewallsOf(around).map((one) => [one.firewall.label, one]))
  return [...around.entries].flatMap(([label, entry]) => claimOf(label, entry, records.get(label)))
})

function claimOf(label: string, { status, devices }: FirewallEntry, record: Guarded | undefined): Claim[] {
  // skyctl does not change an unknown status, so it is unknown whether such a firewall protects anything.
  if (record && !isKnownStatus(record.firewall.status)) return []
  if ((status ?? record?.firewall.status ?? 'enabled') !== 'enabled') return []
  const services = servicesAfter(devices, record)
  return [{ label, services, keys: new Set(services.map(protectionOf)) }]
}

/** Returns the claims of firewalls that are not in the file and will remain. */
function heldBeside(around: Beside): Claim[] {
  const { entries, isRemoved } = around
  const beside = firewallsOf(around).filter((one) => !entries.has(one.firewall.label) && !isRemoved(one))
  return beside.flatMap((one) => claimOf(one.firewall.label, {}, one))
}

/** Returns the labels of the firewalls that will protect a service, by the key of its protection: those of the file first. */
const claimantsOf = oncePerPlan((around: Beside): ReadonlyMap<string, readonly string[]> => {
  const claims = [...claimsOf(around), ...heldBeside(around)]
  const byKey = claims.flatMap(({ label, keys }) => [...keys].map((key) => ({ label, key })))
  return new Map([...groupBy(byKey, ({ key }) => key)].map(([key, some]) => [key, some.map(({ label }) => label)]))
})

/** Returns a refusal for each service that this firewall and another one would protect. */
export function claimedTwice(one: One): PlanRefusal[] {
  const { name, desired, record } = one
  // An entry without these fields changes nothing; the other firewall's entry gets the refusal.
  if (desired.status === undefined && desired.devices === undefined) return []
  const [own] = claimOf(name, desired, record)
  if (!own) return []
  return own.services.flatMap((service): PlanRefusal[] => {
    const key = protectionOf(service)
    const holder = claimantsOf(one)
      .get(key)
      ?.find((label) => label !== name)
    if (holder === undefined) return []
    const field = listedIn(desired.devices, service.type) ? `devices.${listOf(service.type)}` : 'status'
    const reason = `${key} is protected by firewall "${holder}", and only one that is enabled can be`
    return [{ field, reason, code: 'conflict' }]
  })
}

/**
 * Returns the services that no enabled firewall protects after the plan: those of firewalls and files, and the instances
 * of public addresses. Undefined if a part of the account that tells is unknown.
 */
export function unprotectedAfter(around: Beside): UnprotectedService[] | undefined {
  const { entries, world } = around
  const addressed = computesOfAddresses(world)
  if (!world.has('firewalls') || !addressed) return undefined
  const claims = [...claimsOf(around), ...heldBeside(around)]
  const after = new Set(claims.flatMap(({ keys }) => [...keys]))
  const assigned = firewallsOf(around).flatMap(({ firewall: { status }, devices }) =>
    devices.flatMap(({ entity }) => (listOf(entity.type) ? [{ entity, isProtected: status === 'enabled' }] : [])),
  )
  const now = new Set(assigned.flatMap(({ entity, isProtected }) => (isProtected ? [protectionOf(entity)] : [])))
  const labels = new Map(assigned.map(({ entity }) => [protectionOf(entity), entity.label]))
  const listed = [...entries.values()].flatMap(({ devices }) => listedServices(devices).map(protectionOf))
  const keys = new Set([...labels.keys(), ...listed, ...addressed])
  return inOrder([...keys].filter((key) => !after.has(key))).map((key) => {
    const [type = '', id] = key.split(' ')
    return { type, id: Number(id), label: labels.get(key) ?? null, was_protected: now.has(key) }
  })
}

/** Returns the instances with a public address; undefined if the plan has not read them all. */
function computesOfAddresses(world: AccountState): string[] | undefined {
  const addresses = world.get('rdns')?.filter(isRecord)
  if (!addresses || addresses.some((address) => isMissing(address, 'compute_id'))) return undefined
  return addresses.flatMap(({ public: isPublic, compute_id: id }) =>
    isPublic && id ? [protectionOf({ type: 'compute', id: Number(id) })] : [],
  )
}

/** A service that moves from one firewall to another. */
export interface Handover {
  to: string
  /** Change that claims it for the new firewall: a new device, or enabling. */
  by: 'device' | 'status'
}

export type HandoverOf = (service: Service) => Handover | undefined

type Service = Pick<FirewallDevice['entity'], 'type' | 'id'>

/** Returns a function that finds the handover of a service; undefined for services that stay. */
export const handovers = oncePerPlan((around): HandoverOf => {
  const claimants = new Map<string, string>()
  for (const { label, keys } of claimsOf(around)) for (const key of keys) claimants.set(key, label)
  const all = firewallsOf(around)
  const holders = new Map<string, string>()
  for (const { firewall, devices } of all)
    if (firewall.status === 'enabled')
      for (const { entity } of devices) holders.set(protectionOf(entity), firewall.label)
  const claimantOf = (service: Service) => {
    const key = protectionOf(service)
    const [holder, to] = [holders.get(key), claimants.get(key)]
    return holder === undefined || holder === to ? undefined : to
  }
  // Those that get services which they have already: the others are holders, or of an unknown status.
  const enabled = new Set(
    all.flatMap(({ firewall: { label }, devices }) =>
      devices.some(({ entity }) => claimantOf(entity) === label) ? [label] : [],
    ),
  )
  return (service) => {
    const to = claimantOf(service)
    return to === undefined ? undefined : { to, by: enabled.has(to) ? 'status' : 'device' }
  }
})

/** Key of a service's protection, which only one enabled firewall can have (api.md, 3). */
export const protectionOf = ({ type, id }: Service) => `${type} ${id}`

/** Reports whether a released or claimed key is a service's protection. */
export const isProtection = (key: string) => /^\S+ \d+$/.test(key)
