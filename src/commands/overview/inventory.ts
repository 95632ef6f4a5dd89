/** Builds the overview of an account from what was read: services with all that belongs to them, and what is unused. */
import { auditAccount, countBySeverity, type Finding, type SeverityCounts } from '../../audit/audit'
import { checks } from '../../audit/checks'
import type { Readings } from '../../audit/read-snapshot'
import type { Guard, SnapshotPart } from '../../audit/snapshot'
import type { IpAddress } from '../../catalogue/ips'
import { isMissing } from '../../catalogue/normalize'
import type { Vlan } from '../../catalogue/vlans'
import type { Volume } from '../../catalogue/volumes'
import { isKnownStatus, mayBeEnforced } from '../../firewall/status'
import { parseAddress } from '../../rules/addresses'
import { groupBy } from '../../rules/records'
import { type Exposure, exposuresOf, type NamedService, protectedServices } from './exposure'

/** Parts of the account that the overview reads. */
export const parts = ['volumes', 'addresses', 'firewalls', 'vlans', 'grants'] as const satisfies SnapshotPart[]

export interface ListedFirewall {
  id: number
  label: string | null
  status: string | null
  /** Whether its rules are enforced where it is assigned; null: the status is unknown. */
  enforced: boolean | null
  services: readonly NamedService[]
}

export interface Protection {
  /** Whether an enabled firewall is assigned; null: unknown. */
  protected: boolean | null
  firewalls: readonly Omit<ListedFirewall, 'services'>[]
}

export interface ListedVolume extends Pick<Volume, 'id' | 'label' | 'size' | 'status' | 'region'> {
  /** Whether it is attached; null: the answer did not say. */
  attached: boolean | null
}

export interface ListedAddress extends Pick<IpAddress, 'address' | 'type' | 'prefix' | 'public' | 'region'> {
  assigned: boolean | null
}

export interface ListedInstance extends Protection {
  id: number
  label: string | null
  region: string | null
  /** Public ones first. */
  addresses: readonly ListedAddress[]
  volumes: readonly ListedVolume[]
  vlans: readonly string[]
}

interface ListedVlan extends Pick<Vlan, 'label' | 'region'> {
  /** Null if the answer lacked them. */
  computes: readonly number[] | null
}

export interface Overview {
  format_version: 1
  /** Null for parts that were not read. */
  counts: Record<'instances' | 'balancers' | 'volumes' | 'addresses' | 'vlans' | 'firewalls', number | null>
  storage: { total_gib: number; detached_gib: number; unknown_sizes: number } | null
  instances: readonly ListedInstance[]
  balancers: readonly (NamedService & Protection)[]
  /** Services of types that api.md does not document. */
  other_services: readonly (NamedService & Protection)[]
  detached_volumes: readonly ListedVolume[] | null
  unassigned_addresses: readonly ListedAddress[] | null
  vlans: readonly ListedVlan[] | null
  firewalls: readonly ListedFirewall[] | null
  exposure: readonly Exposure[] | null
  /** Numbers of audit findings about these parts. */
  findings: SeverityCounts
  not_read: readonly { part: string; error: { code: string; message: string } }[]
}

const byNumber = (one: number, other: number) => (one < other ? -1 : one > other ? 1 : 0)
const byId = (one: { id: number }, other: { id: number }) => byNumber(one.id, other.id)
const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** `problems` are those of these readings. */
export function overviewOf(readings: Readings, problems: readonly Finding[]): Overview {
  const { world, failed, unreadable } = readings
  const firewalls = world.firewalls?.map(listedFirewall).sort(byId) ?? null
  const instances = instancesOf(world, firewalls)
  const services = servicesOf(world, firewalls)
  const balancers = services.filter(({ type }) => type === 'balancer')
  const volumes = world.volumes?.map(listedVolume).sort(byId) ?? null
  const detached = volumes?.filter(({ attached }) => attached !== true) ?? null
  const addresses = world.addresses?.map(listedAddress) ?? null
  const vlans = world.vlans?.map(listedVlan) ?? null
  const isComplete = !parts.some((part) => part !== 'grants' && failed.has(part))
  return {
    format_version: 1,
    counts: {
      instances: isComplete || instances.length > 0 ? instances.length : null,
      balancers: firewalls || world.grants ? balancers.length : null,
      volumes: volumes?.length ?? null,
      addresses: addresses?.length ?? null,
      vlans: vlans?.length ?? null,
      firewalls: firewalls?.length ?? null,
    },
    storage: volumes && storageOf(volumes),
    instances,
    balancers,
    other_services: services.filter(({ type }) => type !== 'balancer' && type !== 'compute'),
    detached_volumes: detached,
    unassigned_addresses: addresses?.filter(({ assigned }) => assigned !== true).sort(publicFirst) ?? null,
    vlans: vlans?.sort((a, b) => byRegion(a.region, b.region) || byText(a.label, b.label)) ?? null,
    firewalls,
    exposure: world.firewalls ? exposuresOf(bareServices(instances, services, world), world.firewalls) : null,
    findings: countBySeverity(problems),
    not_read: [...[...failed].map(([part, problem]) => ({ part, problem })), ...unreadable].map(
      ({ part, problem: { code, message } }) => ({ part, error: { code, message } }),
    ),
  }
}

/** Lists what certainly has no firewall, but not instances that certainly have no public address. */
function bareServices(
  instances: readonly ListedInstance[],
  services: readonly (NamedService & Protection)[],
  { addresses }: Readings['world'],
): NamedService[] {
  const reachable = instances.filter((one) => !addresses || one.addresses.some((each) => each.public !== false))
  const named = reachable.map((one) => ({ ...one, type: 'compute' }))
  const bare = [...named, ...services.filter(({ type }) => type !== 'compute')].filter((one) => one.protected === false)
  return bare.map(({ type, id, label }) => ({ type, id, label }))
}

function listedFirewall(guard: Guard): ListedFirewall {
  const { id, label, status } = guard
  const enforced = isKnownStatus(status) || !mayBeEnforced(status) ? status === 'enabled' : null
  return { id, label, status, enforced, services: protectedServices(guard).sort(byId) }
}

const listedVolume = (volume: Volume): ListedVolume => {
  const { id, label, size, status, region, compute_id } = volume
  return { id, label, size, status, region, attached: isMissing(volume, 'compute_id') ? null : compute_id !== null }
}

const listedAddress = (one: IpAddress): ListedAddress => {
  const { address, type, prefix, public: isPublic, region, compute_id } = one
  const assigned = isMissing(one, 'compute_id') ? null : compute_id !== null
  return { address, type, prefix, public: isPublic, region, assigned }
}

function listedVlan(vlan: Vlan): ListedVlan {
  const { label, region, computes } = vlan
  return { label, region, computes: isMissing(vlan, 'computes') ? null : [...computes].sort(byNumber) }
}

/** Sorts public addresses first, then IPv4 before IPv6, then by number. */
function publicFirst(one: ListedAddress, other: ListedAddress): number {
  const keyOf = ({ address, public: isPublic }: ListedAddress) => {
    const parsed = parseAddress(address)
    return `${isPublic === false ? 1 : 0} ${parsed?.family ?? ''} ${parsed?.value.toString(16).padStart(32, '0')} ${address}`
  }
  return byText(keyOf(one), keyOf(other))
}

/** Lists the instances that volumes, addresses, firewalls and VLANs name: the API lists none. */
function instancesOf(world: Readings['world'], firewalls: Overview['firewalls']): ListedInstance[] {
  const { volumes = [], addresses = [], vlans = [], computeLabels, grants } = world
  const volumesOf = groupBy(volumes, ({ compute_id }) => compute_id)
  const addressesOf = groupBy(addresses, ({ compute_id }) => compute_id)
  const vlansOf = groupBy(
    vlans.flatMap((vlan) => (isMissing(vlan, 'computes') ? [] : vlan.computes.map((id) => ({ id, vlan })))),
    ({ id }) => id,
  )
  const assigned = (firewalls ?? []).flatMap(({ services }) => services)
  const ofFirewalls = assigned.flatMap(({ type, id }) => (type === 'compute' ? [id] : []))
  const granted = new Map((grants?.compute ?? []).map(({ id, label }) => [id, label]))
  const ids = new Set([...volumesOf.keys(), ...addressesOf.keys(), ...vlansOf.keys(), ...ofFirewalls])
  const instances = [...ids].flatMap((id) => {
    if (!id) return []
    const [ownVolumes, ownAddresses] = [volumesOf.get(id) ?? [], addressesOf.get(id) ?? []]
    const ownVlans = (vlansOf.get(id) ?? []).map(({ vlan }) => vlan)
    const region = [...ownVolumes, ...ownAddresses, ...ownVlans].find((one) => one.region)?.region ?? null
    return {
      ...{ id, label: computeLabels.get(id) ?? granted.get(id) ?? null, region },
      ...protectionOf('compute', id, firewalls),
      addresses: ownAddresses.map(listedAddress).sort(publicFirst),
      volumes: ownVolumes.map(listedVolume).sort(byId),
      vlans: ownVlans.map(({ label }) => label).sort(byText),
    }
  })
  return instances.sort((a, b) => byRegion(a.region, b.region) || byId(a, b))
}

/** Sorts an unknown region last. */
export const byRegion = (one: string | null, other: string | null) =>
  one === null || other === null ? Number(one === null) - Number(other === null) : byText(one, other)

/** Lists the services that firewalls name, and the balancers that grants name. */
function servicesOf({ grants }: Readings['world'], firewalls: Overview['firewalls']): (NamedService & Protection)[] {
  const granted = (grants?.balancer ?? []).map(({ id, label }) => ({ type: 'balancer', id, label }))
  const all = [...(firewalls ?? []).flatMap(({ services }) => services), ...granted]
  const named = new Map(all.map((one) => [`${one.type} ${one.id}`, one]))
  const services = [...named.values()].map((one) => ({ ...one, ...protectionOf(one.type, one.id, firewalls) }))
  return services.sort((a, b) => byText(a.type, b.type) || byId(a, b))
}

function protectionOf(type: string, id: number, firewalls: Overview['firewalls']): Protection {
  const own = (firewalls ?? []).filter(({ services }) => services.some((one) => one.type === type && one.id === id))
  const isProtected = own.some(({ enforced }) => enforced)
  const isUnknown = !firewalls || own.some(({ enforced }) => enforced === null)
  return {
    protected: isProtected || (isUnknown ? null : false),
    firewalls: own.map(({ services: _, ...firewall }) => firewall),
  }
}

function storageOf(volumes: readonly ListedVolume[]): NonNullable<Overview['storage']> {
  const sizeOf = (some: readonly ListedVolume[]) => some.reduce((total, { size }) => total + Number(size ?? 0), 0)
  return {
    total_gib: sizeOf(volumes),
    detached_gib: sizeOf(volumes.filter(({ attached }) => attached === false)),
    unknown_sizes: volumes.filter(({ size }) => size === null).length,
  }
}

/** Returns the findings of the checks that need no other parts, worst first. */
export function problemsIn(readings: Readings): readonly Finding[] {
  const isRead = (part: SnapshotPart) => parts.some((one) => one === part)
  const runnable = checks.filter(({ needs }) => needs.every(isRead))
  return auditAccount(runnable, readings, []).findings
}
