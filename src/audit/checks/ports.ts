/** Checks for ports and protocols that firewalls leave open to the internet, by rule or by policy. */

import { totalOf } from '../../firewall/exposure'
import { type KnownPort, knownPorts, knownPortsOf } from '../../firewall/known-ports'
import {
  type Audience,
  exposureAt,
  familiesWithin,
  lossesOf,
  type OpenPort,
  openPortsOf,
  serviceNames,
} from '../../firewall/open-ports'
import { isKnownProtocol, protocols } from '../../rules/protocols'
import { groupBy } from '../../rules/records'
import { type CheckResult, firewallCheck } from '../check'
import { inboundNames, mayFilter, onlyBalancers, restrictInbound, subjectOf } from '../firewall-facts'
import type { AccountSnapshot, Guard } from '../snapshot'

interface Search {
  services: readonly KnownPort[]
  audience?: Audience
  /** By default, those that are probably meant. */
  isReported?(open: OpenPort): boolean
}

/** Reports one finding for each entry of a rule's ports, so that a widened entry is a new finding. */
const openTo = ({ services, audience = 'everybody', isReported = isMeant }: Search) => ({
  findIn(guard: Guard, { networkName }: Pick<AccountSnapshot, 'networkName'>): CheckResult[] {
    if (!mayFilter(guard)) return []
    const judged = onlyBalancers(guard) ? services.filter(({ protocol }) => protocol === 'TCP') : services
    const open = openPortsOf(guard.rules, judged, audience).filter(isReported)
    return [...groupBy(open, ({ part }) => part)].map(([part, all]) => {
      const from = [...new Set(all.map((one) => one.from))].join(' and ')
      const numbers = [...new Set(all.map(({ number }) => number))]
      const by = inboundNames(guard, numbers, networkName)
      const reason = `${serviceNames(all).join(', ')} from ${from}, allowed by ${by}; gives away ${lossesOf(all)}`
      return { subject: subjectOf(guard, part), reason, command: restrictInbound(guard, numbers) }
    })
  },
})

const isMeant = ({ wideRange }: OpenPort) => wideRange === undefined

export const databasePortOpen = firewallCheck({
  code: 'database-port-open',
  severity: 'critical',
  title: 'Database ports are open to the internet',
  ...openTo({ services: knownPortsOf('database') }),
})

export const adminPortOpen = firewallCheck({
  code: 'admin-port-open',
  severity: 'high',
  title: 'Administration ports are open to the internet',
  ...openTo({ services: knownPortsOf('administration') }),
})

export const internalPortOpen = firewallCheck({
  code: 'internal-port-open',
  severity: 'high',
  title: 'Ports for internal networks are open to the internet',
  ...openTo({ services: knownPortsOf('internal') }),
})

export const amplifierPortOpen = firewallCheck({
  code: 'amplifier-port-open',
  severity: 'medium',
  title: 'UDP ports that amplify attacks are open to the internet',
  ...openTo({ services: knownPortsOf('amplifier') }),
})

export const largeNetworkOpen = firewallCheck({
  code: 'large-network-open',
  severity: 'medium',
  title: 'Sensitive ports are open to large parts of the internet',
  ...openTo({
    services: knownPortsOf('database', 'administration', 'internal'),
    audience: 'many',
    isReported: () => true,
  }),
})

export const wideRangeOpen = firewallCheck({
  code: 'wide-range-open',
  severity: 'medium',
  title: 'Wide port ranges that are open to the internet include one sensitive port',
  ...openTo({ services: knownPorts, isReported: (open) => !isMeant(open) }),
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
    return [{ subject: subjectOf(guard), reason, command: restrictInbound(guard, [null]) }]
  },
})

const policyAccepts = (guard: Guard, protocol: string) =>
  exposureAt(guard.rules)(protocol).some(({ entrances }) => entrances.some(({ number }) => number === null))

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
      return [{ subject: subjectOf(guard, protocol.toLowerCase()), reason, command: restrictInbound(guard, numbers) }]
    })
  },
})

const unknownProtocols = ({ rules }: Guard) => [
  ...new Set(rules.inbound.map(({ protocol }) => String(protocol)).filter((one) => !isKnownProtocol(one))),
]

/** Returns the rules that together allow a protocol from everybody. The policy has a check of its own. */
function rulesOpenTo(guard: Guard, protocol: string): number[] {
  const open = exposureAt(guard.rules)(protocol).flatMap(({ entrances }) => {
    const byRules = entrances.filter(({ number }) => number !== null)
    return familiesWithin(totalOf(byRules), 'everybody').length > 0 ? byRules : []
  })
  return [...new Set(open.flatMap(({ number }) => number ?? []))]
}
