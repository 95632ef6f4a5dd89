/**
 * Records of watches: `watches/ID.json` in the state folder, written by the watcher alone. It is there until what became
 * of it was told. One whose watcher was killed says what may still stand. Rules are in it, and no secret.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parsedWithin } from '../../../data/json'
import { heard } from '../../../engine/heard'
import { openStateFolder, stateFolderIfAny } from '../../../engine/state-folder'
import { Problem } from '../../../errors'
import { readPrivately } from '../../../files/private'
import { type ProcessName, self } from '../../../files/self'
import { writePrivately } from '../../../files/write'
import { isRecord } from '../../../rules/records'
import type { Session } from '../../../session'
import type { Outcome, Watch } from './watch'

export interface WatchRecord {
  watch: Watch
  watcher: ProcessName
  /** When it was over, in milliseconds since the epoch, and what became of it. */
  outcome?: Outcome & { time: number }
}

export interface RecordFile extends WatchRecord {
  path: string
}

const folderName = 'watches'

/** The record of a watcher's own watch. Where nothing can be kept, nothing is. */
export interface OwnRecord {
  keep(watch: Watch): void
  /** Whether somebody has taken it away: what it is about was done. */
  isGone(): boolean
  end(watch: Watch, outcome: Outcome): void
  remove(): void
}

export async function openRecord(id: string, session: Session): Promise<OwnRecord> {
  const folder = await stateFolderIfAny(folderName, session, 'what is undone later is not told')
  if (folder === undefined) return { keep() {}, isGone: () => false, end() {}, remove() {} }
  const path = join(folder, `${id}.json`)
  let kept = false
  const write = (record: Omit<WatchRecord, 'watcher'>) => {
    try {
      writePrivately(path, `${JSON.stringify({ ...record, watcher: self() })}\n`)
      kept = true
    } catch (error) {
      // A full disk must not keep it from being undone.
      if (!(error instanceof Problem)) throw error
    }
  }
  return {
    keep: (watch) => write({ watch }),
    isGone: () => kept && !existsSync(path),
    end: (watch, outcome) => write({ watch, outcome: { ...outcome, time: session.clock.now() } }),
    remove: () => rmSync(path, { force: true }),
  }
}

/** Of all accounts; none where the folder cannot be read. */
export async function readRecords(session: Session): Promise<RecordFile[]> {
  try {
    if (!existsSync(join(session.paths.state, folderName))) return []
    const folder = await openStateFolder(folderName, session)
    const records: RecordFile[] = []
    for (const name of readdirSync(folder).sort()) records.push(...(await readRecord(join(folder, name), session)))
    return records
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

export function removeRecord({ path }: RecordFile): void {
  rmSync(path, { force: true })
}

/** None where another process has just removed it, and for what is no record. */
async function readRecord(path: string, session: Session): Promise<RecordFile[]> {
  if (!/[\\/][0-9a-f]{16}\.json$/.test(path)) return []
  try {
    const text = await heard(session, (warn) => readPrivately(path, warn))
    const record = parsedWithin(text ?? '').value
    return isWatchRecord(record) ? [{ ...record, path }] : []
  } catch (error) {
    // A change that is not undone may be in it.
    if (error instanceof Problem) await session.warn(`skipped a record of a change to undo: ${error.message}`)
    return []
  }
}

/** Every command tells of them first: one that another version has written must not end them all. */
function isWatchRecord(record: unknown): record is WatchRecord {
  if (!isRecord(record) || !isRecord(record.watch) || !isRecord(record.watcher)) return false
  const { watch, outcome = { texts: [], time: 0 } } = record
  return Array.isArray(watch.undoings) && watch.undoings.every(isRecord) && isRecord(watch.first) && isOutcome(outcome)
}

const isOutcome = (outcome: unknown) => isRecord(outcome) && Array.isArray(outcome.texts) && isTime(outcome.time)

/** Whether it is a time that can be shown: 100 million days around 1970, as ECMAScript has them. */
const isTime = (value: unknown) => Number.isInteger(value) && !Number.isNaN(new Date(Number(value)).getTime())
