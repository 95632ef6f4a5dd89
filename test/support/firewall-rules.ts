/** Rules of a firewall for tests: such that do not care what they are, and such that say a part of it. */
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'

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

/** What a test says of a rule; the rest is that of one that accepts SSH from 203.0.113.0/24. */
export type Said = Partial<Record<'action' | 'protocol' | 'label', string>> & {
  ports?: string | undefined
  ipv4?: string[]
  ipv6?: string[]
}

export function ruleThat({ ipv4 = ['203.0.113.0/24'], ipv6, ...said }: Said = {}): FirewallRule {
  const addresses = { ...(ipv4.length > 0 && { ipv4 }), ...(ipv6 && { ipv6 }) }
  return { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses, ...said } as FirewallRule
}

/** Of what comes in; everything goes out. */
export const rulesOf = (inbound: readonly FirewallRule[], policy = 'DROP'): FirewallRules =>
  ({ inbound, inbound_policy: policy, outbound: [], outbound_policy: 'ACCEPT' }) as unknown as FirewallRules
