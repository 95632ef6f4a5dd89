/** Rules of a firewall for tests that do not care what they are. */

export const rule = (label: string, ports: string) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports,
  addresses: { ipv4: ['203.0.113.0/24'] },
  label,
})

type Rule = ReturnType<typeof rule>

/** What comes in by these, and nothing else; everything goes out. */
export const ruleSet = <R extends object = Rule>(...inbound: R[]) => ({
  inbound,
  inbound_policy: 'DROP',
  outbound: [] as R[],
  outbound_policy: 'ACCEPT',
})

export const ssh = rule('ssh', '22')
export const web = rule('web', '443')
export const dns = rule('dns', '53')
