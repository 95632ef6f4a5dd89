/** Reads the traffic for `open` from its flags: protocol, ports and addresses. */

import { isValid } from '../../../catalogue/check'
import { checkFileValue } from '../../../catalogue/check-file-value'
import { type FirewallRule, firewallRule } from '../../../catalogue/firewall-rules'
import type { Flag, Flags, Input } from '../../../engine/command'
import { wrongInput } from '../../../engine/field-names'
import { durationFlag, listFlag, textFlag } from '../../../engine/flag-values'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { ownAddress } from '../../../firewall/networks'
import { tidyRule } from '../../../firewall/normalize-rules'
import { networkTexts } from '../../../firewall/rules'
import { protocolsWithPorts } from '../../../rules/ports'
import { protocolFlag, readPeers } from '../rule-flags'

export const openFlags: readonly Flag[] = [
  { name: 'port', oldNames: ['ports'], value: 'ports', description: 'Ports to open, such as 22 or 80,443' },
  { ...protocolFlag, defaultText: 'tcp' },
  {
    name: 'from',
    value: 'networks',
    standIn: 'YOUR-ADDRESS',
    list: 'commas',
    description: 'Addresses, networks or their names, or anywhere',
    required: true,
  },
  {
    name: 'for',
    value: 'time',
    description: 'Duration, such as 30m (default with a command: 24h)',
  },
]

export interface AccessRule extends Pick<FirewallRule, 'action' | 'protocol' | 'ports' | 'addresses'> {
  addresses: { ipv4?: string[] | undefined; ipv6?: string[] | undefined }
}

/** Returns what a line lacks. A command that ends needs no time. */
function missingIn(flags: Flags, withCommand: boolean) {
  const { protocol, ports } = trafficOf(flags)
  const needed = [
    {
      flag: '--from',
      isMissing: (listFlag(flags, 'from') ?? []).length === 0,
      why: ', so that nothing is opened to everybody by mistake',
      hint: `Pass your address, or a network. ${ownAddress}`,
    },
    {
      flag: '--port',
      isMissing: ports === undefined && protocolsWithPorts.includes(protocol),
      why: `: ${protocol} would be open on all ports`,
      hint: 'Pass --port 22, or --port 1-65535 for all ports',
    },
    {
      flag: '--for',
      isMissing: flags.for === undefined && !withCommand,
      why: ': the time that the firewall stays open',
      hint: 'Pass --for 30m, or a command after --',
    },
  ]
  return needed.filter(({ isMissing }) => isMissing)
}

/** Returns the flags that a line lacks, for hints. */
export const missingOpenFlags = ({ arguments: [, command], flags }: Input) =>
  missingIn(flags, command !== undefined).map(({ flag }) => flag)

/** Throws `usage` for a wrong value, or else for all missing flags. */
export async function expectComplete(flags: Flags, withCommand: boolean, session: Session): Promise<void> {
  const missing = missingIn(flags, withCommand)
  const [first] = missing
  if (!first) return
  const { protocol } = trafficOf(flags)
  // The hint repeats what is there: it has to be valid.
  await accessRule(
    { from: ['198.51.100.7'], ...(protocolsWithPorts.includes(protocol) && { port: '22' }), ...flags },
    session,
  )
  timeOf(flags)
  const message = missing.map(({ flag, why }) => `${flag} is required${why}`).join('; ')
  throw new Problem('usage', message, { hint: first.hint, lacks: missing.map(({ flag }) => flag) })
}

/** Reads the traffic; throws `usage` with all errors. A plain address is a network of one address. */
export async function accessRule(flags: Flags, session: Session): Promise<AccessRule> {
  const { protocol, ports } = trafficOf(flags)
  const { addresses, names } = await readPeers('inbound', { flags, session })
  const value = tidyRule({ action: 'ACCEPT', protocol, ...(ports !== undefined && { ports }), addresses }, [])
  if (isValid(firewallRule, value)) return value
  const source = { flags, names: { ...names, protocol: '--protocol', ports: '--port' }, files: [] }
  throw wrongInput(checkFileValue(firewallRule, value), source)
}

/** Returns protocol and ports. `--port tcp/22` has both, as messages of skyctl do. */
function trafficOf(flags: Flags): { protocol: string; ports: string | undefined } {
  const named = textFlag(flags, 'protocol')
  const text = textFlag(flags, 'port')
  const [, beforePorts, ports = text] = /^(tcp|udp)\/(.+)$/i.exec(text ?? '') ?? []
  const protocol = (named ?? beforePorts ?? 'tcp').toUpperCase()
  if (beforePorts === undefined || beforePorts.toUpperCase() === protocol) return { protocol, ports }
  throw new Problem('usage', `--port ${text} and --protocol ${named} contradict each other`)
}

const shortestMs = 1_000
const longestMs = 30 * 86_400_000
/**
 * Expiry of an opening for a command. It only matters if both processes and the machine have gone: then
 * `close --expired` finds it.
 */
const usualWithCommandMs = 86_400_000

/** Returns the duration of the opening in milliseconds. */
export function timeOf(flags: Flags): number {
  const time = durationFlag(flags, 'for') ?? usualWithCommandMs
  if (time >= shortestMs && time <= longestMs) return time
  throw new Problem('usage', `--for: must be 1s to 30d, not "${textFlag(flags, 'for')}"`)
}

/** Returns `tcp/22 from 198.51.100.7/32`, for messages. */
export function accessRuleText(rule: Pick<FirewallRule, 'protocol' | 'ports' | 'addresses'>): string {
  const networks = networkTexts(rule)
  const more = networks.length > mostNamed ? ` and ${networks.length - mostNamed} more` : ''
  const ports = rule.ports ? `/${rule.ports.replaceAll(' ', '')}` : ''
  return `${rule.protocol.toLowerCase()}${ports} from ${networks.slice(0, mostNamed).join(', ')}${more}`
}

const mostNamed = 3
