/** Prints the outcomes of watchers, and changes that killed watchers have left, once, before the next command. */
import { serviceOf } from '../../../account/account'
import { isOtherUser, isUser, knownUser } from '../../../account/identity'
import { isRunning } from '../../../files/process-id'
import type { Session } from '../../../session'
import { type RecordFile, readRecords, removeRecord } from './records'
import { nextOf, standingText } from './undo'

export async function reportWatchResults(session: Session): Promise<void> {
  for (const record of (await readRecords(session)).sort(byTime)) {
    if (await isOthers(record, session)) continue
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

/** Sorts by time; changes that are not undone come last, as they are current. */
const byTime = (one: RecordFile, other: RecordFile) => timeOf(one) - timeOf(other)

const timeOf = ({ outcome }: RecordFile) => outcome?.time ?? Number.MAX_VALUE

async function tellOutcome(outcome: NonNullable<RecordFile['outcome']>, session: Session) {
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
