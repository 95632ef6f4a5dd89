/** Checks the effects on traffic when a firewall is enabled, disabled, assigned or unassigned. */

import { type FoundObject, type Item, parseTarget, readItem } from '../../account/resource'
import { firewallResource, invalidRulesProblem } from '../../account/resources/firewall'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { CommandStep } from '../../engine/change-definition'
import type { CommandContext } from '../../engine/command-context'
import type { Names } from '../../engine/confirm'
import { listFlag, textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import type { Service } from '../../firewall/effects'
import { type FirewallStatus, isKnownStatus, mayBeEnforced, unknownStatusText } from '../../firewall/status'
import { isRecord } from '../../rules/records'
import type { Session } from '../../session'
import type { LockoutInput } from './lockout'

/** Input of a check of the named firewall. */
type GuardedStep = LockoutInput & Pick<CommandStep, 'dry' | 'record' | 'reread'>

/**
 * Checks a change of a firewall's status, or its deletion; without `requested` the status stays. If nothing changes, it
 * prints nothing, unless --keep-open must be checked. It warns of an unknown status, and assumes the one with the
 * largest effect.
 */
export async function guardStatus(requested: FirewallStatus | 'deleted' | undefined, step: GuardedStep): Promise<void> {
  const lockout = await import('./lockout')
  const explicit = lockout.isExplicit(step.flags)
  const isWeighed = (requested !== undefined || explicit) && (await lockout.matters(step))
  if (!isWeighed && !isKnownStatus(requested)) return
  const end = requested === 'deleted' ? 'disabled' : requested
  const read = async () => (await step.record()) ?? (isWeighed ? await step.reread() : undefined)
  const firewall = await readIf(read, end ?? 'enabled', step)
  if (!firewall) return
  await warnOfStatus({ id: firewall.id, record: firewall }, step.session)
  if (!isWeighed) return
  const current = isKnownStatus(firewall.status) ? firewall.status : undefined
  const to = end ?? current ?? 'enabled'
  const from = current ?? (end ? opposite[end] : to)
  if (from === to && !(explicit && to === 'enabled')) return
  await guardForce({ firewall, from, to, services: () => lockout.servicesOf(firewall.id, step.session) }, step)
}

const opposite: Readonly<Record<FirewallStatus, FirewallStatus>> = { enabled: 'disabled', disabled: 'enabled' }

export const consequenceOfDisabling = ({ names, several }: Names<unknown>) =>
  `${several ? 'Their' : 'Its'} rules will protect nothing. Disable ${names}`

/** Warns of an unknown status before a change depends on it or replaces it. */
export async function warnOfStatus(firewall: Pick<FoundObject, 'id' | 'record'>, session: Session): Promise<void> {
  const { nameOf } = await import('../../account/resource')
  const text = unknownStatusText(firewall.record?.status, nameOf(firewallResource, firewall))
  if (text) await session.ui.warn(text)
}

/** Checks the deletion of a device. */
export async function guardUnassigning(step: CommandStep): Promise<void> {
  const lockout = await import('./lockout')
  const id = step.subject?.resource.path?.firewallId
  if (id === undefined || !(await lockout.matters(step))) return
  const firewall = await readIf(() => readItem(id, firewallResource, step.session.account), 'disabled', step)
  if (!firewall || !mayBeEnforced(firewall.status)) return
  await warnOfStatus({ id: firewall.id, record: firewall }, step.session)
  const services = async () => {
    const device = (await step.record()) ?? (await step.reread())
    if (!isRecord(device?.entity)) throw new Problem('defect', 'the answer lacks the service')
    const { type, id, label } = device.entity
    return [{ type: String(type), id: Number(id), label: typeof label === 'string' ? label : null }]
  }
  await guardForce({ firewall, from: 'enabled', to: 'disabled', services }, step)
}

/** Checks the assignment of services to a firewall. */
export async function guardAssigning(
  { id, record }: FoundObject,
  added: readonly (Pick<Service, 'type' | 'id'> & { reference: string | undefined })[],
  context: LockoutInput & Pick<CommandContext, 'dry'>,
): Promise<void> {
  const { isExplicit, matters, servicesOf } = await import('./lockout')
  if (!(await matters(context))) return
  const read = async () => record ?? readItem(id, firewallResource, context.session.account)
  const firewall = await readIf(read, 'enabled', context)
  const isEnabled = firewall !== undefined && mayBeEnforced(firewall.status)
  if (!firewall || (!isEnabled && !isExplicit(context.flags))) return
  await warnOfStatus({ id, record: firewall }, context.session)
  // Services that it already protects are not affected.
  const services = async () => {
    if (!isEnabled) return []
    const present = await servicesOf(firewall.id, context.session).catch(() => [])
    return added
      .filter(({ type, id }) => !present.some((service) => service.type === type && service.id === id))
      .map(({ type, id, reference }) => ({ type, id, label: labelIn(reference) }))
  }
  await guardForce({ firewall, from: 'disabled', to: 'enabled', services }, context)
}

/** Checks the creation of an enabled firewall. If one with the label exists, no traffic changes. */
export async function guardMaking(
  { label, rules, devices }: { label?: unknown; rules: FirewallRules; devices?: Record<string, unknown> },
  step: CommandStep,
): Promise<void> {
  const { flags } = step
  const { guard, isExplicit, matters } = await import('./lockout')
  const explicit = isExplicit(flags)
  if ((!devices && !explicit) || !(await matters(step))) return
  const exists = async () =>
    flags['if-absent'] && typeof label === 'string' && ((await step.look(label))?.items.length ?? 0) > 0
  const references = { compute: listFlag(flags, 'compute-id'), balancer: [textFlag(flags, 'balancer-id')] }
  const of = (type: keyof typeof references, ids: unknown): Service[] =>
    Array.isArray(ids) ? ids.map((id: number, place) => ({ type, id, label: labelIn(references[type]?.[place]) })) : []
  const all = [...of('compute', devices?.computes), ...of('balancer', devices?.balancers)]
  const services = all.length === 0 || (await exists()) ? [] : all
  if (services.length === 0 && !explicit) return
  const { open } = await import('../../firewall/classify-traffic')
  await guard({ before: open, after: rules, services: async () => services, where: 'its services' }, step)
}

/** Returns the label of a service, if it was named by label. */
function labelIn(reference: string | undefined): string | undefined {
  const target = reference === undefined ? undefined : parseTarget(reference, 'service')
  return target && 'label' in target ? target.label : undefined
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
async function guardForce({ firewall, from, to, services }: Force, invocation: LockoutInput): Promise<void> {
  const [{ guard }, { nameOf }] = await Promise.all([import('./lockout'), import('../../account/resource')])
  const [{ shapedRules }, { open }] = await Promise.all([
    import('../../firewall/rules'),
    import('../../firewall/classify-traffic'),
  ])
  const rules = shapedRules(firewall.rules)
  if (!rules) {
    // Without the rules, skyctl cannot tell whether required traffic stays open.
    const { isGuarded } = await import('./lockout')
    if (!(await isGuarded(invocation))) return
    throw invalidRulesProblem({ id: firewall.id, record: firewall })
  }
  const inForce = (status: Force['to']) => (status === 'enabled' ? rules : open)
  const where = `the services of ${nameOf(firewallResource, { id: firewall.id, record: firewall })}`
  await guard({ before: inForce(from), after: inForce(to), services, where }, invocation)
}

/**
 * Reads the firewall; undefined if that fails and the change cannot block required traffic, or nothing will be sent.
 */
async function readIf(
  read: () => Promise<Item | undefined>,
  to: FirewallStatus,
  { flags, session, dry }: Pick<CommandContext, 'flags' | 'session' | 'dry'>,
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
