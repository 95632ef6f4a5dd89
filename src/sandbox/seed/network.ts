import type { FirewallRule } from '../../catalogue/firewall-rules'
import type { Ipv6Block } from '../../catalogue/ipv6'
import type { Vlan } from '../../catalogue/vlans'
import type { DeviceRecord, ServiceType } from '../firewall-devices'
import type { FirewallRecord } from '../firewalls'
import type { AddressRecord } from '../ips'
import { computes } from './account'
import { regions } from './regions'

const everyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }

const accept = (label: string, ports: string, addresses: FirewallRule['addresses'] = everyone): FirewallRule => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports,
  addresses,
  label,
})

const firewall = (
  id: number,
  label: string,
  inbound: FirewallRule[],
  more: Partial<FirewallRecord> = {},
): FirewallRecord => ({
  id,
  label,
  status: 'enabled',
  rules: { inbound, inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
  tags: [],
  created: '2025-10-07T10:00:00',
  updated: '2025-10-07T10:00:00',
  ...more,
})

export const firewalls: readonly FirewallRecord[] = [
  firewall(
    4001,
    'web',
    [
      accept('accept-http', '80, 443'),
      accept('accept-ssh', '22', { ipv4: ['203.0.113.0/24'], ipv6: ['2001:db8:f::/48'] }),
      {
        action: 'ACCEPT',
        protocol: 'ICMP',
        addresses: everyone,
        label: 'accept-ping',
        description: 'Let it be pinged',
      },
    ],
    { tags: ['production'] },
  ),
  firewall(4002, 'web-strict', [accept('accept-http', '443')], { status: 'disabled' }),
  firewall(4003, 'database', [
    accept('accept-postgres', '5432', { ipv4: ['192.0.2.11/32', '192.0.2.12/32'] }),
    { ...accept('drop-legacy', '5433-5440'), action: 'DROP' },
  ]),
  firewall(4004, 'mover', [accept('accept-ssh', '22')]),
  firewall(4005, 'spare', []),
]

const device = (id: number, firewall: number, type: ServiceType, entity: number): DeviceRecord => ({
  id,
  firewall,
  type,
  entity,
  created: '2025-10-07T10:05:00',
  updated: '2025-10-07T10:05:00',
})

export const devices: readonly DeviceRecord[] = [
  device(4101, 4001, 'compute', 1001),
  device(4102, 4001, 'compute', 1002),
  device(4103, 4001, 'balancer', 2001),
  device(4104, 4002, 'compute', 1001),
  device(4105, 4003, 'compute', 1003),
  device(4106, 4004, 'compute', 1007),
]

const address = (id: number, text: string, compute: number, more: Partial<AddressRecord> = {}): AddressRecord => {
  const isIpv4 = text.includes('.')
  const isPrivate = text.startsWith('192.168.')
  return {
    id,
    address: text,
    prefix: isPrivate ? 17 : isIpv4 ? 24 : 64,
    type: isIpv4 ? 'ipv4' : 'ipv6',
    public: !isPrivate,
    region: regionOf(compute),
    compute_id: compute,
    rdns: null,
    vpc_nat_1_1: null,
    shared_with: [],
    ...more,
  }
}

const regionOf = (compute: number) => computes.find(({ id }) => id === compute)?.region ?? ''

/** The /32 of the documentation range has a /48 for each region. */
export const prefixOf = (region: string) =>
  `2001:db8:${(regions.findIndex(({ id }) => id === region) + 256).toString(16)}`

/** Every instance has a public IPv4 address and a SLAAC address: 1001 has 192.0.2.11 and ….:0:f03c:91ff:fe00:3e9. */
const given = computes.flatMap(({ id, region }, index) => [
  address(5001 + index, `192.0.2.${11 + index}`, id),
  address(5101 + index, `${prefixOf(region)}:0:f03c:91ff:fe00:${id.toString(16)}`, id),
])

export const addresses: readonly AddressRecord[] = [
  ...given,
  address(5201, '192.168.128.11', 1001),
  address(5202, '192.168.128.13', 1003),
  address(5203, '192.0.2.31', 1001, { rdns: 'www.example.net' }),
  address(5204, '192.0.2.32', 1002, { shared_with: [1001] }),
  address(5301, `${prefixOf('us-east')}:100::`, 1001, { type: 'ipv6/range' }),
  address(5302, `${prefixOf('us-ord')}:200::`, 1003, { type: 'ipv6/range', prefix: 56, shared_with: [1007] }),
  address(5205, '192.0.2.33', 1009, { vpc_nat_1_1: { address: '10.0.0.9', subnet_id: 9101, vpc_id: 9001 } }),
]

const pool = (region: string): Ipv6Block => ({
  range: `${prefixOf(region)}:ff00::`,
  prefix: 116,
  region,
  route_target: null,
})

export const pools: readonly Ipv6Block[] = [pool('eu-west'), pool('us-east')]

export const vlans: readonly Vlan[] = [
  { label: 'backend', region: 'us-east', computes: [1001, 1002], created: '2025-10-08T11:00:00' },
  { label: 'replication', region: 'us-ord', computes: [1003], created: '2025-10-08T11:30:00' },
  { label: 'unused', region: 'fr-par', computes: [], created: '2025-10-09T12:00:00' },
]
