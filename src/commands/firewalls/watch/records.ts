/**
 * Stores records of watchers: `watches/ID.json` in the state folder, written only by the watcher. A record exists until
 * its outcome was printed. The record of a killed watcher shows changes that may not be undone. It has rules, but no
 * secrets.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStateFolder, stateFolderIfAny } from '../../../account/state-subfolders'
import { parsedWithin } from '../../../data/json'
import type { Session } from '../../../engine/session'
import { hintedText, Problem } from '../../../errors'
import { deferWarnings } from '../../../files/deferred-warnings'
import { isNewer, newerFile } from '../../../files/newer'
import { readPrivately } from '../../../files/private'
import { type ProcessName, self } from '../../../files/process-id'
import { writePrivately } from '../../../files/write'
import { isRecord } from '../../../rules/records'
import type { Watch, WatchOutcome } from './messages'

export interface WatchRecord {
  watch: Watch
  watcher: ProcessName
  /** Outcome, and its time in milliseconds since the epoch. */
  outcome?: WatchOutcome & { time: number }
}

export interface RecordFile extends WatchRecord {
  path: string
}

const folderName = 'watches'

/** The record of a watcher. If it cannot be stored, the watcher works without one. */
export interface OwnRecord {
  keep(watch: Watch): void
  /** Reports whether somebody has removed it: the undo was already made. */
  isGone(): boolean
  end(watch: Watch, outcome: WatchOutcome): void
  remove(): void
}

export async function openRecord(id: string, session: Session): Promise<OwnRecord> {
  const folder = await stateFolderIfAny(folderName, session.account, 'results of later undos are not printed')
  if (folder === undefined) return { keep() {}, isGone: () => false, end() {}, remove() {} }
  const path = join(folder, `${id}.json`)
  let isStored = false
  const write = (record: Omit<WatchRecord, 'watcher'>) => {
    try {
      writePrivately(path, `${JSON.stringify({ ...record, watcher: self() })}\n`)
      isStored = true
    } catch (error) {
      // A full disk must not prevent the undo.
      if (!(error instanceof Problem)) throw error
    }
  }
  return {
    keep: (watch) => write({ watch }),
    isGone: () => isStored && !existsSync(path),
    end: (watch, outcome) => write({ watch, outcome: { ...outcome, time: session.clock.now() } }),
    remove: () => rmSync(path, { force: true }),
  }
}

/** Reads the records of all accounts; none if the folder is unreadable. */
export async function readRecords(session: Session): Promise<RecordFile[]> {
  try {
    if (!existsSync(join(session.account.local.paths.state, folderName))) return []
    const folder = await openStateFolder(folderName, session.account)
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

/** Reads a record; none for other files, or if another process has just removed it. */
async function readRecord(path: string, session: Session): Promise<RecordFile[]> {
  if (!/[\\/][0-9a-f]{16}\.json$/.test(path)) return []
  try {
    const text = await deferWarnings(session.ui, (warn) => readPrivately(path, warn))
    const record = parsedWithin(text ?? '').value
    if (isRecord(record) && isNewer(record.format_version)) throw newerFile(path, 'run a command of that version')
    return isWatchRecord(record) ? [{ ...record, path }] : []
  } catch (error) {
    // It may have a change that is not undone.
    if (error instanceof Problem) await session.ui.warn(`skipped a record of a change to undo: ${hintedText(error)}`)
    return []
  }
}

/** Validates a record. Every command reads them first, so a record of another version must not crash it. */
function isWatchRecord(record: unknown): record is WatchRecord {
  if (!isRecord(record) || !isRecord(record.watch) || !isRecord(record.watcher)) return false
  const { watch, outcome = { texts: [], time: 0 } } = record
  return Array.isArray(watch.undoings) && watch.undoings.every(isRecord) && isRecord(watch.first) && isOutcome(outcome)
}

const isOutcome = (outcome: unknown) => isRecord(outcome) && Array.isArray(outcome.texts) && isTime(outcome.time)

/** Reports whether a number is a valid time: within 100 million days around 1970, as in ECMAScript. */
const isTime = (value: unknown) => Number.isInteger(value) && !Number.isNaN(new Date(Number(value)).getTime())
