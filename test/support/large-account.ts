/** Accounts as large as api.md allows, as worlds of the sandbox. */

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))
const hex = (number: number) => (number % 65_536).toString(16).padStart(4, 'f')
const network = (number: number) =>
  `2001:db8:${hex(number)}:${hex(7919 * number)}:abcd:ef12:3456:${hex(31 * number)}/128`

const rule = (firewall: number, index: number) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: String(1000 + index),
  label: `rule-${index}`,
  description: `Partners of site ${firewall}`,
  addresses: { ipv6: many(255, (place) => network((firewall * 25 + index) * 255 + place)) },
})

/**
 * Describes firewalls `fw-0`, `fw-1`, …, each with its own instance and, with `besides`, 50 volumes and 45 instances
 * with 3 addresses.
 */
export function largeAccount(firewalls: number, besides = true): object {
  const each = besides ? { volumes: 50, computes: 45 } : { volumes: 0, computes: 1 }
  const computes = many(each.computes * firewalls, (index) => ({
    id: 8000 + index,
    label: `c-${index}`,
    region: 'us-east',
  }))
  return {
    computes,
    volumes: many(each.volumes * firewalls, (index) => ({
      label: `v-${index}`,
      region: 'us-east',
      tags: ['a', `team-${index}`],
    })),
    addresses: (besides ? computes : []).flatMap(({ id, region }, index) =>
      addressesOf(index).map((one) => ({ ...one, compute_id: id, region })),
    ),
    firewalls: many(firewalls, (index) => ({
      label: `fw-${index}`,
      rules: {
        inbound: many(25, (place) => rule(index, place)),
        inbound_policy: 'DROP',
        outbound: [],
        outbound_policy: 'ACCEPT',
      },
      devices: [{ type: 'compute', id: 8000 + index }],
    })),
  }
}

const addressesOf = (index: number) => [
  { address: `198.${18 + (index >> 16)}.${(index >> 8) % 256}.${index % 256}`, type: 'ipv4' },
  { address: `100.64.${index >> 8}.${index % 256}`, type: 'ipv4', rdns: `c-${index}.example.org` },
  { address: `2001:db8:ffff::${(index + 1).toString(16)}`, type: 'ipv6' },
]
