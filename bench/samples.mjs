/** Records that several measurements use. */

export const many = (count, make) => Array.from({ length: count }, (_, index) => make(index))

/** Policies and outbound rules of a firewall, beside its inbound rules. */
export const rules = { inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

/** Returns a rule that differs from those of other numbers. */
export const rule = (index) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: String(1000 + index),
  addresses: { ipv4: [`198.51.100.${index}/32`] },
  label: `rule-${index}`,
})
