/** What the world reaches through firewalls that are in force. */
import type { FirewallRule } from '../../catalogue/firewall-rules'
import { exposureOf, isOpenOfUnknownProtocol } from '../../firewall/exposure'
import { groupBy } from '../../rules/groups'
import { parsePorts } from '../../rules/ports'
import { check, type Found } from '../check'
import { editRules, inForce, onlyBalancers, subjectOf } from '../guards'
import type { Guard } from '../world'

interface Listener {
  protocol: 'TCP' | 'UDP'
  port: number
  name: string
}

const tcp = (port: number, name: string): Listener => ({ protocol: 'TCP', port, name })
const udp = (port: number, name: string): Listener => ({ protocol: 'UDP', port, name })

/** Whoever gets in there runs the machine (IANA, Service Name and Port Number Registry, and the products' own pages). */
const administration = [
  ...[tcp(22, 'SSH'), tcp(23, 'Telnet'), tcp(445, 'SMB'), tcp(2375, 'Docker'), tcp(2376, 'Docker'), tcp(3389, 'RDP')],
  ...[tcp(5900, 'VNC'), tcp(5985, 'WinRM'), tcp(5986, 'WinRM'), tcp(6443, 'Kubernetes'), tcp(10_250, 'kubelet')],
  ...[udp(161, 'SNMP'), udp(623, 'IPMI')],
]

const databases = [
  ...[tcp(1433, 'SQL Server'), tcp(1521, 'Oracle'), tcp(2379, 'etcd'), tcp(3306, 'MySQL'), tcp(5432, 'PostgreSQL')],
  ...[tcp(5984, 'CouchDB'), tcp(6379, 'Redis'), tcp(9042, 'Cassandra'), tcp(9200, 'Elasticsearch')],
  ...[tcp(11_211, 'Memcached'), udp(11_211, 'Memcached'), tcp(27_017, 'MongoDB')],
]

/** Of the addresses of IPv4 or IPv6: an allow list of one's own never has so many. */
const everybody = 1 / 2

export const databasePortOpen = check({
  code: 'database-port-open',
  severity: 'critical',
  title: 'The world reaches ports of databases',
  needs: ['firewalls'],
  find: ({ firewalls }) => firewalls.filter(inForce).flatMap((guard) => openTo(guard, databases)),
})

export const adminPortOpen = check({
  code: 'admin-port-open',
  severity: 'high',
  title: 'The world reaches ports of administration',
  needs: ['firewalls'],
  find: ({ firewalls }) => firewalls.filter(inForce).flatMap((guard) => openTo(guard, administration)),
})

export const unknownProtocolOpen = check({
  code: 'unknown-protocol-open',
  severity: 'high',
  title: 'The world is let in by protocols that cannot be judged',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls.filter(inForce).flatMap((guard) =>
      guard.rules.inbound.flatMap((rule, index) =>
        isOpenOfUnknownProtocol(rule)
          ? [
              {
                subject: subjectOf(guard, String(rule.protocol).toLowerCase()),
                reason: `inbound rule ${index + 1} accepts protocol ${rule.protocol} from everybody`,
                command: editRules(guard),
              },
            ]
          : [],
      ),
    ),
})

interface Opening {
  /** As rules have it: `tcp/22`, `tcp/5000-6000`, `tcp` for all ports. */
  part: string
  number: number
  listener: Listener
  from: string
}

/** One for each entry of a rule's ports, so that it is another where that is widened. */
function openTo(guard: Guard, listeners: readonly Listener[]): Found[] {
  const judged = onlyBalancers(guard) ? listeners.filter(({ protocol }) => protocol === 'TCP') : listeners
  const openings = groupBy(
    judged.flatMap((listener) => openingsOf(guard, listener)),
    ({ part }) => part,
  )
  return [...openings].map(([part, all]) => {
    const names = [...new Set(all.map(({ listener: { name, port } }) => `${name} (${port})`))].join(', ')
    const numbers = [...new Set(all.map(({ number }) => number))]
    const rules = `inbound rule${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')}`
    const from = [...new Set(all.map((opening) => opening.from))].join(' and ')
    return { subject: subjectOf(guard, part), reason: `${names} from ${from} by ${rules}`, command: editRules(guard) }
  })
}

function openingsOf({ rules }: Guard, listener: Listener): Opening[] {
  const families = (['ipv4', 'ipv6'] as const).map((family) => ({
    name: family === 'ipv4' ? 'IPv4' : 'IPv6',
    ...exposureOf(rules, listener, family),
  }))
  const open = families.filter(({ share }) => share >= everybody)
  const from = open.every(({ share }) => share === 1) ? wholly(open) : open.map(partly).join(' and ')
  return rules.inbound.flatMap((rule, index) => {
    const number = index + 1
    return open.some(({ by }) => by.has(number)) ? [{ part: partOf(rule, listener), number, listener, from }] : []
  })
}

interface Openness {
  name: string
  share: number
}

const wholly = (open: readonly Openness[]) => (open.length === 2 ? 'anywhere' : `any ${open[0]?.name} address`)
const partly = ({ name, share }: Openness) => `${Math.floor(share * 100)} % of ${name}`

function partOf({ ports }: FirewallRule, { protocol, port }: Listener): string {
  const name = protocol.toLowerCase()
  const entry = parsePorts(ports ?? '')?.find(({ first, last }) => first <= port && port <= last)
  if (!entry) return name
  return `${name}/${entry.first === entry.last ? entry.first : `${entry.first}-${entry.last}`}`
}
