/** Computes the traffic that a plan blocks or allows: the effective rules of services before and after each step. */
import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { Firewall } from '../../catalogue/firewalls'
import { open } from '../../firewall/classify-traffic'
import {
  type Effect,
  type EffectKind,
  effectsOf,
  effectText,
  type ReachabilityChange,
  type Service,
} from '../../firewall/effects'
import { shapedRules } from '../../firewall/rules'
import type { Consequence, PlanStep } from '../plan-step'
import { type DeviceEntry, firewallsOf, type Guarded, isKept, kindOf, type One, services } from './firewall-devices'

/** Adds to the steps of a firewall the changes of traffic; `after` are its new rules. */
export function withEffects(steps: readonly PlanStep[], one: One, after: FirewallRules): PlanStep[] {
  return steps.map((step) => {
    if (!judged.includes(step.action)) return step
    const shifts = shiftsOf(reachedBy(step, one), one, after)
    const consequences = shifts.flatMap(effectsOf).map(consequenceOf)
    return { ...step, shifts, consequences: [...(step.consequences ?? []), ...consequences] }
  })
}

/** Actions that change the effective rules of services. */
const judged: readonly string[] = ['create', 'rules', 'enable', 'assign']

const kinds: Readonly<Record<EffectKind, Consequence['kind']>> = {
  refused: 'cuts off',
  'let in': 'opens',
  'let out': 'opens',
  unclear: 'cuts off',
}

function consequenceOf(effect: Effect): Consequence {
  return {
    kind: kinds[effect.kind],
    text: effectText(effect),
    services: effect.services,
    traffic: effect.traffic,
  }
}

/**
 * Returns the services that get other effective rules in a step; `unprotecting` handles those that lose their firewall.
 */
function reachedBy(step: PlanStep, { wanted, record }: One): readonly Service[] {
  const { action, body } = step
  const isInForce = [wanted.status, record?.firewall.status].every((status) => (status ?? 'enabled') === 'enabled')
  const added = servicesIn(wanted.devices)
  const kept = (record?.devices ?? []).flatMap(({ entity }) => (isKept(wanted.devices, entity) ? [entity] : []))
  if (action === 'enable') return [...kept, ...added.filter((service) => !kept.some(isSame(service)))]
  if (!isInForce) return []
  if (action === 'create') return servicesIn(body?.devices as DeviceEntry['devices'])
  if (action === 'rules') return kept
  return action === 'assign' ? added.filter(({ id, type }) => id === body?.id && type === body.type) : []
}

const servicesIn = (devices: DeviceEntry['devices']) =>
  services.flatMap((list) => (devices?.[list] ?? []).map((id) => ({ type: kindOf(list), id })))

const isSame =
  ({ type, id }: Service) =>
  (other: Service) =>
    other.type === type && other.id === id

/**
 * Returns the changes from the current rules. Without services it starts from open rules, so only required traffic
 * counts.
 */
function shiftsOf(reached: readonly Service[], one: One, after: FirewallRules): ReachabilityChange[] {
  if (reached.length === 0)
    return [{ before: open, after, services: [], where: `what firewall "${one.name}" protects` }]
  const known = protectedIn(firewallsOf(one))
  const byHolder = new Map<Firewall | undefined, Service[]>()
  for (const { type, id } of reached) {
    const { holder, label } = known.get(`${type} ${id}`) ?? {}
    byHolder.set(holder, [...(byHolder.get(holder) ?? []), { type, id, ...(label !== undefined && { label }) }])
  }
  return [...byHolder].map(([holder, some]) => {
    const before = (holder && shapedRules(holder.rules)) ?? open
    return { before, after, services: some }
  })
}

interface Protected {
  label: string | null
  /** The enabled firewall of the service. */
  holder?: Firewall
}

const indexes = new WeakMap<readonly Guarded[], ReadonlyMap<string, Protected>>()

/** Returns all services with a firewall; computed once per plan. */
function protectedIn(all: readonly Guarded[]): ReadonlyMap<string, Protected> {
  const known = indexes.get(all)
  if (known) return known
  const index = new Map<string, Protected>()
  for (const { firewall, devices } of all) {
    for (const { entity } of devices) {
      const key = `${entity.type} ${entity.id}`
      const holder = firewall.status === 'enabled' ? firewall : index.get(key)?.holder
      index.set(key, { label: entity.label, ...(holder && { holder }) })
    }
  }
  indexes.set(all, index)
  return index
}
