/** Who is cut off and who is let in by a plan: the rules in force for services, before a step and after it. */
import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { Firewall } from '../../catalogue/firewalls'
import { type Effect, type EffectKind, effectsOf, effectText, type Service, type Shift } from '../../firewall/effects'
import { shapedRules } from '../../firewall/rules'
import { open } from '../../firewall/sort-traffic'
import type { Consequence, Step } from '../kind'
import { type Entry, firewallsOf, type Guarded, isKept, kindOf, type One, services } from './firewall-devices'

/** The steps of a firewall, which shall have these rules, with what they do to the services that it protects. */
export function withEffects(steps: readonly Step[], one: One, after: FirewallRules): Step[] {
  return steps.map((step) => {
    if (!judged.includes(step.action)) return step
    const shifts = shiftsOf(reachedBy(step, one), one, after)
    const consequences = shifts.flatMap(effectsOf).map(consequenceOf)
    return { ...step, shifts, consequences: [...(step.consequences ?? []), ...consequences] }
  })
}

/** Steps that leave rules behind that protect something, or will. */
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

/** The services for which the rules are in force after a step, and others were before; what is made free is open. */
function reachedBy(step: Step, { wanted, record }: One): readonly Service[] {
  const { action, body } = step
  const to = wanted.status ?? record?.firewall.status ?? 'enabled'
  const isInForce = to === 'enabled' && (record?.firewall.status ?? 'enabled') === 'enabled'
  const added = servicesIn(wanted.devices)
  const kept = (record?.devices ?? []).flatMap(({ entity }) => (isKept(wanted.devices, entity) ? [entity] : []))
  if (action === 'enable') return [...kept, ...added.filter((service) => !kept.some(isSame(service)))]
  if (!isInForce) return []
  if (action === 'create') return servicesIn(body?.devices as Entry['devices'])
  if (action === 'rules') return kept
  return action === 'assign' ? added.filter(({ id, type }) => id === body?.id && type === body.type) : []
}

const servicesIn = (devices: Entry['devices']) =>
  services.flatMap((list) => (devices?.[list] ?? []).map((id) => ({ type: kindOf(list), id })))

const isSame =
  ({ type, id }: Service) =>
  (other: Service) =>
    other.type === type && other.id === id

/** From the rules that they have now. Where nothing is protected yet, only what must be open in any case counts. */
function shiftsOf(reached: readonly Service[], one: One, after: FirewallRules): Shift[] {
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
  /** The firewall that is in force for it. */
  holder?: Firewall
}

const indexes = new WeakMap<readonly Guarded[], ReadonlyMap<string, Protected>>()

/** Every service that firewalls tell of, looked through once for a plan. */
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
