/** Determines the traffic that firewall changes block, and prevents lockouts (state.md, Guards around firewalls). */

import type { FirewallDevice } from '../../catalogue/firewalls'
import { Problem } from '../../errors'
import {
  blockedRequirements,
  type Effect,
  effectRecords,
  effectsOf,
  effectText,
  nameOfService,
  type ReachabilityChange,
  type Service,
} from '../../firewall/effects'
import { sshConnection } from '../../firewall/keep-open'
import { trafficText } from '../../firewall/traffic-text'
import { escapeText } from '../../rules/escape'
import { nameList } from '../../rules/texts'
import type { Account } from '../account'
import type { ChangeContext } from '../change-context'
import type { Id } from '../resource'
import { readDevices } from '../resources/firewall'
import { type KeepOpenRequirement, readKeepOpenRequirements } from './read-keep-open'

export type LockoutInput = Pick<ChangeContext, 'account' | 'options' | 'effectsListener'> &
  Partial<Pick<ChangeContext, 'dry'>>

/** A change of rules; its services are only looked up if it affects them. */
export interface PendingChange extends Omit<ReachabilityChange, 'services'> {
  services(): Promise<readonly Service[]>
  /** Text for messages if services are unreadable or do not exist yet: `the services of firewall "web" (12)`. */
  where: string
}

/** The differences as text and as data, and the problem that forbids the change. */
export interface LockoutAssessment {
  lines: readonly string[]
  effects: readonly Effect[]
  /** Those of the lines that say what is blocked, or may be: it must be confirmed. */
  blocked: readonly string[]
  refusal?: Problem
}

export const servicesOf = async (firewallId: Id, account: Account): Promise<Service[]> =>
  (await readDevices(firewallId, account)).map(serviceOf)

export const serviceOf = ({ entity: { type, id, label } }: FirewallDevice): Service => ({ type, id, label })

/** Reports whether a change must be checked: not if nobody listens to its effects and nothing must stay open. */
export async function matters(input: LockoutInput): Promise<boolean> {
  return input.effectsListener !== undefined || isGuarded(input)
}

/** Reports whether traffic must stay open. */
export async function isGuarded({ account, options }: LockoutInput): Promise<boolean> {
  if (options.allowLockout) return false
  return (await readKeepOpenRequirements(options, account)).length > 0 || sshConnection(account.local.env) !== undefined
}

/**
 * Reports the effects, and returns those that must be confirmed. Throws `locked_out` if the change blocks required
 * traffic.
 */
export async function guard(pending: PendingChange, input: LockoutInput): Promise<readonly string[]> {
  const { lines, blocked, refusal } = await assessLockout(pending, input)
  await input.effectsListener?.show(lines)
  if (refusal) throw refusal
  return blocked
}

/** Checks a change; reads services only if the rules differ for some, or block required traffic. */
export async function assessLockout(pending: PendingChange, input: LockoutInput): Promise<LockoutAssessment> {
  // A dry run prints the effects as data, too.
  if (!input.dry && !(await matters(input))) return { lines: [], effects: [], blocked: [] }
  const { before, after } = pending
  const { account, options } = input
  const requirements = await readKeepOpenRequirements(options, account)
  const strictest = { before, after, services: [anywhere] }
  // Less is filtered for balancers, so a compute instance shows all differences.
  const isDifferent = effectsOf(strictest).length > 0
  const isClosed = requirements.some(({ rules, ifOpen }) => blockedRequirements(strictest, rules, ifOpen).length > 0)
  if (!isDifferent && !isClosed) return { lines: [], effects: [], blocked: [] }
  const { shift, unread } = await atServices(pending, account)
  const effects = effectsOf(shift)
  const form = { where: shift.where, full: input.effectsListener?.isVerbose === true }
  const textOf = (effect: Effect) => escapeText(effectText(effect, form))
  const lines = effects.map(textOf)
  const refusal = await refusalOf([shift], input)
  return {
    lines: [...lines, ...(lines.length > 0 ? unread : [])],
    effects: effectRecords(effects, shift),
    blocked: effects.filter(({ kind }) => kind === 'blocked' || kind === 'unclear').map(textOf),
    ...(refusal && { refusal }),
  }
}

/** Reads the services of a change. If they are unreadable, an unknown one stands for them, with a line that says so. */
export async function atServices(
  { before, after, where, ...pending }: PendingChange,
  { signal }: Account,
): Promise<{ shift: ReachabilityChange; unread: readonly string[] }> {
  const services = await pending.services().catch((error: unknown) => {
    if (error instanceof Problem && !signal.aborted) return error
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
 * Reports whether the change itself says what must stay open: then rules are checked even without services, and
 * whatever they allowed before.
 */
export const isExplicit = ({ options }: LockoutInput): boolean => options.keepOpen !== undefined

/** Returns the problem that forbids changes; undefined if they are allowed. */
export async function refusalOf(
  shifts: readonly ReachabilityChange[],
  { account, options }: Pick<LockoutInput, 'account' | 'options'>,
): Promise<Problem | undefined> {
  if (options.allowLockout) return undefined
  const requirements = await readKeepOpenRequirements(options, account)
  const lost = shifts.flatMap((shift) => requirements.flatMap((one) => lostOf(shift, one)))
  const all = lost.length > 0 ? [...new Set(lost)] : await connectionsLost(shifts, account)
  if (all.length === 0) return undefined
  return new Problem('locked_out', `${someTexts(all)}; nothing was sent`, {
    hint: 'To do it anyway, add --allow-lockout',
  })
}

async function connectionsLost(shifts: readonly ReachabilityChange[], account: Account): Promise<string[]> {
  const connection = sshConnection(account.local.env)
  if (!connection) return []
  const { sshLost } = await import('./ssh')
  return sshLost(connection, { shifts, lostOf }, account)
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
    return kind === 'blocked'
      ? `${by}: ${what} would be blocked at ${where}`
      : `${by}: skyctl cannot tell whether ${what} would be allowed at ${where}`
  })
}
