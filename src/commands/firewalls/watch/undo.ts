/** Undoing what a watch is about, as far as it is still ours to undo. */
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import { isGone, Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { sendable } from '../../../firewall/rules'
import { tidyRules } from '../../../firewall/tidy'
import type { Session } from '../../../session'
import { carryOutClosing, patienceMs, planClosing } from '../openings/closing'
import { completeRules } from '../rules/change'
import { ChangedMeanwhile, readRules, replaceRules } from '../rules/standing'
import { noFile } from '../rules-file'
import type { Outcome, Undoing, Watch } from './watch'

/** What a process sent just before it was killed may reach the service after we have looked: how often we look again. */
const looksAgainMs = [250, 500, 1_000, 2_000, 4_000]

/** Longer and longer, and then every half minute. */
const pauseMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 30_000)

/** A day: what the service could not be told until then is for a person. */
const mostAttempts = 2_880

/** What trying again does not change: the token is no more, or may not. */
const isFinal = ({ code }: Problem) => code === 'not_signed_in' || code === 'not_allowed' || code === 'usage'

/** Undoes all of it, however long that takes; `trying` hears each time what is in the way. */
export async function undo(watch: Watch, session: Session, trying: (text: string) => Promise<void>): Promise<Outcome> {
  const undoings = watch.stage === 'nothing' ? [] : watch.undoings
  // At once: a firewall that cannot be changed must not keep others open.
  const outcomes = await Promise.all(undoings.map((undoing) => undoOne(undoing, { watch, session, trying })))
  const texts = outcomes.flatMap((outcome) => outcome.texts)
  const amiss = outcomes.find((outcome) => !outcome.ok)
  return amiss ? { ...amiss, texts } : { ok: true, texts }
}

interface Undo {
  watch: Watch
  session: Session
  trying(text: string): Promise<void>
}

async function undoOne(undoing: Undoing, { watch, session, trying }: Undo): Promise<Outcome> {
  const { name } = undoing
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await settled(undoing, watch, session)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (isGone(error)) return { ok: true, texts: [`${name} is gone, with its rules`] }
      if (isFinal(error) || attempts === mostAttempts) return failed(undoing, watch, error)
      await trying(`${error.message}; trying again`)
      await session.clock.sleep(pauseMs(attempts))
    }
  }
}

/** Looks until nothing that was sent can arrive any more. */
async function settled(undoing: Undoing, { stage, account }: Watch, session: Session): Promise<Outcome> {
  for (const pause of [...(stage === 'writing' ? looksAgainMs : []), undefined]) {
    const outcome = await (undoing.kind === 'close'
      ? close(undoing, account, session)
      : putBack(undoing, account, session))
    if (outcome) return outcome
    if (pause !== undefined) await session.clock.sleep(pause)
  }
  const { name } = undoing
  const text =
    undoing.kind === 'close'
      ? `${undoing.passage} is not open at ${name}`
      : `The rules of ${name} are those from before`
  return { ok: true, texts: [text] }
}

type Of<K extends Undoing['kind']> = Extract<Undoing, { kind: K }>

/** Undefined where there is nothing to close. */
async function close(
  { firewallId, name, mark, passage }: Of<'close'>,
  account: string,
  session: Session,
): Promise<Outcome | undefined> {
  const firewall = { id: firewallId, typed: String(firewallId) }
  const plan = await planClosing(firewall, (opening) => opening.mark === mark, session)
  await carryOutClosing(plan, session)
  const { closed, changed } = plan
  if (closed.length > 0) return { ok: true, texts: [`Closed ${passage} of ${name}`] }
  if (!changed.includes(mark)) return undefined
  return {
    ok: false,
    texts: [`Somebody has changed the rule that let ${passage} into ${name}: it was not removed`],
    next: `skyctl firewalls rules list ${firewallId}${account}`,
  }
}

/** Undefined where what stood before stands. */
async function putBack(
  { firewallId, name, before, written }: Of<'put back'>,
  account: string,
  session: Session,
): Promise<Outcome | undefined> {
  const firewall = { id: firewallId, typed: String(firewallId) }
  const standing = await readRules(firewall, session)
  if (isSame(standing, before)) return undefined
  try {
    if (!isSame(standing, written)) throw new ChangedMeanwhile(name, [], standing)
    const given = { ...noFile, ...tidyRules(sendable(before)) }
    const after = completeRules(given, standing, { flags: {}, known: before })
    await replaceRules({ firewall, before: standing, after, unkept: true, patienceMs }, session)
    return { ok: true, texts: [`Put back the rules of ${name} that stood before`] }
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    return {
      ok: false,
      texts: [`Somebody else has changed the rules of ${name} since: nothing was put back`],
      next: `skyctl firewalls rules undo ${firewallId}${account}`,
    }
  }
}

const isSame = (one: FirewallRules, other: FirewallRules) => diffRules(one, other).length === 0

function failed(undoing: Undoing, watch: Watch, { message }: Problem): Outcome {
  return { ok: false, texts: [`${standingText(undoing, watch)}: ${message}`], next: nextOf(undoing, watch) }
}

/** What stands where it was not undone. */
export function standingText(undoing: Undoing, { stage }: Pick<Watch, 'stage'>): string {
  const may = stage === 'writing' ? 'may be' : 'is'
  const { name } = undoing
  if (undoing.kind === 'close') return `${undoing.passage} ${may} open at ${name}`
  return `what was written to the rules of ${name} ${may === 'is' ? 'stands' : 'may stand'}, and was not confirmed`
}

export const nextOf = ({ kind, firewallId }: Undoing, { account }: Pick<Watch, 'account'>) =>
  `skyctl firewalls ${kind === 'close' ? 'close' : 'rules undo'} ${firewallId}${account}`
