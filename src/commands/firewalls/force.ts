/** Who is cut off or let in where a firewall comes into force for services, or is taken away from them. */

import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { Step } from '../../engine/change-command'
import type { Flags } from '../../engine/command'
import { listFlag, textFlag } from '../../engine/flag-values'
import { type Found, type Item, parseTarget, readItem } from '../../engine/resource'
import type { Situation } from '../../engine/situation'
import { Problem } from '../../errors'
import type { Service } from '../../firewall/effects'
import { isKnownStatus, mayFilter, type Status, unknownStatusText } from '../../firewall/status'
import type { Session } from '../../session'
import { firewallResource } from './resource'

interface Invocation {
  flags: Flags
  session: Session
}

/**
 * For a firewall whose status is to be this, or that is deleted; without one it stays as it is. Says nothing where it is
 * so already, unless --keep-open asks for more than that nothing is newly closed. An unknown status is named, and judged
 * as the one that the change makes the most of.
 */
export async function guardStatus(wanted: Status | 'deleted' | undefined, step: Step): Promise<void> {
  const lockout = await import('./lockout')
  const explicit = lockout.isExplicit(step.flags)
  const isWeighed = (wanted !== undefined || explicit) && (await lockout.matters(step))
  if (!isWeighed && !isKnownStatus(wanted)) return
  const end = wanted === 'deleted' ? 'disabled' : wanted
  const read = async () => (await step.record()) ?? (isWeighed ? await step.reread() : undefined)
  const firewall = await readIf(read, end ?? 'enabled', step)
  if (!firewall) return
  await warnOfStatus({ id: firewall.id, record: firewall }, step.session)
  if (!isWeighed) return
  const known = isKnownStatus(firewall.status) ? firewall.status : undefined
  const to = end ?? known ?? 'enabled'
  const from = known ?? (end ? opposite[end] : to)
  if (from === to && !(explicit && to === 'enabled')) return
  await guardForce({ firewall, from, to, services: () => lockout.servicesOf(firewall.id, step.session) }, step)
}

const opposite: Readonly<Record<Status, Status>> = { enabled: 'disabled', disabled: 'enabled' }

/** An unknown status is named before something relies on it, or replaces it. */
export async function warnOfStatus(firewall: Pick<Found, 'id' | 'record'>, session: Session): Promise<void> {
  const { nameOf } = await import('../../engine/resource')
  const text = unknownStatusText(firewall.record?.status, nameOf(firewallResource, firewall))
  if (text) await session.warn(text)
}

/** For a device that is deleted. */
export async function guardUnassigning(step: Step): Promise<void> {
  const lockout = await import('./lockout')
  const id = step.subject?.resource.path?.firewallId
  if (id === undefined || !(await lockout.matters(step))) return
  const firewall = await readIf(() => readItem(id, firewallResource, step.session), 'disabled', step)
  if (!firewall || !mayFilter(firewall.status)) return
  await warnOfStatus({ id: firewall.id, record: firewall }, step.session)
  const services = async () => {
    const device = (await step.record()) ?? (await step.reread())
    return [lockout.serviceOf(device as unknown as Parameters<typeof lockout.serviceOf>[0])]
  }
  await guardForce({ firewall, from: 'enabled', to: 'disabled', services }, step)
}

/** For services that a firewall is assigned to. */
export async function guardAssigning(
  { id, record }: Found,
  added: readonly (Pick<Service, 'type' | 'id'> & { typed: string | undefined })[],
  situation: Pick<Situation, 'flags' | 'session' | 'dry'>,
): Promise<void> {
  const { isExplicit, matters, servicesOf } = await import('./lockout')
  if (!(await matters(situation))) return
  const read = async () => record ?? readItem(id, firewallResource, situation.session)
  const firewall = await readIf(read, 'enabled', situation)
  const isEnabled = firewall !== undefined && mayFilter(firewall.status)
  if (!firewall || (!isEnabled && !isExplicit(situation.flags))) return
  await warnOfStatus({ id, record: firewall }, situation.session)
  // Nothing becomes different for those that it protects already.
  const services = async () => {
    if (!isEnabled) return []
    const present = await servicesOf(firewall.id, situation.session).catch(() => [])
    return added
      .filter(({ type, id }) => !present.some((service) => service.type === type && service.id === id))
      .map(({ type, id, typed }) => ({ type, id, label: labelIn(typed) }))
  }
  await guardForce({ firewall, from: 'disabled', to: 'enabled', services }, situation)
}

/** For a firewall that is created, and enabled at once. Where one of that label exists, nobody is cut off. */
export async function guardMaking(
  { label, rules, devices }: { label?: unknown; rules: FirewallRules; devices?: Record<string, unknown> },
  step: Step,
): Promise<void> {
  const { flags } = step
  const { guard, isExplicit, matters } = await import('./lockout')
  const explicit = isExplicit(flags)
  if ((!devices && !explicit) || !(await matters(step))) return
  const exists = async () =>
    flags['if-absent'] && typeof label === 'string' && ((await step.look(label))?.items.length ?? 0) > 0
  const typed = { compute: listFlag(flags, 'compute-id'), balancer: [textFlag(flags, 'balancer-id')] }
  const of = (type: keyof typeof typed, ids: unknown): Service[] =>
    Array.isArray(ids) ? ids.map((id: number, place) => ({ type, id, label: labelIn(typed[type]?.[place]) })) : []
  const all = [...of('compute', devices?.computes), ...of('balancer', devices?.balancers)]
  const services = all.length === 0 || (await exists()) ? [] : all
  if (services.length === 0 && !explicit) return
  const { open } = await import('../../firewall/sort-traffic')
  await guard({ before: open, after: rules, services: async () => services, where: 'what it protects' }, step)
}

/** Of what names a service, unless that is its id. */
function labelIn(typed: string | undefined): string | undefined {
  const target = typed === undefined ? undefined : parseTarget(typed, 'service')
  return target && 'label' in target ? target.label : undefined
}

interface Force {
  firewall: Item
  /** The status before and after. */
  from: Status
  to: Status
  services(): Promise<readonly Service[]>
}

/** A service has one firewall in force at most (api.md, Firewall behaviour 3), so without this one it has none. */
async function guardForce({ firewall, from, to, services }: Force, invocation: Invocation): Promise<void> {
  const [{ guard }, { nameOf }] = await Promise.all([import('./lockout'), import('../../engine/resource')])
  const [{ shapedRules }, { open }] = await Promise.all([
    import('../../firewall/rules'),
    import('../../firewall/sort-traffic'),
  ])
  const rules = shapedRules(firewall.rules)
  if (!rules) return
  const inForce = (status: Force['to']) => (status === 'enabled' ? rules : open)
  const where = `what ${nameOf(firewallResource, { id: firewall.id, record: firewall })} protects`
  await guard({ before: inForce(from), after: inForce(to), services, where }, invocation)
}

/** Undefined where it cannot be read, and nothing can be closed that is to be kept open, or nothing will be sent. */
async function readIf(
  read: () => Promise<Item | undefined>,
  to: Status,
  { flags, session, dry }: Pick<Situation, 'flags' | 'session' | 'dry'>,
): Promise<Item | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Problem) || session.signal.aborted) throw error
    const { isGuarded } = await import('./lockout')
    if (to === 'enabled' && (dry ? flags['keep-open'] !== undefined : await isGuarded({ flags, session }))) throw error
    return undefined
  }
}
