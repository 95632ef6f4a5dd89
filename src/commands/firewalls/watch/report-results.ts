/**
 * Prints the outcomes of watchers, and changes that killed watchers have left, before the next command: once, except for
 * undos that the service refused, which every command reports until the rules are changed.
 */
import { serviceOf } from '../../../account/account'
import type { RecordedChange } from '../../../account/history/lines'
import { readHistory } from '../../../account/history/store'
import { isOtherUser, isUser, knownUser } from '../../../account/identity'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Session } from '../../../engine/session'
import { passOver } from '../../../errors'
import { isRunning } from '../../../files/process-id'
import { type RecordFile, readRecords, removeRecord } from './records'
import { nextOf, standingText } from './undo'

export async function reportWatchResults(session: Session): Promise<void> {
  for (const record of (await readRecords(session)).sort(byTime)) {
    if (await isOthers(record, session)) continue
    if (isRefused(record)) {
      if (await isOver(record, session)) removeRecord(record)
      else await tellOutcome(record.outcome, session)
      continue
    }
    if (record.outcome) await tellOutcome(record.outcome, session)
    else if (isLeft(record)) await tellLeft(record, session)
    else continue
    removeRecord(record)
  }
}

/** Reports whether another user of this address made the change, whose next command prints it. */
async function isOthers({ watch: { service, user } }: RecordFile, session: Session): Promise<boolean> {
  if (!isUser(user) || service !== (await serviceOf(session.account).catch(() => undefined))) return false
  return isOtherUser(user, await knownUser(session.account))
}

/** Sorts by time. Refused undos come first; changes that are not undone come last, as they are current. */
const byTime = (one: RecordFile, other: RecordFile) => timeOf(one) - timeOf(other)

function timeOf(record: RecordFile): number {
  const { outcome } = record
  return outcome ? outcome.time - (isRefused(record) ? Number.MAX_SAFE_INTEGER : 0) : Number.MAX_VALUE
}

type Outcome = NonNullable<RecordFile['outcome']>

const isRefused = (record: RecordFile): record is RecordFile & { outcome: Outcome } =>
  record.outcome?.ok === false && record.outcome.refused === true

const longestReportMs = 7 * 24 * 3_600_000

/** Reports whether the user has changed the rules of each firewall since a refused undo, or a week has passed. */
async function isOver(
  { watch: { undoings }, outcome: { time } }: RecordFile & { outcome: Outcome },
  { account, clock }: Session,
): Promise<boolean> {
  if (clock.now() > time + longestReportMs) return true
  const history = await readHistory(account).catch(passOver)
  const isChange = ({ path, method, holes, result }: RecordedChange, firewallId: number) =>
    result?.outcome === 'ok' &&
    Date.parse(result.ended) > time &&
    Number(holes?.firewallId) === firewallId &&
    (path === firewallRules.update.path || method === 'DELETE')
  return undoings.every(({ firewallId }) => history?.some((change) => isChange(change, firewallId)))
}

async function tellOutcome(outcome: Outcome, session: Session) {
  const when = `${new Date(outcome.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const text = `Since the last command, at ${when}: ${outcome.texts.join('; ')}`
  await (outcome.ok ? session.ui.log('note', text) : session.ui.warn(`${text}. Run: ${outcome.next}`))
}

/** Reports whether no process is left to undo the change: a running first process would start another watcher. */
function isLeft({ watch, watcher }: RecordFile): boolean {
  if (isRunning(watcher) !== false) return false
  return !watch.attached || isRunning(watch.first) === false
}

async function tellLeft({ watch }: RecordFile, session: Session): Promise<void> {
  if (watch.stage === 'nothing') return
  for (const undoing of watch.undoings) {
    const text = `the background process was killed before it could undo the change: ${standingText(undoing, watch)}`
    await session.ui.warn(`${text}. Run: ${nextOf(undoing, watch)}`)
  }
}
