/** The world's network: firewalls and what they protect, addresses and ranges and who has them. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import type { Ipv6Block } from '../catalogue/ipv6'
import type { Vlan } from '../catalogue/vlans'
import { pools, vlans } from './seed/network'
import type { Table, Tables } from './tables'

export interface FirewallRecord {
  id: number
  label: string
  status: 'enabled' | 'disabled'
  rules: FirewallRules
  tags: readonly string[]
  created: string
  updated: string
}

/** The kinds of services that a firewall can be assigned to. */
export type ServiceType = 'compute' | 'balancer'

export interface DeviceRecord {
  id: number
  firewall: number
  type: ServiceType
  /** The id of the compute instance or balancer. */
  entity: number
  created: string
  updated: string
}

export interface AddressRecord {
  id: number
  /** As RFC 5952 writes it; of a range the first, without the prefix length. */
  address: string
  prefix: number
  /** Of type `ipv6` are the SLAAC addresses, which instances give themselves. */
  type: 'ipv4' | 'ipv6' | 'ipv6/range'
  public: boolean
  region: string
  compute_id: number
  /** Null: the default. */
  rdns: string | null
  vpc_nat_1_1: { address: string; subnet_id: number; vpc_id: number } | null
  /** The instances that may use it as well. */
  shared_with: readonly number[]
}

export interface EventRecord {
  id: number
  action: string
  created: string
  entity: { id: number; label: string; type: string; url: string }
  username: string
  status: string
}

const noRules: FirewallRules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }

export class Network {
  readonly firewalls: Table<FirewallRecord>
  readonly devices: Table<DeviceRecord>
  readonly addresses: Table<AddressRecord>
  readonly events: Table<EventRecord>
  /** They never change: no operation makes them. */
  readonly pools: readonly Ipv6Block[] = pools
  readonly vlans: readonly Vlan[] = vlans
  readonly #now: () => string

  /** `now` gives the present as the service writes it. */
  constructor(tables: Tables, now: () => string) {
    this.#now = now
    this.firewalls = tables.add('firewalls')
    this.devices = tables.add('firewall devices')
    this.addresses = tables.add('addresses')
    this.events = tables.add('events')
  }

  /** Adds a firewall that is enabled and has no rules. */
  firewall(wanted: Partial<FirewallRecord> = {}): FirewallRecord {
    const id = wanted.id ?? this.firewalls.nextId()
    return this.firewalls.put({
      id,
      label: `firewall-${id}`,
      status: 'enabled',
      rules: noRules,
      tags: [],
      created: this.#now(),
      updated: this.#now(),
      ...wanted,
    })
  }

  /** Assigns a firewall to a service. */
  device(firewall: number, type: ServiceType, entity: number, id = this.devices.nextId()): DeviceRecord {
    return this.devices.put({ id, firewall, type, entity, created: this.#now(), updated: this.#now() })
  }

  /** Adds an address of a compute instance in us-east, a public one unless it says otherwise. */
  address(wanted: Pick<AddressRecord, 'address' | 'compute_id'> & Partial<AddressRecord>): AddressRecord {
    const type = wanted.type ?? (wanted.address.includes(':') ? 'ipv6' : 'ipv4')
    return this.addresses.put({
      id: wanted.id ?? this.addresses.nextId(),
      type,
      prefix: type === 'ipv4' ? 24 : 64,
      public: true,
      region: 'us-east',
      rdns: null,
      vpc_nat_1_1: null,
      shared_with: [],
      ...wanted,
    })
  }

  devicesOf(firewall: number): DeviceRecord[] {
    return this.devices.all().filter((device) => device.firewall === firewall)
  }

  addressesOf(compute: number): AddressRecord[] {
    return this.addresses.all().filter(({ compute_id }) => compute_id === compute)
  }

  /** The address or range that begins with this address. */
  findAddress(address: string): AddressRecord | undefined {
    return this.addresses.all().find((record) => record.address === address)
  }

  ranges(): AddressRecord[] {
    return this.addresses.all().filter(({ type }) => type === 'ipv6/range')
  }

  /** The address that an instance gives itself, to which its range is routed. */
  slaacOf(compute: number): AddressRecord | undefined {
    return this.addressesOf(compute).find(({ type }) => type === 'ipv6')
  }
}
