/** Reads the ledger, and removes its old files. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatJson } from '../../data/json'
import { deferWarnings } from '../../files/deferred-warnings'
import { withLock } from '../../files/lock'
import type { Warn } from '../../files/ownership'
import { openToAppend, readPrivately } from '../../files/private'
import { writePrivately } from '../../files/write'
import { groupBy, isRecord } from '../../rules/records'
import type { Account } from '../account'
import { type RecordedChange, readHistoryLines, valuesIn } from '../history/lines'
import { type LedgerEntry, numbersIn, openLedgerFolder, pathOf } from './files'

const numbersOfFile = 1000

/** Maximum number of entries of a group. */
const mostOfGroup = 20

/** Reads all recorded requests, the newest last. Throws `local` for an unreadable file. */
export async function readHistory(account: Account): Promise<RecordedChange[]> {
  const past = new Map<string, RecordedChange>()
  let unreadable = 0
  for (const { number, text } of await readFiles(account))
    unreadable += await readHistoryLines(text, (number - 1) * numbersOfFile + 1, past)
  if (unreadable > 0) {
    const changes = unreadable === 1 ? '1 change is' : `${unreadable} changes are`
    await account.reporter.warn(
      `${changes} missing here: a newer version of skyctl recorded what this one cannot read. Update skyctl`,
    )
  }
  return [...past.values()]
}

/** Reads the entries that last, the newest last. Throws `local` for an unreadable file. */
export async function readEntries(account: Account): Promise<LedgerEntry[]> {
  return entriesIn(await readFiles(account))
}

/** Deletes the requests. Numbers are not reused. */
export async function clearHistory(account: Account): Promise<void> {
  const folder = await openLedgerFolder(account)
  const newest = Math.max(0, ...numbersIn(folder))
  if (newest === 0) return
  await deferWarnings(account.reporter, async (warn) => {
    openToAppend(pathOf(folder, newest + 1), warn).close()
    await removeUpTo(newest, folder, warn)
  })
}

interface LedgerFile {
  number: number
  text: string
}

async function readFiles(account: Account): Promise<LedgerFile[]> {
  const folder = await openLedgerFolder(account)
  return deferWarnings(account.reporter, (warn) => filesIn(folder, warn))
}

function filesIn(folder: string, warn: Warn): LedgerFile[] {
  const numbers = numbersIn(folder).sort((a, b) => a - b)
  const files = numbers.flatMap((number) => {
    const text = readPrivately(pathOf(folder, number), warn)
    return text === undefined ? [] : [{ number, text }]
  })
  // Another process has just moved the entries of a file that is gone to the first one, which was read before.
  return files.length < numbers.length ? filesIn(folder, warn) : files
}

async function entriesIn(files: readonly LedgerFile[]): Promise<LedgerEntry[]> {
  const entries = new Map<string, LedgerEntry>()
  for (const { text } of files) {
    for (const value of await valuesIn(text)) {
      if (isEntry(value)) entries.set(value.id, value)
      else if (isRecord(value) && typeof value.drops === 'string') entries.delete(value.drops)
    }
  }
  const groups = groupBy([...entries.values()], ({ account, group }) => `${account} ${group}`)
  const newest = new Set([...groups.values()].flatMap((group) => group.slice(-mostOfGroup)))
  return [...entries.values()].filter((one) => newest.has(one))
}

const isEntry = (value: unknown): value is LedgerEntry =>
  isRecord(value) && [value.id, value.group, value.account].every((text) => typeof text === 'string')

/** Removes files, and moves their entries that last to the first one. */
export async function removeUpTo(last: number, folder: string, warn: Warn): Promise<void> {
  const leaving = numbersIn(folder).filter((number) => number > 0 && number <= last)
  if (leaving.length === 0) return
  await withLock(join(folder, 'lock'), async () => {
    const files = filesIn(folder, warn)
    const lasting = new Set((await entriesIn(files)).map(({ id }) => id))
    // Later lines about an entry stay in their files.
    const entries = await entriesIn(files.filter(({ number }) => number <= last))
    const lines = entries.flatMap((entry) => (lasting.has(entry.id) ? [formatJson(entry, 0)] : []))
    if (lines.length > 0) writePrivately(pathOf(folder, 0), `${(await Promise.all(lines)).join('\n')}\n`)
    else rmSync(pathOf(folder, 0), { force: true })
    for (const number of leaving) rmSync(pathOf(folder, number), { force: true })
  })
}
