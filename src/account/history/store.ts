/**
 * Stores the history in the state folder: `history/1.ndjson`, `2.ndjson` …
 *
 * - A line is one write at the end of the file (O_APPEND), so parallel processes lose none. It also begins with a line
 *   break, so a line that a full disk has cut off damages no other.
 * - A full file is followed by the next one. No file is moved or rewritten, so nobody has to wait: a slow process just
 *   appends to the previous file. The oldest files are removed.
 * - The number of a request is its file and its position there, which never change. A file is full long before it has a
 *   thousand requests of over 200 bytes each.
 */
import { readdirSync, rmSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { deferWarnings } from '../../files/deferred-warnings'
import { statusOf, type Warn } from '../../files/ownership'
import { type Appended, openToAppend, readPrivately } from '../../files/private'
import { fileProblem } from '../../files/problem'
import type { Account } from '../account'
import { openStateFolder } from '../state-subfolders'
import { type RecordedChange, readHistoryLines } from './lines'

const fullBytes = 128 * 1024
const numbersOfFile = 1000

/** Limit of about 4,000 requests, and 2 MiB. */
const mostFiles = 16

/** Appends lines to the history in a folder. */
export class HistoryWriter {
  #file: Appended | undefined

  constructor(readonly folder: string) {}

  /**
   * Appends a line. Throws `local`. The file stays open, as each change has two lines; it is looked up again if it is
   * full, or if another process has cleared the history.
   */
  append(line: string, warn: Warn): void {
    if (this.#file && isOver(this.#file.status())) this.close()
    this.#file ??= this.#open(warn)
    this.#file.write(`\n${line}\n`)
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }

  #open(warn: Warn): Appended {
    const newest = Math.max(1, ...numbersIn(this.folder))
    const isFull = (statusOf(pathOf(this.folder, newest))?.size ?? 0) >= fullBytes
    const number = isFull ? newest + 1 : newest
    const file = openToAppend(pathOf(this.folder, number), warn)
    if (isFull) removeUpTo(number - mostFiles, this.folder)
    return file
  }
}

const isOver = ({ size, nlink }: Pick<Stats, 'size' | 'nlink'>) => size >= fullBytes || nlink === 0

/** Reads all recorded requests, the newest last. Throws `local` for an unreadable file. */
export async function readHistory(account: Account): Promise<RecordedChange[]> {
  const folder = await openStateFolder('history', account)
  const past = new Map<string, RecordedChange>()
  let unreadable = 0
  for (const number of numbersIn(folder).sort((a, b) => a - b)) {
    const text = await deferWarnings(account.reporter, (warn) => readPrivately(pathOf(folder, number), warn))
    unreadable += await readHistoryLines(text ?? '', (number - 1) * numbersOfFile + 1, past)
  }
  if (unreadable > 0) {
    const changes = unreadable === 1 ? '1 change is' : `${unreadable} changes are`
    await account.reporter.warn(
      `${changes} missing here: a newer version of skyctl recorded what this one cannot read. Update skyctl`,
    )
  }
  return [...past.values()]
}

/** Deletes the history. Numbers are not reused. */
export async function clearHistory(account: Account): Promise<void> {
  const folder = await openStateFolder('history', account)
  const newest = Math.max(0, ...numbersIn(folder))
  if (newest === 0) return
  await deferWarnings(account.reporter, (warn) => openToAppend(pathOf(folder, newest + 1), warn).close())
  removeUpTo(newest, folder)
}

const pathOf = (folder: string, number: number) => join(folder, `${number}.ndjson`)

const numbered = /^[1-9]\d{0,8}\.ndjson$/

function numbersIn(folder: string): number[] {
  return namesIn(folder)
    .filter((name) => numbered.test(name))
    .map((name) => Number.parseInt(name, 10))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw fileProblem('read', folder, error)
  }
}

function removeUpTo(last: number, folder: string): void {
  for (const number of numbersIn(folder)) if (number <= last) rmSync(pathOf(folder, number), { force: true })
}
