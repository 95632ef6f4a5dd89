/** Describes the effects of a rule change on services: newly blocked and newly allowed traffic. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import { keysOf } from '../rules/records'
import { nameList } from '../rules/texts'
import { open } from './classify-traffic'
import { type Comparison, closedBy, compareRules } from './compare'
import type { RulesChange } from './diff'
import type { Traffic } from './summarize-traffic'
import { isOther, type TrafficForm, trafficText } from './traffic-text'
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
export type EffectKind = keyof Comparison

export interface Effect {
  kind: EffectKind
  services: readonly Service[]
  traffic: readonly Traffic[]
}

const kinds = ['compute', 'balancer'] as const

const kindOfService = ({ type }: Service): Packet['service'] => (type === 'balancer' ? 'balancer' : 'compute')

export const nameOfService = ({ type, id, label }: Service) => label || `${type} ${id}`

/** Lists the effects of a change. Services with the same effect share one entry. */
export const effectsOf = ({ before, after, services }: ReachabilityChange): Effect[] =>
  atServices(services, (kind) => compareRules(before, after, kind))

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

/** Reports whether rules block inbound traffic to a compute instance, or may block it, of a protocol that rules can name. */
const filtersInbound = (rules: FirewallRules) =>
  effectsOf({ before: rules, after: open, services: [{ type: 'compute', id: 0 }] }).some(
    ({ kind, traffic }) => kind !== 'blocked' && traffic.some(isFilteredInbound),
  )

const isFilteredInbound = (one: Traffic) => one.direction === 'inbound' && !isOther(one)

/** Effect of one change: what it alone allows and blocks. */
export type ChangeEffect = 'allows' | 'blocks' | 'allows and blocks' | 'nothing' | 'unclear'

/** Returns the effect of one change of a difference on services: with it and without it, all else being equal. */
export function effectOfChange(
  change: RulesChange,
  { before, after, services }: Omit<ReachabilityChange, 'where'>,
): ChangeEffect {
  const kinds = new Set(effectsOf({ ...withAndWithout(change, before, after), services }).map(({ kind }) => kind))
  const [blocks, allows] = [kinds.has('blocked'), kinds.has('allowed')]
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

/** Returns effects as data for scripts. They have no services if those of a change are unknown: `where` names them. */
export const effectRecords = (effects: readonly Effect[], { where }: Pick<ReachabilityChange, 'where'>): Effect[] =>
  effects.map((effect) => (where === undefined ? effect : { ...effect, services: [] }))

const heads: Readonly<Record<EffectKind, string>> = {
  blocked: 'newly blocked at',
  allowed: 'newly allowed at',
  unclear: 'unknown effect, because a rule cannot be judged, at',
}

/** Formats an effect with its services and traffic. `where` replaces the names of unknown services. */
export function effectText(
  { kind, services, traffic }: Effect,
  form: TrafficForm & { where?: string | undefined } = {},
) {
  const where = form.where ?? nameList(services.map(nameOfService), form.full ? services.length : undefined)
  return `${heads[kind]} ${where}: ${trafficText(traffic, form)}`
}
