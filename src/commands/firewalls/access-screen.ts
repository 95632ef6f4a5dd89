/** Draws who gets in through a firewall: ports and networks, as its rules and its policy decide together. */
import type { Firewall, FirewallDevice } from '../../catalogue/firewalls'
import { type AccessRow, type InboundAccess, inboundAccess, type Outcome } from '../../firewall/access'
import { shapedRules } from '../../firewall/rules'
import { isKnownStatus, mayBeEnforced } from '../../firewall/status'
import type { Traffic } from '../../firewall/summarize-traffic'
import { networkText, otherText, protocolsText } from '../../firewall/traffic-text'
import { judgedService } from '../../firewall/verdict'
import type { View } from '../../output/print'
import { type Styling, styles } from '../../output/style'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'
import { nameList } from '../../rules/texts'

type Layout = Pick<View, 'width' | 'color'>

/** A line of the drawing. */
interface AccessLine {
  /** Protocols and ports. */
  what: string
  /** Networks, or what happens to the traffic. */
  who: string
  outcome: Outcome
}

const everywhere: Readonly<Record<string, string>> = {
  '0.0.0.0/0': 'any IPv4 address',
  '::/0': 'any IPv6 address',
}

/** Returns `anywhere`, or `203.0.113.0/24, 2001:db8::/48 but 203.0.113.9`; of long lists the first `most`. */
export function peersText({ networks, except }: Pick<Traffic, 'networks' | 'except'>, most: number): string {
  const but = except.length > 0 ? ` but ${nameList(except.map(networkText), most)}` : ''
  return `${nameList(peerNames(networks), most)}${but}`
}

export function peerNames(networks: readonly string[]): string[] {
  const isWhole = Object.keys(everywhere).every((network) => networks.includes(network))
  return isWhole ? ['anywhere'] : networks.map((network) => everywhere[network] ?? networkText(network))
}

const prefixes: Readonly<Record<Outcome, string>> = { allowed: '', blocked: 'blocked: ', unknown: 'not judged: ' }

/** Lists what differs from the policy, the widest first, then the policy. */
function linesOfAccess(access: InboundAccess, most: number): AccessLine[] {
  const { rows, otherwise, policy, isTcpOnly, isRestUnnamed } = access
  const isWide = ({ traffic: { networks } }: AccessRow) => networks.some((network) => network in everywhere)
  const different = rows.filter(({ outcome }) => outcome !== otherwise)
  const shown = [...different.filter(isWide), ...different.filter((row) => !isWide(row))]
  const exempt = { what: 'udp, icmp, ipencap', who: 'anywhere: a balancer filters TCP only' }
  return [
    ...shown.map(({ outcome, traffic }) => ({
      what: protocolsText(traffic.protocols, most),
      who: prefixes[outcome] + peersText(traffic, most),
      outcome,
    })),
    ...(isTcpOnly ? [{ ...exempt, outcome: 'allowed' as const }] : []),
    {
      what: isRestUnnamed && !isTcpOnly ? otherText : restText(shown.length > 0, isTcpOnly),
      who: `${policyTexts[otherwise]} (${shown.length < rows.length ? 'rules and ' : ''}policy ${escapeText(policy)})`,
      outcome: otherwise,
    },
  ]
}

const policyTexts: Readonly<Record<Outcome, string>> = {
  allowed: 'anywhere',
  blocked: 'blocked',
  unknown: 'not judged',
}

function restText(isRest: boolean, isTcpOnly: boolean): string {
  if (isTcpOnly) return isRest ? 'all other tcp' : 'tcp'
  return isRest ? 'everything else' : 'all traffic'
}

/** Names the rules that make an outcome unknown; none if earlier rules decide all their traffic. */
function unjudgedTexts({ rows, unjudged }: InboundAccess): string[] {
  if (!rows.some(({ outcome }) => outcome === 'unknown')) return []
  return unjudged.map(({ number, rule: { label }, reason }) => {
    const name = label ? `${number} "${label}"` : `${number}`
    return escapeText(`Rule ${name} cannot be judged: ${reason}`)
  })
}

/** Returns what the drawing must not be taken for, of a firewall that may protect nothing. */
function caveatOf({ status }: Pick<Firewall, 'status'>, devices: readonly FirewallDevice[]): string | undefined {
  const would = 'Its rules would allow:'
  if (!mayBeEnforced(status)) return `The firewall is ${escapeText(status)} and protects nothing. ${would}`
  if (devices.length === 0) return `The firewall protects nothing yet. ${would}`
  if (isKnownStatus(status)) return undefined
  return `The status ${escapeText(status ?? '-')} is unknown: skyctl cannot tell whether these rules are enforced`
}

/** Networks of a line on a terminal; the rules below have all of them. */
const mostOnTerminal = 6

/** Draws the inbound traffic of a firewall. */
export async function accessScreen(
  firewall: Pick<Firewall, 'status' | 'rules'>,
  devices: readonly FirewallDevice[],
  layout: Layout,
): Promise<string> {
  const style = await styles(layout.color)
  const { width } = layout
  const title = style.bold('Who gets in')
  const rules = shapedRules(firewall.rules)
  if (!rules) return `${title}\n${wrap('  unknown: the answer lacks a part of the rules', width, '  ')}\n`
  const access = inboundAccess(rules, judgedService(devices))
  const isMixed = !access.isTcpOnly && devices.some(({ entity }) => entity.type === 'balancer')
  const caveat = caveatOf(firewall, devices)
  const notes = [
    ...unjudgedTexts(access),
    ...(isMixed ? ['At a balancer, only TCP is filtered: all other traffic gets in'] : []),
  ]
  const lines = [
    ...(caveat === undefined ? [] : [style.yellow(wrap(`  ${caveat}`, width, '  '))]),
    ...alignedLines(
      linesOfAccess(access, width > 0 ? mostOnTerminal : Number.POSITIVE_INFINITY),
      width,
      (tone) => style[tone],
    ),
    ...notes.map((note) => wrap(`  ${note}`, width, '  ')),
  ]
  return `${[title, ...lines].join('\n')}\n`
}

const tones: Readonly<Record<Outcome, Styling>> = { allowed: 'green', blocked: 'red', unknown: 'yellow' }

/** Aligns the networks in a column; a longer text on the left has a line of its own. */
function alignedLines(
  lines: readonly AccessLine[],
  width: number,
  styleOf: (tone: Styling) => (text: string) => string,
): string[] {
  const most = width > 0 ? Math.max(16, Math.floor(width / 3)) : Number.POSITIVE_INFINITY
  const pad = Math.max(...lines.map(({ what }) => what.length).filter((length) => length <= most), 0)
  const hang = ' '.repeat(pad + 4)
  return lines.map(({ what, who, outcome }) => {
    const toned = (text: string) => styleOf(tones[outcome])(text)
    const below = wrap(hang + who, width, hang)
    if (what.length > pad) return `${wrap(`  ${what}`, width, '    ')}\n${toned(below)}`
    return `  ${what.padEnd(pad + 2)}${toned(below.slice(hang.length))}`
  })
}
