/** Undoes the changes of a watch, unless others have replaced them. */

import { type Account, serviceOf } from '../../../account/account'
import { readRules, writeEdit } from '../../../account/actions/rules'
import { undoing } from '../../../account/history/history'
import { readHistory } from '../../../account/ledger/reader'
import type { Session } from '../../../engine/session'
import { type ErrorCode, isGone, Problem } from '../../../errors'
import { areRestored, restoring } from '../../../firewall/restore'
import { closeOpenings, patienceMs, planClosing } from '../temporary-access/close-openings'
import { accountFlag, type Undoing, type Watch, type WatchOutcome } from './watch'

/** Pauses before further checks: a request that a process sent just before it was killed may arrive late. */
const looksAgainMs = [250, 500, 1_000, 2_000, 4_000]

/** Returns the pause before the next attempt: increasing, up to half a minute. */
const pauseMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 30_000)

/** About a day; after that a person must take over. */
const mostAttempts = 2_880

/** Codes of refusals that may end by themselves: of an object that is busy, and of rules that others change. */
const passing: readonly ErrorCode[] = ['conflict', 'changed', 'rate_limited', 'unavailable', 'not_the_api']

/** Reports whether retries cannot help: the service refused the request for good, or nothing can be sent. */
function isFinal({ code, details: { status, retryable } }: Problem): boolean {
  if (code === 'not_signed_in' || code === 'usage') return true
  return Math.floor(Number(status) / 100) === 4 && retryable !== true && !passing.includes(code)
}

/**
 * Undoes all changes, however long it takes. `mayRetry` gets the reason of each failed attempt, and resolves to false if
 * there is nothing to undo any more.
 */
export async function undo(
  watch: Watch,
  session: Session,
  mayRetry: (text: string) => Promise<boolean>,
): Promise<WatchOutcome> {
  const undoings = watch.stage === 'nothing' ? [] : watch.undoings
  // In parallel: a firewall that cannot be changed must not keep others open.
  const outcomes = await Promise.all(undoings.map((undoing) => undoOne(undoing, { watch, session, mayRetry })))
  const texts = outcomes.flatMap((outcome) => outcome.texts)
  const amiss = outcomes.find((outcome) => !outcome.ok && outcome.refused) ?? outcomes.find((outcome) => !outcome.ok)
  return amiss ? { ...amiss, texts } : { ok: true, texts }
}

interface Undo {
  watch: Watch
  session: Session
  mayRetry(text: string): Promise<boolean>
}

async function undoOne(undoing: Undoing, { watch, session, mayRetry }: Undo): Promise<WatchOutcome> {
  const { name } = undoing
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await settled(undoing, watch, session)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (isGone(error)) return { ok: true, texts: [`${name} no longer exists`] }
      if (isFinal(error) || attempts === mostAttempts) return failed(undoing, watch, error)
      if (!(await mayRetry(`${error.message}; trying again`))) return { ok: true, texts: [] }
      await session.clock.sleep(pauseMs(attempts))
    }
  }
}

/** Repeats the undo until no sent request can arrive any more. */
async function settled(undoing: Undoing, watch: Watch, session: Session): Promise<WatchOutcome> {
  for (const pause of [...(watch.stage === 'writing' ? looksAgainMs : []), undefined]) {
    const outcome = await (undoing.kind === 'close'
      ? close(undoing, accountFlag(watch), session)
      : restoreRules(undoing, accountFlag(watch), session))
    if (outcome) return outcome
    if (pause !== undefined) await session.clock.sleep(pause)
  }
  const { name } = undoing
  const text =
    undoing.kind === 'close' ? `${undoing.passage} is not open at ${name}` : `The previous rules of ${name} are current`
  return { ok: true, texts: [text] }
}

type Of<K extends Undoing['kind']> = Extract<Undoing, { kind: K }>

/** Closes an opening; resolves to undefined if there is none. */
async function close(
  { firewallId, name, mark, passage }: Of<'close'>,
  account: string,
  session: Session,
): Promise<WatchOutcome | undefined> {
  const firewall = { id: firewallId, input: String(firewallId) }
  const plan = await planClosing(firewall, (opening) => opening.mark === mark, session)
  await closeOpenings(plan, session)
  const { closed, changed } = plan
  if (closed.length > 0) return { ok: true, texts: [`Closed ${passage} of ${name}`] }
  if (!changed.some((one) => one.mark === mark)) return undefined
  return {
    ok: false,
    texts: [`Somebody has changed the rule that allows ${passage} at ${name}: it was not removed`],
    next: `skyctl firewalls rules list ${firewallId}${account}`,
  }
}

/** Restores rules; resolves to undefined if they are already restored. */
async function restoreRules(
  { firewallId, name, before, written }: Of<'restore'>,
  account: string,
  session: Session,
): Promise<WatchOutcome | undefined> {
  const firewall = { id: firewallId, input: String(firewallId) }
  const shown = await readRules(firewall, session.account)
  if (areRestored(before, shown)) return undefined
  if (!areRestored(written, shown)) {
    return {
      ok: false,
      texts: [`Somebody else has changed the rules of ${name} since: nothing was restored`],
      next: `skyctl firewalls rules undo ${firewallId}${account}`,
    }
  }
  // If somebody changes them right now, the next attempt finds out whether that was only an opening.
  const edit = restoring(before, shown)
  await writeEdit({ firewall, shown, edit, noBackup: true, patienceMs }, await rollingBack(firewallId, session.account))
  return { ok: true, texts: [`Restored the previous rules of ${name}`] }
}

/** Returns the account for the rollback of the last change of rules, which the history then counts as undone. */
async function rollingBack(firewallId: number, account: Account): Promise<Account> {
  const own = await serviceOf(account)
  // A history that cannot be read must not prevent the rollback.
  const all = await readHistory(account).catch(() => [])
  const last = all.findLast(
    ({ service, copy, path_parameters: path }) =>
      service === own && copy !== undefined && Number(path?.firewallId) === firewallId,
  )
  return last ? undoing(account, last.entry) : account
}

function failed(undoing: Undoing, watch: Watch, { message }: Problem): WatchOutcome {
  const text = `${standingText(undoing, watch)}; the API refused to undo it: ${message}`
  return { ok: false, texts: [text], next: nextOf(undoing, watch), refused: true }
}

/** Describes a change that was not undone. */
export function standingText(undoing: Undoing, { stage }: Pick<Watch, 'stage'>): string {
  const may = stage === 'writing' ? 'may be' : 'is'
  const { name } = undoing
  if (undoing.kind === 'close') return `${undoing.passage} ${may} open at ${name}`
  return `the unconfirmed change to the rules of ${name} ${may} in effect`
}

export const nextOf = ({ kind, firewallId }: Undoing, watch: Pick<Watch, 'context'>) =>
  `skyctl firewalls ${kind === 'close' ? 'close' : 'rules undo'} ${firewallId}${accountFlag(watch)}`
