/** An account whose firewalls have all the rules and addresses that api.md allows, as a world of the sandbox. */

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

/** Firewalls `fw-0`, `fw-1`, …, each with an instance of its own. */
export function largeAccount(firewalls: number): object {
  return {
    computes: many(firewalls, (index) => ({ id: 8000 + index, label: `c-${index}`, region: 'us-east' })),
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
