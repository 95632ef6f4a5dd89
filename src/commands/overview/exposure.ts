/** Lists what is exposed: allowed inbound traffic, its sources, and the rule or policy that allows it. */
import { mayFilter } from '../../audit/firewall-facts'
import type { Guard } from '../../audit/snapshot'
import { type InboundAccess, inboundAccess } from '../../firewall/access'
import { allProtocols } from '../../firewall/judged-rule'
import { everywhere } from '../../firewall/networks'
import { isKnownStatus } from '../../firewall/status'
import type { Traffic } from '../../firewall/summarize-traffic'
import { judgedService } from '../../firewall/verdict'

export interface NamedService {
  type: string
  id: number
  label: string | null
}

/** Returns the services that a firewall protects. */
export const protectedServices = ({ devices }: Guard): NamedService[] =>
  devices.map(({ entity: { type, id, label } }) => ({ type, id, label }))

export interface Exposure {
  services: readonly NamedService[]
  /** Null for services without a firewall. */
  firewall: { id: number; label: string | null } | null
  /** `status`: it is unknown whether the firewall is enforced. */
  by: 'no firewall' | 'status' | 'policy' | 'rule'
  /** `unknown`: api.md does not define what the status, the policy or a rule does. */
  outcome: 'allowed' | 'unknown'
  protocols: Traffic['protocols']
  /** True if rules block, or may block, a part of it. */
  partly: boolean
  /** True if all addresses of IPv4 or IPv6 are among the networks. */
  anywhere: boolean
  /** The first networks; `network_count` is the number of all. */
  networks: readonly string[]
  network_count: number
  /** The first exceptions within the networks. */
  except: readonly string[]
  except_count: number
}

/** Networks of an entry; a large account has a million. */
const mostNetworks = 20

const everything = {
  protocols: allProtocols.map((protocol) => ({ protocol, ports: null })),
  networks: everywhere,
  except: [],
}

/** Lists the exposures of services without a firewall, and through all firewalls that may be enforced: widest first. */
export function exposuresOf(bare: readonly NamedService[], firewalls: readonly Guard[]): Exposure[] {
  const open = { services: bare, firewall: null, by: 'no firewall', outcome: 'allowed', partly: false } as const
  const exposures = [
    ...(bare.length > 0 ? [{ ...open, ...sourcesOf(everything) }] : []),
    ...firewalls.filter(mayFilter).flatMap(throughFirewall),
  ]
  const rankOf = ({ by, anywhere, outcome }: Exposure) =>
    (anywhere ? 0 : 10) + (outcome === 'unknown' ? 5 : 0) + order.indexOf(by)
  return exposures.sort((a, b) => rankOf(a) - rankOf(b) || ((a.firewall?.id ?? 0) < (b.firewall?.id ?? 0) ? -1 : 1))
}

const order: readonly Exposure['by'][] = ['no firewall', 'status', 'policy', 'rule']

function throughFirewall(guard: Guard): Exposure[] {
  const { id, label, status, devices } = guard
  const access = inboundAccess(guard.rules, judgedService(devices))
  const of = { services: protectedServices(guard), firewall: { id, label } }
  const wide = isKnownStatus(status) ? policyEntry(access) : [{ ...sourcesOf(everything), ...byStatus }]
  return [...wide, ...ruleEntries(access)].map((entry) => ({ ...of, ...entry }))
}

const byStatus = { by: 'status', outcome: 'unknown', partly: false } as const

type Entry = Omit<Exposure, 'services' | 'firewall'>

function policyEntry({ rows, otherwise, isTcpOnly }: InboundAccess): Entry[] {
  if (otherwise === 'blocked') return []
  const protocols = everything.protocols.filter(({ protocol }) => !isTcpOnly || protocol === 'TCP')
  const partly = rows.some(({ outcome }) => outcome !== otherwise)
  return [{ by: 'policy', outcome: otherwise, partly, ...sourcesOf({ ...everything, protocols }) }]
}

/** Traffic that gets in by a rule as it would by the policy is part of the policy's. */
function ruleEntries({ rows, otherwise }: InboundAccess): Entry[] {
  return rows.flatMap(({ outcome, traffic }): Entry[] =>
    outcome === 'blocked' || outcome === otherwise
      ? []
      : [{ by: 'rule', outcome, partly: false, ...sourcesOf(traffic) }],
  )
}

const sourcesOf = ({ protocols, networks, except }: Omit<Traffic, 'direction'>) => ({
  protocols,
  anywhere: networks.some((network) => everywhere.includes(network)),
  networks: networks.slice(0, mostNetworks),
  network_count: networks.length,
  except: except.slice(0, mostNetworks),
  except_count: except.length,
})
