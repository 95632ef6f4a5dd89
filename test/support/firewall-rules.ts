/** Firewall rules for tests: ready-made ones, and rules of which a test sets only some fields. */
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'

export const rule = (label: string, ports: string) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports,
  addresses: { ipv4: ['203.0.113.0/24'] },
  label,
})

type Rule = ReturnType<typeof rule>

/** Returns a rule set that allows only these inbound rules, and all outbound traffic. */
export const ruleSet = <R extends object = Rule>(...inbound: R[]) => ({
  inbound,
  inbound_policy: 'DROP',
  outbound: [] as R[],
  outbound_policy: 'ACCEPT',
})

export const ssh = rule('ssh', '22')
export const web = rule('web', '443')
export const dns = rule('dns', '53')

/** Fields that a test sets. The others are those of a rule that accepts SSH from 203.0.113.0/24. */
export type RuleFields = Partial<Record<'action' | 'protocol' | 'label', string>> & {
  ports?: string | undefined
  ipv4?: string[]
  ipv6?: string[]
}

export function ruleThat({ ipv4 = ['203.0.113.0/24'], ipv6, ...fields }: RuleFields = {}): FirewallRule {
  const addresses = { ...(ipv4.length > 0 && { ipv4 }), ...(ipv6 && { ipv6 }) }
  return { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses, ...fields } as FirewallRule
}

/** Returns a rule set with these inbound rules, and all outbound traffic allowed. */
export const rulesOf = (inbound: readonly FirewallRule[], policy = 'DROP'): FirewallRules =>
  ({ inbound, inbound_policy: policy, outbound: [], outbound_policy: 'ACCEPT' }) as unknown as FirewallRules
