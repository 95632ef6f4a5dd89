/** Who is cut off and who is let in by a plan: the rules in force for services, before a step and after it. */
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { type Effect, type EffectKind, effectsOf, effectText, type Service } from '../../firewall/effects'
import { shapedRules } from '../../firewall/rules'
import { open } from '../../firewall/sort-traffic'
import type { Consequence, Step } from '../kind'
import { type Guarded, kindOf, listOf, type One, services } from './firewall-devices'

/** The steps of a firewall, which shall have these rules, with what they do to the services that it protects. */
export function withEffects(steps: readonly Step[], one: One, after: FirewallRules): Step[] {
  return steps.map((step) => {
    const shifts = [...byRules(reachedBy(step, one), one)].map(([before, some]) => ({ before, after, services: some }))
    if (shifts.length === 0) return step
    const consequences = shifts.flatMap(effectsOf).map(consequenceOf)
    return {
      ...step,
      shifts,
      ...(consequences.length > 0 && { consequences: [...(step.consequences ?? []), ...consequences] }),
    }
  })
}

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

/** The services for which the rules are in force after a step, and others were before; what is made free is open. */
function reachedBy({ action, body }: Step, { wanted, record }: One): readonly Service[] {
  const to = wanted.status ?? record?.firewall.status ?? 'enabled'
  const isInForce = to === 'enabled' && (record?.firewall.status ?? 'enabled') === 'enabled'
  const added = services.flatMap((list) => (wanted.devices?.[list] ?? []).map((id) => ({ type: kindOf(list), id })))
  const kept = (record?.devices ?? []).flatMap(({ entity }) =>
    (wanted.devices?.[listOf(entity.type)]?.includes(entity.id) ?? true) ? [entity] : [],
  )
  if (action === 'enable') return [...kept, ...added.filter((service) => !kept.some(isSame(service)))]
  if (!isInForce) return []
  if (action === 'create') return added
  if (action === 'rules') return kept
  return action === 'assign' ? added.filter(({ id, type }) => id === body?.id && type === body.type) : []
}

const isSame =
  ({ type, id }: Service) =>
  (other: Service) =>
    other.type === type && other.id === id

/** Services by the rules that they have now. */
function byRules(some: readonly Service[], one: One): Map<FirewallRules, Service[]> {
  const sorted = new Map<FirewallRules, Service[]>()
  const all = (one.world.get('firewalls') ?? []) as readonly Guarded[]
  const known = new Map(all.map((guarded) => [guarded, shapedRules(guarded.firewall.rules) ?? open]))
  for (const { type, id } of some) {
    const holders = all.filter(({ devices }) => devices.some(({ entity }) => isSame({ type, id })(entity)))
    const entity = holders
      .flatMap(({ devices }) => devices)
      .find((device) => isSame({ type, id })(device.entity))?.entity
    const holder = holders.find(({ firewall }) => firewall.status === 'enabled')
    const rules = (holder && known.get(holder)) ?? open
    sorted.set(rules, [...(sorted.get(rules) ?? []), { type, id, ...(entity && { label: entity.label }) }])
  }
  return sorted
}
