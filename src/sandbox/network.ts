/** Network part of the world: firewalls with their devices, addresses and ranges with their instances. */
import type { Ipv6Block } from '../catalogue/ipv6'
import type { Vlan } from '../catalogue/vlans'
import type { TablesOf } from './declaration'
import type { log, network } from './declarations'
import { pools, vlans } from './seed/network'
import type { AddressRecord } from './tables/addresses'
import type { FirewallDeviceRecord } from './tables/firewall-devices'

type NetworkTables = TablesOf<typeof network & typeof log>

export interface NetworkState extends NetworkTables {
  /** Fixed records: no operation creates them. */
  readonly pools: readonly Ipv6Block[]
  readonly vlans: readonly Vlan[]
  devicesOf(firewall: number): FirewallDeviceRecord[]
  addressesOf(compute: number): AddressRecord[]
  /** Returns the address or range that starts with this address. */
  findAddress(address: string): AddressRecord | undefined
  ranges(): AddressRecord[]
  /** Returns the instance's SLAAC address, to which its range is routed. */
  slaacOf(compute: number): AddressRecord | undefined
}

export function networkOf(tables: NetworkTables): NetworkState {
  const { devices, addresses } = tables
  const addressesOf = (compute: number) => addresses.all().filter(({ compute_id }) => compute_id === compute)
  return {
    ...tables,
    pools,
    vlans,
    devicesOf: (firewall) => devices.all().filter((device) => device.firewall === firewall),
    addressesOf,
    findAddress: (address) => addresses.all().find((record) => record.address === address),
    ranges: () => addresses.all().filter(({ type }) => type === 'ipv6/range'),
    slaacOf: (compute) => addressesOf(compute).find(({ type }) => type === 'ipv6'),
  }
}
