/**
 * Where the history is kept: `history/1.ndjson`, `2.ndjson` … in the state folder.
 *
 * - A line is one write at the end of the file (O_APPEND), so processes that write at once lose none. It begins with a
 *   line break, too: what a full disk has cut off spoils no line but itself.
 * - A file that is full is followed by the next one, and nothing is ever moved or written anew, so nobody has to wait:
 *   a slow process only adds to the file before. The oldest are removed.
 * - A request is numbered by its file and its place there, which never change. A file is full long before it holds a
 *   thousand: a request takes over 200 bytes.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { statusOf, type Warn } from '../../files/own'
import { openToAppend, readPrivately } from '../../files/private'
import { fileProblem } from '../../files/problem'
import type { Session } from '../../session'
import { heard } from '../heard'
import { openStateFolder } from '../state-folder'
import { type Past, readLines } from './lines'

const fullBytes = 128 * 1024
const numbersOfFile = 1000

/** About 4,000 requests, and 2 MiB. */
const mostFiles = 16

/** Another process may have cleared the history, or begun the next file, since the last line. Throws `local`. */
export function appendToHistory(folder: string, line: string, warn: Warn): void {
  const newest = Math.max(1, ...numbersIn(folder))
  const isFull = (statusOf(pathOf(folder, newest))?.size ?? 0) >= fullBytes
  const number = isFull ? newest + 1 : newest
  const file = openToAppend(pathOf(folder, number), warn)
  try {
    file.write(`\n${line}\n`)
  } finally {
    file.close()
  }
  if (isFull) removeUpTo(number - mostFiles, folder)
}

/** Every request that is kept, the newest last. Throws `local` where it cannot be read. */
export async function readHistory(session: Session): Promise<Past[]> {
  const folder = await openStateFolder('history', session)
  const past = new Map<string, Past>()
  for (const number of numbersIn(folder).sort((a, b) => a - b)) {
    const text = await heard(session, (warn) => readPrivately(pathOf(folder, number), warn))
    await readLines(text ?? '', (number - 1) * numbersOfFile + 1, past)
  }
  return [...past.values()]
}

/** Removes all of it. A number that was seen is not given again. */
export async function clearHistory(session: Session): Promise<void> {
  const folder = await openStateFolder('history', session)
  const newest = Math.max(0, ...numbersIn(folder))
  if (newest === 0) return
  await heard(session, (warn) => openToAppend(pathOf(folder, newest + 1), warn).close())
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
