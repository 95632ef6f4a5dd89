/**
 * Before the next command, prints the outcomes of watchers, and starts killed watchers again. Each is reported once,
 * except for undos that the service refused, which every command reports until the rules are changed.
 */
import { serviceOf } from '../../../account/account'
import type { RecordedChange } from '../../../account/history/lines'
import { isOtherUser, isUser, knownUser } from '../../../account/identity'
import { readHistory } from '../../../account/ledger/reader'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Session } from '../../../engine/session'
import { ignoreProblem } from '../../../errors'
import { isRunning } from '../../../files/process-id'
import { restartWatcher } from './start'
import { nextOf, standingText } from './undo'
import { hasFirstEnded, type Watch } from './watch'
import { readWatches, removeWatch, type StoredWatch } from './watch-file'

export async function reportWatchResults(session: Session): Promise<void> {
  for (const stored of (await readWatches(session)).sort(byTime)) {
    if (!(await isOthers(stored, session))) await report(stored, session)
  }
}

async function report(stored: StoredWatch, session: Session): Promise<void> {
  const { outcome } = stored.watch
  if (outcome) {
    const isLasting = isRefused(outcome)
    if (!isLasting || (await isOver(stored.watch, outcome, session))) removeWatch(stored)
    else return tellOutcome(outcome, session)
    if (!isLasting) await tellOutcome(outcome, session)
  } else if (isLeft(stored.watch)) await restart(stored, session)
}

/** Reports whether another user of this address made the change, whose next command prints it. */
async function isOthers({ watch: { service, user } }: StoredWatch, session: Session): Promise<boolean> {
  if (!isUser(user) || service !== (await serviceOf(session.account).catch(() => undefined))) return false
  return isOtherUser(user, await knownUser(session.account))
}

/** Sorts by time. Refused undos come first; changes that are not undone come last, as they are current. */
const byTime = (one: StoredWatch, other: StoredWatch) => timeOf(one) - timeOf(other)

function timeOf({ watch: { outcome } }: StoredWatch): number {
  return outcome ? outcome.time - (isRefused(outcome) ? Number.MAX_SAFE_INTEGER : 0) : Number.MAX_VALUE
}

type Outcome = NonNullable<Watch['outcome']>

const isRefused = (outcome: Outcome) => !outcome.ok && outcome.refused === true

const longestReportMs = 7 * 24 * 3_600_000

/** Reports whether the user has changed the rules of each firewall since a refused undo, or a week has passed. */
async function isOver({ undoings }: Watch, { time }: Outcome, { account, clock }: Session): Promise<boolean> {
  if (clock.now() > time + longestReportMs) return true
  const history = await readHistory(account).catch(ignoreProblem)
  const isChange = ({ path, method, path_parameters: pathParameters, result }: RecordedChange, firewallId: number) =>
    result?.outcome === 'ok' &&
    Date.parse(result.ended) > time &&
    Number(pathParameters?.firewallId) === firewallId &&
    (path === firewallRules.update.path || method === 'DELETE')
  return undoings.every(({ firewallId }) => history?.some((change) => isChange(change, firewallId)))
}

async function tellOutcome(outcome: Outcome, session: Session) {
  const when = `${new Date(outcome.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const text = `Since the last command, at ${when}: ${outcome.texts.join('; ')}`
  await (outcome.ok ? session.ui.log('note', text) : session.ui.warn(`${text}. Run: ${outcome.next}`))
}

/** Reports whether no process is left to undo the change: a running first process would start another watcher. */
function isLeft(watch: Watch): boolean {
  const { watcher, attached } = watch
  return (!watcher || isRunning(watcher) === false) && (!attached || hasFirstEnded(watch))
}

/** Starts another watcher; without the token of its account, prints the commands that undo the change. */
async function restart(stored: StoredWatch, session: Session): Promise<void> {
  const { watch } = stored
  if (watch.stage === 'nothing' || watch.decision === 'keep') return removeWatch(stored)
  const isRestarted = await restartWatcher(stored, session)
  if (!isRestarted) removeWatch(stored)
  for (const undoing of watch.undoings) {
    const text = `the background process was killed before it could undo the change: ${standingText(undoing, watch)}`
    await session.ui.warn(`${text}. ${isRestarted ? 'It was started again' : `Run: ${nextOf(undoing, watch)}`}`)
  }
}
