import type { Ipv6Block } from '../../catalogue/ipv6'
import type { Vlan } from '../../catalogue/vlans'
import { regions } from './regions'

/** Returns a region's /48 prefix within the documentation range 2001:db8::/32. */
export const prefixOf = (region: string) =>
  `2001:db8:${(regions.findIndex(({ id }) => id === region) + 256).toString(16)}`

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
