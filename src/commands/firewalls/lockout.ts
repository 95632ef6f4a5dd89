/** Determines the traffic that firewall changes block, and prevents lockouts (state.md, Guards around firewalls). */

import type { Id } from '../../account/resource'
import { readDevices } from '../../account/resources/firewall'
import type { FirewallDevice } from '../../catalogue/firewalls'
import type { Flags } from '../../engine/command'
import { showDifference } from '../../engine/confirm'
import { isVerbose } from '../../engine/flag-values'
import { Problem } from '../../errors'
import {
  blockedRequirements,
  type EffectRecord,
  effectRecords,
  effectsOf,
  effectText,
  nameOfService,
  type ReachabilityChange,
  type Service,
} from '../../firewall/effects'
import { sshConnection } from '../../firewall/keep-open'
import { trafficText } from '../../firewall/traffic-text'
import { isJson } from '../../output/formats'
import { escapeText } from '../../rules/escape'
import { nameList } from '../../rules/texts'
import type { Session } from '../../session'
import { type KeepOpenRequirement, keepOpenRequirements } from './keep-open-flags'

/** Input of a command. */
export interface LockoutInput {
  flags: Flags
  session: Session
  /** True if only a refusal counts, as the differences have been shown. */
  isSilent?: boolean
}

/** A change of rules; its services are only looked up if it affects them. */
export interface PendingChange extends Omit<ReachabilityChange, 'services'> {
  services(): Promise<readonly Service[]>
  /** Text for messages if services are unreadable or do not exist yet: `the services of firewall "web" (12)`. */
  where: string
}

/** The differences as text and as data, and the problem that forbids the change. */
export interface LockoutAssessment {
  lines: readonly string[]
  effects: readonly EffectRecord[]
  refusal?: Problem
}

export const servicesOf = async (firewallId: Id, session: Session): Promise<Service[]> =>
  (await readDevices(firewallId, session.account)).map(serviceOf)

export const serviceOf = ({ entity: { type, id, label } }: FirewallDevice): Service => ({ type, id, label })

/** Reports whether a change must be checked: not if the difference would not be shown and nothing must stay open. */
export async function matters({ flags, session, isSilent }: LockoutInput): Promise<boolean> {
  const isHeard =
    !isSilent && ((session.ui.interactive && !session.ui.yes) || (!session.ui.quiet && !isJson(session.ui.format)))
  return (await isGuarded({ flags, session })) || isHeard
}

export async function isGuarded({ flags, session }: LockoutInput): Promise<boolean> {
  return (await keepOpenRequirements(flags, session)).length > 0 || sshConnection(session.env) !== undefined
}

/** Prints the differences, and throws `locked_out` if the change blocks required traffic. */
export async function guard(pending: PendingChange, invocation: LockoutInput): Promise<void> {
  const { lines, refusal } = await assessLockout(pending, invocation)
  if (!invocation.isSilent) await showDifference(lines, invocation.session)
  if (refusal) throw refusal
}

/** Checks a change; reads services only if the rules differ for some, or block required traffic. */
export async function assessLockout(
  pending: PendingChange,
  { flags, session, isSilent = false }: LockoutInput,
): Promise<LockoutAssessment> {
  // A dry run prints the effects as data, too.
  const isPrinted = flags['dry-run'] === true && !isSilent
  if (!isPrinted && !(await matters({ flags, session, isSilent }))) return { lines: [], effects: [] }
  const { before, after } = pending
  const requirements = await keepOpenRequirements(flags, session)
  const strictest = { before, after, services: [anywhere] }
  // Less is filtered for balancers, so a compute instance shows all differences.
  const isDifferent = effectsOf(strictest).length > 0
  const isClosed = requirements.some(({ rules, ifOpen }) => blockedRequirements(strictest, rules, ifOpen).length > 0)
  if (!isDifferent && !isClosed) return { lines: [], effects: [] }
  const { shift, unread } = await atServices(pending, session)
  const effects = effectsOf(shift)
  const form = { where: shift.where, full: isVerbose(flags) }
  const lines = effects.map((effect) => escapeText(effectText(effect, form)))
  const refusal = await refusalOf([shift], { flags, session })
  return {
    lines: [...lines, ...(lines.length > 0 ? unread : [])],
    effects: effectRecords(effects, shift),
    ...(refusal && { refusal }),
  }
}

/** Reads the services of a change. If they are unreadable, an unknown one stands for them, with a line that says so. */
export async function atServices(
  { before, after, where, ...pending }: PendingChange,
  session: Session,
): Promise<{ shift: ReachabilityChange; unread: readonly string[] }> {
  const services = await pending.services().catch((error: unknown) => {
    if (error instanceof Problem && !session.signal.aborted) return error
    throw error
  })
  if (!(services instanceof Problem)) {
    return { shift: { before, after, services, where: services.length === 0 ? where : undefined }, unread: [] }
  }
  // What does not exist cannot be changed: the request will be refused, and nothing changes.
  if (services.details.missing !== undefined) return { shift: { before, after: before, services: [] }, unread: [] }
  const unread = [`${where} could not be read: ${escapeText(services.message)}`]
  return { shift: { before, after, services: [anywhere], where }, unread }
}

/** An unknown service, with the strictest filtering. */
export const anywhere: Service = { type: 'compute', id: 0 }

/**
 * Reports whether --keep-open is set: then rules are checked even without services, and whatever they allowed before.
 */
export const isExplicit = (flags: Flags): boolean => flags['keep-open'] !== undefined

/** Returns the problem that forbids changes; undefined if they are allowed. */
export async function refusalOf(
  shifts: readonly ReachabilityChange[],
  { flags, session }: LockoutInput,
): Promise<Problem | undefined> {
  if (flags['allow-lockout']) return undefined
  const requirements = await keepOpenRequirements(flags, session)
  const lost = shifts.flatMap((shift) => requirements.flatMap((one) => lostOf(shift, one)))
  const all =
    lost.length > 0 ? [...new Set(lost)] : await (await import('./lockout-ssh')).sshLost(shifts, lostOf, session)
  if (all.length === 0) return undefined
  return new Problem('locked_out', `${someTexts(all)}; nothing was sent`, {
    hint: 'To do it anyway, add --allow-lockout',
  })
}

const most = 3

const someTexts = (texts: readonly string[]) =>
  [...texts.slice(0, most), ...(texts.length > most ? [`and ${texts.length - most} more`] : [])].join('; ')

/**
 * Returns a sentence for each access that is blocked. Without services, rules are checked against a compute instance.
 */
function lostOf(shift: ReachabilityChange, { by, rules, ifOpen }: KeepOpenRequirement): string[] {
  const judged = ifOpen || shift.services.length > 0 ? shift : { ...shift, services: [anywhere] }
  return blockedRequirements(judged, rules, ifOpen).map(({ kind, services, traffic }) => {
    const where = escapeText(shift.where ?? nameList(services.map(nameOfService)))
    const what = trafficText(traffic)
    return kind === 'refused'
      ? `${by}: ${what} would be blocked at ${where}`
      : `${by}: skyctl cannot tell whether ${what} would be allowed at ${where}`
  })
}
