/** Appends to the ledger. */
import type { Stats } from 'node:fs'
import { formatJson } from '../../data/json'
import { ignoreProblem } from '../../errors'
import { deferWarnings } from '../../files/deferred-warnings'
import { statusOf, type Warn } from '../../files/ownership'
import { type Appended, openToAppend } from '../../files/private'
import type { Account } from '../account'
import { type LedgerEntry, numbersIn, openLedgerFolder, pathOf } from './files'

const fullBytes = 128 * 1024
/** Limit of 4 MiB: about 8,000 requests, or about 800 with their rules. */
const mostFiles = 32

/** Appends lines to the ledger in a folder. */
export class LedgerWriter {
  #file: Appended | undefined

  constructor(readonly folder: string) {}

  /**
   * Appends a line. Throws `local`. The file stays open, as each change has two lines; it is looked up again if it is
   * full, or if another process has cleared the history.
   */
  async append(line: string, warn: Warn): Promise<void> {
    if (this.#file && isOver(this.#file.status())) this.close()
    const newest = this.#file ? undefined : this.#open(warn)
    this.#file?.write(`\n${line}\n`)
    // Awaited only if there is something to do, so that the first of several changes is still sent first.
    if (newest === undefined || !this.#hasUpTo(newest - mostFiles)) return
    const { removeUpTo } = await import('./reader')
    // If another process is at it, the next full file removes these files.
    await removeUpTo(newest - mostFiles, this.folder, warn).catch(ignoreProblem)
  }

  #hasUpTo(last: number): boolean {
    return numbersIn(this.folder).some((number) => number > 0 && number <= last)
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }

  /** Opens the newest file, or the next one if it is full; returns its number. */
  #open(warn: Warn): number {
    const newest = Math.max(1, ...numbersIn(this.folder))
    const isFull = (statusOf(pathOf(this.folder, newest))?.size ?? 0) >= fullBytes
    const number = isFull ? newest + 1 : newest
    this.#file = openToAppend(pathOf(this.folder, number), warn)
    return number
  }
}

const isOver = ({ size, nlink }: Pick<Stats, 'size' | 'nlink'>) => size >= fullBytes || nlink === 0

export const openLedger = async (account: Account) => new LedgerWriter(await openLedgerFolder(account))

async function appendLine(line: object, account: Account): Promise<void> {
  const writer = await openLedger(account)
  const text = await formatJson(line, 0)
  await deferWarnings(account.reporter, (warn) => writer.append(text, warn)).finally(() => writer.close())
}

export const addEntry = (entry: LedgerEntry, account: Account) => appendLine(entry, account)

export const dropEntry = (id: string, account: Account) => appendLine({ drops: id }, account)
