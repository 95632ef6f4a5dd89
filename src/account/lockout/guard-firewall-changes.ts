/**
 * Checks the effects on traffic when a firewall is created, enabled, disabled, assigned or unassigned. Each check returns
 * texts about traffic that must be confirmed.
 */

import { Problem } from '../../errors'
import type { Service } from '../../firewall/effects'
import { areRules, shapedRules } from '../../firewall/rules'
import { type FirewallStatus, isKnownStatus, mayBeEnforced, unknownStatusText } from '../../firewall/status'
import { isRecord } from '../../rules/records'
import type { Account } from '../account'
import type { ActionStep } from '../action'
import type { ChangeContext, RequestBody } from '../change-context'
import { type FoundObject, type Item, nameOf, readItem } from '../resource'
import { firewallResource, invalidRulesProblem } from '../resources/firewall'
import { rememberedServiceLabel } from '../service-kinds'
import type { LockoutInput } from './assess'

/**
 * Checks a change of a firewall's status, or its deletion; without `requested` the status stays. If nothing changes, it
 * reports nothing, unless `keepOpen` must be checked. It warns of an unknown status, and assumes the one with the
 * largest effect.
 */
export async function guardStatusChange(
  requested: FirewallStatus | 'deleted' | undefined,
  step: ActionStep,
): Promise<readonly string[]> {
  const lockout = await import('./assess')
  const explicit = lockout.isExplicit(step)
  const isWeighed = (requested !== undefined || explicit) && (await lockout.matters(step))
  if (!isWeighed && !isKnownStatus(requested)) return []
  const end = requested === 'deleted' ? 'disabled' : requested
  const read = async () => (await step.record()) ?? (isWeighed ? await step.reread() : undefined)
  const firewall = await readIf(read, end ?? 'enabled', step)
  if (!firewall) return []
  await warnOfStatus({ id: firewall.id, record: firewall }, step.account)
  if (!isWeighed) return []
  const current = isKnownStatus(firewall.status) ? firewall.status : undefined
  const to = end ?? current ?? 'enabled'
  const from = current ?? (end ? opposite[end] : to)
  if (from === to && !(explicit && to === 'enabled')) return []
  return guardForce({ firewall, from, to, services: () => lockout.servicesOf(firewall.id, step.account) }, step)
}

const opposite: Readonly<Record<FirewallStatus, FirewallStatus>> = { enabled: 'disabled', disabled: 'enabled' }

/** Warns of an unknown status before a change depends on it or replaces it. */
export async function warnOfStatus(firewall: Pick<FoundObject, 'id' | 'record'>, { reporter }: Account): Promise<void> {
  const text = unknownStatusText(firewall.record?.status, nameOf(firewallResource, firewall))
  if (text) await reporter.warn(text)
}

/** Checks the deletion of a device. */
export async function guardUnassignment(step: ActionStep): Promise<readonly string[]> {
  const lockout = await import('./assess')
  const id = step.subject?.resource.path?.firewallId
  if (id === undefined || !(await lockout.matters(step))) return []
  const firewall = await readIf(() => readItem(id, firewallResource, step.account), 'disabled', step)
  if (!firewall || !mayBeEnforced(firewall.status)) return []
  await warnOfStatus({ id: firewall.id, record: firewall }, step.account)
  const services = async () => {
    const device = (await step.record()) ?? (await step.reread())
    if (!isRecord(device?.entity)) throw new Problem('defect', 'the answer lacks the service')
    const { type, id, label } = device.entity
    return [{ type: String(type), id: Number(id), label: typeof label === 'string' ? label : null }]
  }
  return guardForce({ firewall, from: 'enabled', to: 'disabled', services }, step)
}

/** Checks the assignment of services to a firewall. */
export async function guardAssignment(
  { id, record }: FoundObject,
  added: readonly Pick<Service, 'type' | 'id'>[],
  context: ChangeContext,
): Promise<readonly string[]> {
  const { isExplicit, matters, servicesOf } = await import('./assess')
  if (!(await matters(context))) return []
  const { account } = context
  const read = async () => record ?? readItem(id, firewallResource, account)
  const firewall = await readIf(read, 'enabled', context)
  const isEnabled = firewall !== undefined && mayBeEnforced(firewall.status)
  if (!firewall || (!isEnabled && !isExplicit(context))) return []
  await warnOfStatus({ id, record: firewall }, account)
  // Services that it already protects are not affected.
  const services = async () => {
    if (!isEnabled) return []
    const present = await servicesOf(firewall.id, account).catch(() => [])
    return added
      .filter(({ type, id }) => !present.some((service) => service.type === type && service.id === id))
      .map((service) => ({ ...service, label: rememberedServiceLabel(service, account) }))
  }
  return guardForce({ firewall, from: 'disabled', to: 'enabled', services }, context)
}

/** Checks the creation of an enabled firewall. If one with the label exists, no traffic changes. */
export async function guardCreation(
  { label, rules: some, devices }: RequestBody,
  step: ActionStep,
): Promise<readonly string[]> {
  const { account, options } = step
  const { guard, isExplicit, matters } = await import('./assess')
  const explicit = isExplicit(step)
  const rules = isRecord(some) ? { inbound: [], outbound: [], ...some } : undefined
  if (!rules || !areRules(rules) || (!devices && !explicit) || !(await matters(step))) return []
  const exists = async () =>
    options.ifAbsent && typeof label === 'string' && ((await step.look(label))?.items.length ?? 0) > 0
  const of = (type: string, ids: unknown): Service[] =>
    Array.isArray(ids)
      ? ids.map((id: number) => ({ type, id, label: rememberedServiceLabel({ type, id }, account) }))
      : []
  const { computes, balancers } = isRecord(devices) ? devices : {}
  const all = [...of('compute', computes), ...of('balancer', balancers)]
  const services = all.length === 0 || (await exists()) ? [] : all
  if (services.length === 0 && !explicit) return []
  const { open } = await import('../../firewall/classify-traffic')
  return guard({ before: open, after: rules, services: async () => services, where: 'its services' }, step)
}

interface Force {
  firewall: Item
  /** Status before and after. */
  from: FirewallStatus
  to: FirewallStatus
  services(): Promise<readonly Service[]>
}

/**
 * Checks a change of protection. A service has at most one enabled firewall (api.md, Firewall behaviour 3), so without
 * this one it has none.
 */
async function guardForce({ firewall, from, to, services }: Force, input: LockoutInput): Promise<readonly string[]> {
  const [{ guard, isGuarded }, { open }] = await Promise.all([
    import('./assess'),
    import('../../firewall/classify-traffic'),
  ])
  const rules = shapedRules(firewall.rules)
  const where = `the services of ${nameOf(firewallResource, { id: firewall.id, record: firewall })}`
  if (!rules) {
    // Without the rules, skyctl cannot tell whether required traffic stays open.
    if (await isGuarded(input)) throw invalidRulesProblem({ id: firewall.id, record: firewall })
    const text = `unknown effect at ${where}, because the answer lacks a part of its rules`
    await input.effectsListener?.show([text])
    return to === 'enabled' ? [text] : []
  }
  const inForce = (status: Force['to']) => (status === 'enabled' ? rules : open)
  return guard({ before: inForce(from), after: inForce(to), services, where }, input)
}

/**
 * Reads the firewall; undefined if that fails and the change cannot block required traffic, or nothing will be sent.
 */
async function readIf(
  read: () => Promise<Item | undefined>,
  to: FirewallStatus,
  context: ChangeContext,
): Promise<Item | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Problem) || context.account.signal.aborted) throw error
    const { isExplicit, isGuarded } = await import('./assess')
    if (to === 'enabled' && (context.dry ? isExplicit(context) : await isGuarded(context))) throw error
    return undefined
  }
}

/** A service, without its label. */
export type ServiceName = Pick<Service, 'type' | 'id'>

/** Returns how to remove the other firewall: nothing protects the service until the next assignment. */
export const removalHint = ({ type, id }: ServiceName, firewallId: number) =>
  `Remove it there, and run this again at once: skyctl firewalls devices delete ${firewallId} --${type}-id ${id}`

/** The reason of the API's refusal. */
const refused = /(Compute|Balancer) (\d+) already has an active firewall: .* \((\d+)\)$/

/** Adds the next step to the API's refusal of a second enabled firewall (api.md, Firewall behaviour 3). */
export function explainOtherProtection(problem: Problem): Problem {
  const [, type, id, firewallId] = refused.exec(problem.message) ?? []
  if (type === undefined) return problem
  return problem.with({ hint: removalHint({ type: type.toLowerCase(), id: Number(id) }, Number(firewallId)) })
}
