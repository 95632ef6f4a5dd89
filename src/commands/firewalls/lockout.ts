/** Who is cut off by a change of firewalls, and what must not be (state.md, Guards around firewalls). */
import type { FirewallDevice } from '../../catalogue/firewalls'
import type { Flags } from '../../engine/command'
import { showDifference } from '../../engine/difference'
import type { Id } from '../../engine/resource'
import { Problem } from '../../errors'
import {
  closings,
  effectsOf,
  effectText,
  nameOfService,
  type Service,
  type Shift,
  trafficText,
} from '../../firewall/effects'
import { sshConnection } from '../../firewall/keep-open'
import { isJson } from '../../output/formats'
import { safe } from '../../output/safe'
import { someNames } from '../../rules/names'
import type { Session } from '../../session'
import { type Kept, keptOpen } from './kept-open'
import { weighedFlag } from './lockout-flags'
import { readDevices } from './read-devices'

/** What a change was given. */
interface Invocation {
  flags: Flags
  session: Session
}

/** A change for services that are looked up where it makes a difference for them. */
export interface Pending extends Omit<Shift, 'services'> {
  services(): Promise<readonly Service[]>
  /** As messages name services that cannot be read, or do not exist yet: `what firewall "web" (12) protects`. */
  where: string
}

/** What is different, and what forbids the change. */
export interface Weighed {
  lines: readonly string[]
  refusal?: Problem
}

export const servicesOf = async (firewallId: Id, session: Session): Promise<Service[]> =>
  (await readDevices(firewallId, session)).map(serviceOf)

export const serviceOf = ({ entity: { type, id, label } }: FirewallDevice): Service => ({ type, id, label })

/** Whether a change is to be weighed at all: not where nobody hears of it and nothing is to be kept open. */
export async function matters({ flags, session }: Invocation): Promise<boolean> {
  if (flags[weighedFlag] === true) return false
  const isHeard = (session.interactive && !session.yes) || (!session.quiet && !isJson(session.format))
  return (await isGuarded({ flags, session })) || isHeard
}

export async function isGuarded({ flags, session }: Invocation): Promise<boolean> {
  return (await keptOpen(flags, session)).length > 0 || sshConnection(session.env) !== undefined
}

/** Shows what is different, and throws `locked_out` where it closes what is to be kept open. */
export async function guard(pending: Pending, invocation: Invocation): Promise<void> {
  const { lines, refusal } = await weigh(pending, invocation)
  await showDifference(lines, invocation.session)
  if (refusal) throw refusal
}

/** Reads the services only where the rules differ for some, or close what is to be kept open. */
export async function weigh(pending: Pending, { flags, session }: Invocation): Promise<Weighed> {
  if (!(await matters({ flags, session }))) return { lines: [] }
  const { before, after, where } = pending
  const kept = await keptOpen(flags, session)
  const strictest = { before, after, services: [anywhere] }
  // At a balancer less is filtered, so nothing is different there that is not so at a compute instance.
  const isDifferent = effectsOf(strictest).length > 0
  const isClosed = kept.some(({ rules, ifOpen }) => closings(strictest, rules, ifOpen).length > 0)
  if (!isDifferent && !isClosed) return { lines: [] }
  const known = await pending.services().catch((error: unknown) => {
    if (error instanceof Problem && !session.signal.aborted) return error
    throw error
  })
  const unread = known instanceof Problem ? [`${where} could not be read: ${safe(known.message)}`] : []
  const services = known instanceof Problem ? [anywhere] : known
  const place = known instanceof Problem || services.length === 0 ? where : undefined
  const shift = { before, after, services, where: place }
  const lines = effectsOf(shift).map((effect) => safe(effectText(effect, place)))
  const refusal = await refusalOf([shift], { flags, session })
  return { lines: [...lines, ...(lines.length > 0 ? unread : [])], ...(refusal && { refusal }) }
}

/** For a service that is not known: as strict as can be. */
const anywhere: Service = { type: 'compute', id: 0 }

/** Whether --keep-open is set: then the rules are judged whatever they protect, and whatever they allowed before. */
export const isExplicit = (flags: Flags): boolean => flags['keep-open'] !== undefined

/** Why changes are not to be sent; undefined where nothing forbids them. */
export async function refusalOf(
  shifts: readonly Shift[],
  { flags, session }: Invocation,
): Promise<Problem | undefined> {
  if (flags['allow-lockout']) return undefined
  const kept = await keptOpen(flags, session)
  const lost = shifts.flatMap((shift) => kept.flatMap((one) => lostOf(shift, one)))
  const all = lost.length > 0 ? [...new Set(lost)] : await (await import('./lockout-ssh')).sshLost(shifts, session)
  if (all.length === 0) return undefined
  return new Problem('locked_out', `${someTexts(all)}; nothing was sent`, {
    hint: 'To do it all the same, add --allow-lockout',
  })
}

const most = 3

const someTexts = (texts: readonly string[]) =>
  [...texts.slice(0, most), ...(texts.length > most ? [`and ${texts.length - most} more`] : [])].join('; ')

/** A sentence for each way in that is closed. Rules that protect nothing yet close what must be open in any case. */
export function lostOf(shift: Shift, { by, rules, ifOpen }: Kept): string[] {
  const judged = ifOpen || shift.services.length > 0 ? shift : { ...shift, services: [anywhere] }
  return closings(judged, rules, ifOpen).map(({ kind, services, traffic }) => {
    const where = safe(shift.where ?? someNames(services.map(nameOfService)))
    const what = trafficText(traffic)
    return kind === 'refused'
      ? `${by}: ${what} would be refused at ${where}`
      : `${by}: it cannot be told whether ${what} would be let in at ${where}`
  })
}
