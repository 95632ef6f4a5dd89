/** Texts that the drawings of an overview share. Text of the service is escaped. */
import { protocolsText } from '../../firewall/traffic-text'
import { escapeText } from '../../rules/escape'
import { nameList } from '../../rules/texts'
import { peerNames } from '../firewalls/access-screen'
import type { Exposure, NamedService } from './exposure'
import type { ListedAddress, ListedFirewall, ListedVolume, Overview, Protection } from './inventory'

/** Returns `web-1 (1001)`; without a label, the id. */
export const nameOf = ({ id, label }: { id: number; label: string | null }) =>
  label ? `${escapeText(label)} (${id})` : `${id}`

/** Returns `web-1 (1001)`; without a label, `instance 1001`. */
export const instanceName = (one: { id: number; label: string | null }) =>
  one.label ? nameOf(one) : `instance ${one.id}`

const shortName = ({ id, label }: { id: number; label: string | null }) => (label ? escapeText(label) : `${id}`)

export const sizeText = (size: number | null) => `${size ?? '?'} GiB`

export const volumeText = (volume: ListedVolume) => `${shortName(volume)} ${sizeText(volume.size)}`

/** A range is written with its prefix length; a private address says so. */
export function addressText({ address, type, prefix, public: isPublic }: ListedAddress): string {
  const isRange = type === 'ipv6/range' || type === 'ipv6/pool'
  return escapeText(`${address}${isRange && prefix ? `/${prefix}` : ''}${isPublic === false ? ' (private)' : ''}`)
}

/** Names the firewalls that are enforced, or says plainly that there is none. */
export function protectionText({ protected: isProtected, firewalls }: Protection, isRead: boolean): string {
  if (!isRead) return 'firewalls not read'
  const enforced = firewalls.filter((one) => one.enforced !== false)
  if (isProtected !== false) return enforced.map(statedName).join(', ')
  const idle = firewalls.map((one) => `${shortName(one)} is ${escapeText(one.status ?? '-')}`)
  return ['no firewall', ...(idle.length > 0 ? [`(${idle.join(', ')})`] : [])].join(' ')
}

const statedName = (firewall: Omit<ListedFirewall, 'services'>) =>
  firewall.enforced ? shortName(firewall) : `${shortName(firewall)} (status ${escapeText(firewall.status ?? '-')})`

/** Names protocols and ports; of a protocol with many port ranges, the first `most`. */
export function whatText({ protocols, partly }: Pick<Exposure, 'protocols' | 'partly'>, most: number): string {
  return `${protocolsText(protocols, most)}${partly ? ' with exceptions' : ''}`
}

/** Names the sources; of those that the overview leaves out, their number. */
export function fromTexts(
  { outcome, networks, network_count, except, except_count }: Exposure,
  most: number,
): string[] {
  const [first = '', ...others] = sourceNames(networks, network_count)
  const but = except_count === 0 ? '' : ` but ${nameList(sourceNames(except, except_count), most)}`
  const all = [outcome === 'unknown' ? `perhaps ${first}` : first, ...others]
  return [...all.slice(0, -1), `${all.at(-1)}${but}`]
}

function sourceNames(networks: readonly string[], count: number): string[] {
  const more = count - networks.length
  return [...peerNames(networks), ...(more > 0 ? [`and ${more} more`] : [])]
}

/** Names the rule or policy that allows traffic, and the services: `rule of web: web-1`, `web-2`. */
export function placeTexts({ services, firewall, by }: Exposure): string[] {
  const [first, ...others] = services.map(serviceText)
  return [`${firewall ? `${by} of ${shortName(firewall)}` : 'no firewall'}: ${first ?? '-'}`, ...others]
}

/** Names a service; one without a label by its type. */
export const serviceText = ({ type, id, label }: NamedService) =>
  escapeText(label || `${type === 'compute' ? 'instance' : type} ${id}`)

export function countsText({ counts, storage }: Overview): string {
  const count = (number: number | null, one: string, several = `${one}s`) =>
    number === null ? `${several} not read` : `${number} ${number === 1 ? one : several}`
  const unknown = storage && storage.unknown_sizes > 0 ? ` and ${storage.unknown_sizes} of unknown size` : ''
  const gib = storage ? ` (${sizeText(storage.total_gib)}${unknown})` : ''
  return [
    count(counts.instances, 'instance'),
    count(counts.balancers, 'balancer'),
    `${count(counts.volumes, 'volume')}${gib}`,
    count(counts.addresses, 'address', 'addresses'),
    count(counts.vlans, 'VLAN'),
    count(counts.firewalls, 'firewall'),
  ].join(', ')
}

/** Lists what costs or waits without use. */
export function unusedLists({
  detached_volumes,
  unassigned_addresses,
  vlans,
  firewalls,
  storage,
}: Overview): { title: string; names: readonly string[] }[] {
  const inRegion = (text: string, region: string | null) => `${text} in ${escapeText(region ?? '-')}`
  const volumes = (detached_volumes ?? []).filter(({ attached }) => attached === false)
  const addresses = (unassigned_addresses ?? []).filter(({ assigned }) => assigned === false)
  const bare = (firewalls ?? []).filter(({ services }) => services.length === 0)
  const idle = (firewalls ?? []).filter(({ services, enforced }) => services.length > 0 && enforced === false)
  const lans = (vlans ?? []).filter(({ computes }) => computes?.length === 0)
  const { total_gib = null, detached_gib = null } = storage ?? {}
  const lists: [string, string[]][] = [
    ['Detached volumes', volumes.map((volume) => inRegion(volumeText(volume), volume.region))],
    ['Unassigned addresses', addresses.map((one) => inRegion(addressText(one), one.region))],
    ['Firewalls that protect nothing', bare.map(nameOf)],
    ['Firewalls that are not enabled', idle.map(nameOf)],
    ['VLANs without members', lans.map(({ label, region }) => inRegion(escapeText(label), region))],
    ['Volumes that may be detached', perhaps(detached_volumes, 'attached').map(volumeText)],
    ['Addresses that may be unassigned', perhaps(unassigned_addresses, 'assigned').map(addressText)],
  ]
  return lists.flatMap(([title, names], place) => {
    const gib = place === 0 ? `, ${sizeText(detached_gib)} of ${sizeText(total_gib)}` : ''
    return names.length === 0 ? [] : [{ title: `${title} (${names.length}${gib})`, names }]
  })
}

/** Keeps the records of which the answer did not say what they belong to. */
const perhaps = <K extends string, T extends Record<K, unknown>>(all: readonly T[] | null, key: K): T[] =>
  (all ?? []).filter((one) => one[key] === null)
