/** Checks for ports and protocols that firewalls leave open to the internet, by rule or by policy. */

import { totalOf } from '../../firewall/exposure'
import { protocols } from '../../firewall/test-cases'
import { knownProtocols } from '../../firewall/verdict'
import { type CheckResult, firewallCheck } from '../check'
import { editRules, inboundNames, mayFilter, onlyBalancers, subjectOf } from '../guards'
import { type Audience, exposureAt, familiesWithin, openPortsOf } from '../open-ports'
import { administration, amplificationPorts, databases, internalPorts, type ListeningService } from '../risky-ports'
import type { AccountSnapshot, Guard } from '../snapshot'

const openTo = (audience: Audience, listeners: readonly ListeningService[]) => ({
  findIn: (guard: Guard, { networkName }: Pick<AccountSnapshot, 'networkName'>): CheckResult[] =>
    mayFilter(guard) ? openPortsOf(guard, { listeners, audience, networkName }) : [],
})

export const databasePortOpen = firewallCheck({
  code: 'database-port-open',
  severity: 'critical',
  title: 'Database ports are open to the internet',
  ...openTo('everybody', databases),
})

export const adminPortOpen = firewallCheck({
  code: 'admin-port-open',
  severity: 'high',
  title: 'Administration ports are open to the internet',
  ...openTo('everybody', administration),
})

export const internalPortOpen = firewallCheck({
  code: 'internal-port-open',
  severity: 'high',
  title: 'Ports for internal networks are open to the internet',
  ...openTo('everybody', internalPorts),
})

export const amplifierPortOpen = firewallCheck({
  code: 'amplifier-port-open',
  severity: 'medium',
  title: 'UDP ports that amplify attacks are open to the internet',
  ...openTo('everybody', amplificationPorts),
})

export const largeNetworkOpen = firewallCheck({
  code: 'large-network-open',
  severity: 'medium',
  title: 'Sensitive ports are open to large parts of the internet',
  ...openTo('many', [...databases, ...administration, ...internalPorts]),
})

export const inboundPolicyAccept = firewallCheck({
  code: 'inbound-policy-accept',
  severity: 'high',
  title: 'Traffic that no rule matches is allowed',
  findIn(guard) {
    if (!mayFilter(guard)) return []
    const open = (onlyBalancers(guard) ? ['TCP'] : protocols).filter((protocol) => policyAccepts(guard, protocol))
    if (open.length === 0) return []
    const reason = `the inbound policy is ACCEPT, and decides about ${open.join(', ')}`
    return [{ subject: subjectOf(guard), reason, command: editRules(guard) }]
  },
})

const policyAccepts = (guard: Guard, protocol: string) =>
  exposureAt(guard)(protocol).some(({ entrances }) => entrances.some(({ number }) => number === null))

export const unknownProtocolOpen = firewallCheck({
  code: 'unknown-protocol-open',
  severity: 'high',
  title: 'Protocols that cannot be judged are open to the internet',
  findIn(guard, { networkName }) {
    if (!mayFilter(guard)) return []
    return unknownProtocols(guard).flatMap((protocol) => {
      const numbers = rulesOpenTo(guard, protocol)
      if (numbers.length === 0) return []
      const reason = `protocol ${protocol} from everybody, allowed by ${inboundNames(guard, numbers, networkName)}`
      return [{ subject: subjectOf(guard, protocol.toLowerCase()), reason, command: editRules(guard) }]
    })
  },
})

const unknownProtocols = ({ rules }: Guard) => [
  ...new Set(rules.inbound.map(({ protocol }) => String(protocol)).filter((one) => !knownProtocols.includes(one))),
]

/** Returns the rules that together allow a protocol from everybody. The policy has a check of its own. */
function rulesOpenTo(guard: Guard, protocol: string): number[] {
  const open = exposureAt(guard)(protocol).flatMap(({ entrances }) => {
    const byRules = entrances.filter(({ number }) => number !== null)
    return familiesWithin(totalOf(byRules), 'everybody').length > 0 ? byRules : []
  })
  return [...new Set(open.flatMap(({ number }) => number ?? []))]
}
