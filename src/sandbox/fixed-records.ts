/** Records that no operation creates or changes: regions, availability, IPv6 pools and VLANs. */

import type { Ipv6Block } from '../catalogue/ipv6'
import type { Answer } from '../catalogue/operation'
import type { regions as operations } from '../catalogue/regions'
import type { Vlan } from '../catalogue/vlans'

export type Region = Answer<typeof operations.view>
export type AvailabilityRow = Answer<typeof operations.availability>

const everywhere = ['Computes', 'Balancers', 'Cloud Firewall', 'Metadata', 'Kubernetes']
const classic = [...everywhere, 'Block Storage', 'Vlans', 'VPCs']
const full = [...classic, 'Object Storage', 'Premium Plans']
const gpu = [...full, 'GPU Computes']

/** Regions by ascending id, as the service lists them. */
const places: readonly (readonly [id: string, label: string, country: string, capabilities: readonly string[]])[] = [
  ['ap-northeast', 'Tokyo 2, JP', 'jp', [...classic, 'Object Storage']],
  ['ap-south', 'Singapore, SG', 'sg', gpu],
  ['ap-southeast', 'Sydney, NSW, AU', 'au', classic],
  ['ap-west', 'Mumbai, IN', 'in', classic],
  ['au-mel', 'Melbourne, VIC, AU', 'au', full],
  ['br-gru', 'Sao Paulo, BR', 'br', full],
  ['ca-central', 'Toronto, ON, CA', 'ca', classic],
  // The only region without block storage: it rejects volumes.
  ['ca-mtl', 'Montreal, QC, CA', 'ca', [...everywhere, 'Vlans', 'VPCs', 'Object Storage']],
  ['de-fra-2', 'Frankfurt 2, DE', 'de', gpu],
  ['es-mad', 'Madrid, ES', 'es', full],
  ['eu-central', 'Frankfurt, DE', 'de', [...classic, 'Object Storage']],
  ['eu-west', 'London, UK', 'gb', classic],
  ['fr-par', 'Paris, FR', 'fr', gpu],
  ['id-cgk', 'Jakarta, ID', 'id', full],
  ['in-maa', 'Chennai, IN', 'in', gpu],
  ['it-mil', 'Milan, IT', 'it', full],
  ['jp-osa', 'Osaka, JP', 'jp', gpu],
  ['nl-ams', 'Amsterdam, NL', 'nl', full],
  ['se-sto', 'Stockholm, SE', 'se', full],
  ['us-central', 'Dallas, TX, USA', 'us', classic],
  ['us-east', 'Newark, NJ, USA', 'us', [...classic, 'Object Storage', 'GPU Computes']],
  ['us-iad', 'Washington, DC, USA', 'us', full],
  ['us-lax', 'Los Angeles, CA, USA', 'us', full],
  ['us-mia', 'Miami, FL, USA', 'us', full],
  ['us-ord', 'Chicago, IL, USA', 'us', gpu],
  ['us-sea', 'Seattle, WA, USA', 'us', gpu],
  ['us-southeast', 'Atlanta, GA, USA', 'us', [...classic, 'Object Storage']],
  // The only region without VLANs.
  ['us-west', 'Fremont, CA, USA', 'us', [...everywhere, 'Block Storage', 'VPCs']],
]

const inOutage = 'ap-west'

export const regions: readonly Region[] = places.map(([id, label, country, capabilities], index) => ({
  id,
  label,
  country,
  capabilities: [...capabilities],
  status: id === inOutage ? 'outage' : 'ok',
  resolvers: {
    ipv4: [5, 6, 7].map((host) => `203.0.113.${index * 8 + host - 4}`).join(', '),
    ipv6: [5, 6, 7].map((host) => `2001:db8:${(index + 1).toString(16)}::${host}`).join(', '),
  },
}))

const premiumPlans = [4096, 8192, 16384, 32768, 65536, 98304].map((memory) => `premium${memory}.7`)
const gpuPlans = ['gpu-rtx4000a1-s', 'gpu-rtx4000a2-m', 'gpu-rtx6000-1.1', 'gpu-rtx6000-2.1']
const soldOut = new Set(['premium98304.7', 'gpu-rtx6000-2.1'])

const plansOf = (plans: readonly string[], region: Region, capability: string): AvailabilityRow[] =>
  plans.map((plan) => ({
    region: region.id,
    plan,
    available: region.capabilities.includes(capability) && !soldOut.has(plan),
  }))

export const availability: readonly AvailabilityRow[] = regions.flatMap((region) => [
  ...plansOf(premiumPlans, region, 'Premium Plans'),
  ...plansOf(gpuPlans, region, 'GPU Computes'),
])

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
