/** What watchers have done, and what those leave that were killed: told once, by whichever command comes next. */
import { isRunning } from '../../../files/self'
import type { Session } from '../../../session'
import { type RecordFile, readRecords, removeRecord } from './records'
import { nextOf, standingText } from './undo'

export async function tellAll(session: Session): Promise<void> {
  for (const record of (await readRecords(session)).sort(byTime)) {
    if (record.outcome) await tellOutcome(record.outcome, session)
    else if (isLeft(record)) await tellLeft(record, session)
    else continue
    removeRecord(record)
  }
}

/** As it happened; what is left stands now, so it comes last. */
const byTime = (one: RecordFile, other: RecordFile) => timeOf(one) - timeOf(other)

const timeOf = ({ outcome }: RecordFile) => outcome?.time ?? Number.MAX_VALUE

async function tellOutcome(outcome: NonNullable<RecordFile['outcome']>, session: Session) {
  const when = `${new Date(outcome.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const text = `Since the last command, at ${when}: ${outcome.texts.join('; ')}`
  await (outcome.ok ? session.tell('note', text) : session.warn(`${text}. Run: ${outcome.next}`))
}

/** Whether nobody is there any more to do it: a first process starts another watcher in place of one that was killed. */
function isLeft({ watch, watcher }: RecordFile): boolean {
  if (isRunning(watcher) !== false) return false
  return !watch.attached || isRunning(watch.first) === false
}

async function tellLeft({ watch }: RecordFile, session: Session): Promise<void> {
  if (watch.stage === 'nothing') return
  for (const undoing of watch.undoings) {
    const text = `the process that was to undo it was killed: ${standingText(undoing, watch)}`
    await session.warn(`${text}. Run: ${nextOf(undoing, watch)}`)
  }
}
