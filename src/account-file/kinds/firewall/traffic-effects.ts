/** Computes the traffic that a plan blocks or allows: the effective rules of services before and after each step. */
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { Firewall } from '../../../catalogue/firewalls'
import { open } from '../../../firewall/classify-traffic'
import {
  type Effect,
  type EffectKind,
  effectsOf,
  effectText,
  type ReachabilityChange,
  type Service,
} from '../../../firewall/effects'
import type { Consequence, PlanStep } from '../../plan-step'
import { oncePerPlan, protectionOf } from './claims'
import { addedTo, isKept, listedServices } from './compare-services'
import { type FirewallEntry, firewallsOf, type One } from './entry'
import { rulesOf } from './plan-rules'

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
  blocked: 'cuts off',
  allowed: 'opens',
  unclear: 'cuts off',
}

function consequenceOf(effect: Effect): Consequence {
  const { kind, services, traffic } = effect
  return { kind: kinds[kind], text: effectText(effect), services, traffic }
}

/**
 * Returns the services that get other effective rules in a step; `unprotecting` handles those that lose their firewall.
 */
function reachedBy(step: PlanStep, { desired, record }: One): readonly Service[] {
  const { action, body } = step
  const isInForce = [desired.status, record?.firewall.status].every((status) => (status ?? 'enabled') === 'enabled')
  const listed = listedServices(desired.devices)
  const { devices = [] } = record ?? {}
  const remaining = devices.flatMap(({ entity }) => (isKept(desired.devices, entity) ? [entity] : []))
  if (action === 'enable') return [...remaining, ...addedTo(devices, desired.devices)]
  if (!isInForce) return []
  if (action === 'create') return listedServices(body?.devices as FirewallEntry['devices'])
  if (action === 'rules') return remaining
  return action === 'assign' ? listed.filter(({ id, type }) => id === body?.id && type === body.type) : []
}

/**
 * Returns the changes from the current rules. Without services it starts from open rules, so only required traffic
 * counts.
 */
function shiftsOf(reached: readonly Service[], one: One, after: FirewallRules): ReachabilityChange[] {
  if (reached.length === 0)
    return [{ before: open, after, services: [], where: `the services of firewall "${one.name}"` }]
  const protections = protectedIn(one)
  const byHolder = new Map<Firewall | undefined, Service[]>()
  for (const { type, id } of reached) {
    const { holder, label } = protections.get(protectionOf({ type, id })) ?? {}
    byHolder.set(holder, [...(byHolder.get(holder) ?? []), { type, id, label }])
  }
  return [...byHolder].map(([holder, some]) => ({ before: holder ? rulesOf(holder) : open, after, services: some }))
}

interface Protected {
  label: string | null
  /** The enabled firewall of the service. */
  holder: Firewall | undefined
}

/** Returns all services with a firewall. */
const protectedIn = oncePerPlan((around): ReadonlyMap<string, Protected> => {
  const index = new Map<string, Protected>()
  for (const { firewall, devices } of firewallsOf(around)) {
    for (const { entity } of devices) {
      const key = protectionOf(entity)
      const holder = firewall.status === 'enabled' ? firewall : index.get(key)?.holder
      index.set(key, { label: entity.label, holder })
    }
  }
  return index
})
