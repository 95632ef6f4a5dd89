/** Describes the effects of a rule change on services: newly blocked and newly allowed traffic. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { bitsOf, familyOf } from '../rules/address-syntax'
import { keysOf } from '../rules/records'
import { nameList } from '../rules/texts'
import { open } from './classify-traffic'
import { closedBy, compareRules } from './compare'
import type { RulesChange } from './diff'
import type { Traffic } from './summarize-traffic'
import { protocols } from './test-cases'
import type { Packet } from './verdict'

/** Service protected by a firewall. */
export interface Service {
  /** `compute` or `balancer`; any other type is judged as a compute instance. */
  type: string
  id: number
  label?: string | null | undefined
}

/** Rules enforced for some services before and after a change. */
export interface ReachabilityChange {
  before: FirewallRules
  after: FirewallRules
  services: readonly Service[]
  /** Text printed instead of the services' names if they are unknown or do not exist yet. */
  where?: string | undefined
}

/** Kind of an effect. `unclear`: nobody knows if the traffic is blocked (./compare). */
export type EffectKind = 'refused' | 'allowedInbound' | 'allowedOutbound' | 'unclear'

export interface Effect {
  kind: EffectKind
  services: readonly Service[]
  traffic: readonly Traffic[]
}

const kinds = ['compute', 'balancer'] as const

const kindOfService = ({ type }: Service): Packet['service'] => (type === 'balancer' ? 'balancer' : 'compute')

export const nameOfService = ({ type, id, label }: Service) => label || `${type} ${id}`

/** Lists the effects of a change. Services with the same effect share one entry. */
export function effectsOf({ before, after, services }: ReachabilityChange): Effect[] {
  return atServices(services, (kind) => {
    const { refused, admitted, unclear } = compareRules(before, after, kind)
    return {
      refused,
      allowedInbound: admitted.filter(({ direction }) => direction === 'inbound'),
      allowedOutbound: admitted.filter(({ direction }) => direction === 'outbound'),
      unclear,
    }
  })
}

/** Returns traffic of `required` that is blocked after a change; with `ifOpen`, only if it was allowed before. */
export function blockedRequirements(
  { before, after, services }: ReachabilityChange,
  required: FirewallRules,
  ifOpen: boolean,
): Effect[] {
  return atServices(services, (service) => closedBy(after, required, { service, ...(ifOpen && { before }) }))
}

/** Reports whether a change ends all filtering of inbound traffic. */
export const opensAll = (before: FirewallRules, after: FirewallRules) =>
  !filtersInbound(after) && filtersInbound(before)

/** Reports whether rules block inbound traffic to a compute instance, or may block it. */
const filtersInbound = (rules: FirewallRules) =>
  effectsOf({ before: rules, after: open, services: [{ type: 'compute', id: 0 }] }).some(
    ({ kind, traffic }) => kind === 'allowedInbound' || (kind === 'unclear' && traffic.some(isInbound)),
  )

const isInbound = ({ direction }: Traffic) => direction === 'inbound'

/** Effect of one change: what it alone allows and blocks. */
export type ChangeEffect = 'allows' | 'blocks' | 'allows and blocks' | 'nothing' | 'unclear'

/** Returns the effect of one change of a difference on services: with it and without it, all else being equal. */
export function effectOfChange(
  change: RulesChange,
  { before, after, services }: Omit<ReachabilityChange, 'where'>,
): ChangeEffect {
  const kinds = new Set(effectsOf({ ...withAndWithout(change, before, after), services }).map(({ kind }) => kind))
  const [blocks, allows] = [kinds.has('refused'), kinds.has('allowedInbound') || kinds.has('allowedOutbound')]
  if (kinds.has('unclear')) return 'unclear'
  if (allows) return blocks ? 'allows and blocks' : 'allows'
  return blocks ? 'blocks' : 'nothing'
}

function withAndWithout(
  change: RulesChange,
  before: FirewallRules,
  after: FirewallRules,
): Pick<ReachabilityChange, 'before' | 'after'> {
  const { direction, kind } = change
  if (kind === 'policy') return { before, after: { ...before, [`${direction}_policy`]: change.to } }
  if (kind === 'added')
    return { before: { ...after, [direction]: after[direction].toSpliced(change.to - 1, 1) }, after }
  const rest = before[direction].toSpliced(change.from - 1, 1)
  if (kind === 'removed') return { before, after: { ...before, [direction]: rest } }
  const place = kind === 'changed' && !change.moved ? change.from : change.to
  return { before, after: { ...before, [direction]: rest.toSpliced(place - 1, 0, change.rule) } }
}

type Sorted = Partial<Record<EffectKind, readonly Traffic[]>>

function atServices(services: readonly Service[], sort: (kind: Packet['service']) => Sorted): Effect[] {
  const effects = new Map<string, Effect>()
  for (const service of kinds) {
    const some = services.filter((one) => kindOfService(one) === service)
    if (some.length === 0) continue
    const sorted = sort(service)
    for (const kind of keysOf(sorted)) {
      const traffic = sorted[kind] ?? []
      const key = JSON.stringify([kind, traffic])
      const alike = effects.get(key)?.services ?? []
      if (traffic.length > 0) effects.set(key, { kind, traffic, services: [...alike, ...some] })
    }
  }
  return [...effects.values()]
}

const heads: Readonly<Record<EffectKind, string>> = {
  refused: 'newly blocked at',
  allowedInbound: 'newly allowed at',
  allowedOutbound: 'newly allowed at',
  unclear: 'unknown effect, because a rule cannot be judged, at',
}

/** Formats an effect with its services and traffic. `where` replaces the names of unknown services. */
export function effectText({ kind, services, traffic }: Effect, where?: string): string {
  return `${heads[kind]} ${where ?? nameList(services.map(nameOfService))}: ${trafficText(traffic)}`
}

const mostPieces = 4

/** Formats traffic: `tcp/22, icmp from 198.51.100.0/24; tcp/443 from 0.0.0.0/0 but 203.0.113.7`. Long lists are cut. */
export function trafficText(traffic: readonly Traffic[]): string {
  const pieces = traffic.slice(0, mostPieces).map(pieceText)
  const more = traffic.length - pieces.length
  return [...pieces, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function pieceText({ direction, protocols: some, networks, except }: Traffic): string {
  const what = protocolsText(some)
  const left = except.length > 0 ? ` but ${nameList(except.map(networkText))}` : ''
  return `${what} ${direction === 'inbound' ? 'from' : 'to'} ${nameList(networks.map(networkText))}${left}`
}

/** Formats protocols with their ports; of a protocol with many port ranges, the first `most`. */
export function protocolsText(some: Traffic['protocols'], most = mostRanges): string {
  const isAll = protocols.every((name) => some.some(({ protocol, ports }) => protocol === name && ports === null))
  return isAll ? 'all traffic' : some.map((one) => protocolText(one, most)).join(', ')
}

/** Formats a network; a network of one address is written without prefix length. */
export function networkText(text: string): string {
  const [address = '', prefix] = text.split('/')
  return Number(prefix) === bitsOf[familyOf(address)] ? address : text
}

/** Formats a protocol with its ports: `tcp/22,80-90`, or `tcp (but 22,443)` if that is shorter. */
function protocolText({ protocol, ports }: Traffic['protocols'][number], most: number): string {
  const name = protocol.toLowerCase()
  if (ports === null) return name
  const others = otherPorts(ports)
  const [included, left] = [ports.split(','), others.split(',')]
  return left.length < included.length ? `${name} (but ${short(left, most)})` : `${name}/${short(included, most)}`
}

const mostRanges = 6

const short = (ranges: readonly string[], most: number) =>
  ranges.length > most ? `${ranges.slice(0, most).join()} and ${ranges.length - most} more` : ranges.join()

function otherPorts(ports: string): string {
  const others: string[] = []
  let next = 1
  const skip = (last: number) => {
    if (next < last) others.push(`${next}-${last}`)
    else if (next === last) others.push(`${next}`)
  }
  for (const range of ports.split(',')) {
    const [first = 0, last = first] = range.split('-').map(Number)
    skip(first - 1)
    next = last + 1
  }
  skip(65_535)
  return others.join()
}
