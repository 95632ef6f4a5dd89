/** Which firewall protects which services when all is done: of those that are enabled, one each (api.md, Firewall behaviour). */
import type { FirewallDevice } from '../../catalogue/firewalls'
import { isKnownStatus } from '../../firewall/status'
import type { Refusal } from '../kind'
import {
  type Entry,
  firewallsOf,
  type Guarded,
  idsAfter,
  kindOf,
  type One,
  type Services,
  services,
} from './firewall-devices'

/** A firewall that will be in force, with the services that it will protect. */
type Claim = { label: string } & Record<Services, readonly number[]>

type Around = Pick<One, 'entries' | 'world'>

/** Computes what all firewalls of a file ask about once for a plan. */
function oncePerPlan<T>(compute: (around: Around) => T): (around: Around) => T {
  const results = new WeakMap<One['entries'], { world: One['world']; result: T }>()
  return (around) => {
    const known = results.get(around.entries)
    if (known?.world === around.world) return known.result
    const result = compute(around)
    results.set(around.entries, { world: around.world, result })
    return result
  }
}

/** What the firewalls of the file claim. */
const claimsOf = oncePerPlan(claimsIn)

function claimsIn(around: Around): Claim[] {
  const records = new Map(firewallsOf(around).map((one) => [one.firewall.label, one]))
  return [...around.entries].flatMap(([label, entry]) => claimOf(label, entry, records.get(label)))
}

function claimOf(label: string, { status, devices }: Entry, record: Guarded | undefined): Claim[] {
  // One of an unknown status is not switched, so that nobody knows whether it protects anything.
  if (record && !isKnownStatus(record.firewall.status)) return []
  if ((status ?? record?.firewall.status ?? 'enabled') !== 'enabled') return []
  const idsIn = (list: Services) => idsAfter(devices, record, list)
  return [{ label, computes: idsIn('computes'), balancers: idsIn('balancers') }]
}

/** What the firewalls beside the file hold, and keep. */
function heldBeside(around: One): Claim[] {
  const { entries, isRemoved } = around
  const beside = firewallsOf(around).filter((one) => !entries.has(one.firewall.label) && !isRemoved(one))
  return beside.flatMap((one) => claimOf(one.firewall.label, {}, one))
}

/** Services that this firewall will protect, and another one, too. */
export function claimedTwice(one: One): Refusal[] {
  const { name, wanted, record } = one
  // What the file does not say of it is said of the other one.
  if (wanted.status === undefined && wanted.devices === undefined) return []
  const [own] = claimOf(name, wanted, record)
  if (!own) return []
  const others = [...claimsOf(one), ...heldBeside(one)].filter(({ label }) => label !== name)
  return services.flatMap((list) =>
    own[list].flatMap((id): Refusal[] => {
      const holder = others.find((other) => other[list].includes(id))
      if (!holder) return []
      const field = wanted.devices?.[list] === undefined ? 'status' : `devices.${list}`
      const reason = `${kindOf(list)} ${id} is protected by firewall "${holder.label}", and only one that is enabled can be`
      return [{ field, reason, code: 'conflict' }]
    }),
  )
}

/** A service that one firewall protects now, and another one when all is done. */
export interface Handover {
  /** The label of the firewall that claims it. */
  to: string
  /** How that one claims it: it gets a device, or has one already and is enabled. */
  by: 'device' | 'status'
}

export type HandoverOf = (service: Service) => Handover | undefined

type Service = Pick<FirewallDevice['entity'], 'type' | 'id'>

/** The services of a plan that change their firewall; undefined for others. */
export const handovers = oncePerPlan((around): HandoverOf => {
  const claimants = new Map<string, string>()
  for (const claim of claimsOf(around))
    for (const list of services) for (const id of claim[list]) claimants.set(`${kindOf(list)} ${id}`, claim.label)
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
  const enabled = new Set(
    all.flatMap(({ firewall: { label, status }, devices }) =>
      status === 'disabled' && devices.some(({ entity }) => claimantOf(entity) === label) ? [label] : [],
    ),
  )
  return (service) => {
    const to = claimantOf(service)
    return to === undefined ? undefined : { to, by: enabled.has(to) ? 'status' : 'device' }
  }
})

/** What a firewall releases and another one claims: one that is enabled protects a service alone (api.md, 3). */
export const protectionOf = ({ type, id }: Service) => `${type} ${id}`

/** Tells the services among what is released and claimed. */
export const isProtection = (key: string) => /^\S+ \d+$/.test(key)
