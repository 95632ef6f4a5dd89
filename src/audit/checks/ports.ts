/** Checks for ports and protocols that firewalls leave open to the internet, by rule or by policy. */
import type { FirewallRule } from '../../catalogue/firewall-rules'
import { type KnownPort, knownPorts, knownPortsOf } from '../../firewall/known-ports'
import { everywhere } from '../../firewall/networks'
import { exposureAt, lossesOf, type OpenPort, openPortsOf, serviceNames } from '../../firewall/open-ports'
import { networkTexts } from '../../firewall/rules'
import { isKnownProtocol, protocols } from '../../rules/protocols'
import { groupBy } from '../../rules/records'
import { type CheckResult, firewallCheck } from '../check'
import { inboundNames, mayFilter, onlyBalancers, restrictInbound, subjectOf } from '../firewall-facts'
import type { Guard } from '../snapshot'

/** Reports one finding for each entry of a rule's ports, so that a widened entry is a new finding. */
const openTo = (services: readonly KnownPort[], isReported = isMeant) => ({
  findIn(guard: Guard): CheckResult[] {
    if (!mayFilter(guard)) return []
    const judged = onlyBalancers(guard) ? services.filter(({ protocol }) => protocol === 'TCP') : services
    const open = openPortsOf(guard.rules, judged).filter(isReported)
    return [...groupBy(open, ({ part }) => part)].map(([part, all]) => {
      const from = [...new Set(all.map((one) => one.from))].join(' and ')
      const numbers = [...new Set(all.map(({ number }) => number))]
      const by = inboundNames(guard, numbers)
      const reason = `${serviceNames(all).join(', ')} from ${from}, allowed by ${by}; gives away ${lossesOf(all)}`
      return { subject: subjectOf(guard, part), reason, command: restrictInbound(guard, numbers) }
    })
  },
})

/** Reports whether a port was probably opened on purpose. */
const isMeant = ({ wideRange }: OpenPort) => wideRange === undefined

export const databasePortOpen = firewallCheck({
  code: 'database-port-open',
  severity: 'critical',
  title: 'Database ports are open to the internet',
  ...openTo(knownPortsOf('database')),
})

export const adminPortOpen = firewallCheck({
  code: 'admin-port-open',
  severity: 'high',
  title: 'Administration ports are open to the internet',
  ...openTo(knownPortsOf('administration')),
})

export const internalPortOpen = firewallCheck({
  code: 'internal-port-open',
  severity: 'high',
  title: 'Ports for internal networks are open to the internet',
  ...openTo(knownPortsOf('internal')),
})

export const amplifierPortOpen = firewallCheck({
  code: 'amplifier-port-open',
  severity: 'medium',
  title: 'UDP ports that amplify attacks are open to the internet',
  ...openTo(knownPortsOf('amplifier')),
})

export const wideRangeOpen = firewallCheck({
  code: 'wide-range-open',
  severity: 'medium',
  title: 'Wide port ranges that are open to the internet include one sensitive port',
  ...openTo(knownPorts, (open) => !isMeant(open)),
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
  findIn(guard) {
    if (!mayFilter(guard)) return []
    const open = guard.rules.inbound.flatMap((rule, index) =>
      isOpenUnjudged(rule) ? [{ protocol: String(rule.protocol), number: index + 1 }] : [],
    )
    return [...groupBy(open, ({ protocol }) => protocol)].map(([protocol, all]) => {
      const numbers = all.map(({ number }) => number)
      const reason = `protocol ${protocol} from everybody, allowed by ${inboundNames(guard, numbers)}`
      return { subject: subjectOf(guard, protocol.toLowerCase()), reason, command: restrictInbound(guard, numbers) }
    })
  },
})

const isOpenUnjudged = (rule: FirewallRule) =>
  rule.action !== 'DROP' &&
  !isKnownProtocol(String(rule.protocol)) &&
  networkTexts(rule).some((network) => everywhere.includes(network))
