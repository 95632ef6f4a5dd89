/** Lists the resources of an overview as rows, for spreadsheets and scripts. */
import type { ListedVolume, Overview, Protection } from './inventory'

export interface OverviewRow {
  kind: string
  id: number | string
  label: string | null
  region: string | null
  /** Instance that it belongs to. */
  compute_id: number | null
  /** In GiB. */
  size: number | null
  /** Enforced firewalls of a service, or the status of a firewall. */
  firewall: string | null
}

const empty = { label: null, region: null, compute_id: null, size: null, firewall: null }

export function rowsOf(overview: Overview): OverviewRow[] {
  const { instances, balancers, other_services, detached_volumes, unassigned_addresses, vlans, firewalls } = overview
  return [
    ...instances.flatMap((one) => [
      { ...empty, kind: 'compute', id: one.id, label: one.label, region: one.region, firewall: firewallOf(one) },
      ...one.volumes.map((volume) => ({ ...volumeRow(volume), compute_id: one.id })),
      ...one.addresses.map(({ address, region }) => ({
        ...empty,
        kind: 'address',
        id: address,
        region,
        compute_id: one.id,
      })),
    ]),
    ...[...balancers, ...other_services].map((one) => ({
      ...{ ...empty, kind: one.type, id: one.id, label: one.label },
      firewall: firewallOf(one),
    })),
    ...(detached_volumes ?? []).map(volumeRow),
    ...(unassigned_addresses ?? []).map(({ address, region }) => ({ ...empty, kind: 'address', id: address, region })),
    ...(vlans ?? []).map(({ label, region }) => ({ ...empty, kind: 'vlan', id: label, label, region })),
    ...(firewalls ?? []).map(({ id, label, status }) => ({ ...empty, kind: 'firewall', id, label, firewall: status })),
  ]
}

const volumeRow = ({ id, label, region, size }: ListedVolume): OverviewRow => ({
  ...{ ...empty, kind: 'volume', id, label },
  ...{ region, size },
})

/** Names the enforced firewalls; `none` if there is certainly none. */
function firewallOf({ protected: isProtected, firewalls }: Protection): string | null {
  if (isProtected === false) return 'none'
  return firewalls.flatMap(({ enforced, id, label }) => (enforced ? [label ?? `${id}`] : [])).join() || null
}
