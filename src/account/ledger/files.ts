/**
 * The ledger: lines about changes from this machine, in `history/1.ndjson`, `2.ndjson` … of the state folder.
 *
 * - A line is one write at the end of the file (O_APPEND), so parallel processes lose none. It also begins with a line
 *   break, so a line that a full disk has cut off damages no other.
 * - A full file is followed by the next one, so nobody has to wait: a slow process just appends to the previous file.
 * - Lines of requests (history/lines) leave with their file. The number of a request is its file and its position there,
 *   which never change. A file is full long before it has a thousand requests of over 200 bytes each.
 * - Entries, such as the rules before a change, last: when their file leaves, the newest of each group move to
 *   `0.ndjson`. Only this needs a lock. A later line with the same id drops an entry.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../files/file-problem'
import type { Account } from '../account'
import { openStateFolder } from '../state-subfolders'

/** A line that outlives its file. */
export interface LedgerEntry {
  id: string
  /** Kind and object: `rules 9100`. */
  group: string
  /** Host of its service, encoded; `sandbox` without one. Earlier builds have a context before it: `prod@api.example.net`. */
  account: string
  readonly [field: string]: unknown
}

export const openLedgerFolder = (account: Account) => openStateFolder('history', account)

export const pathOf = (folder: string, number: number) => join(folder, `${number}.ndjson`)

const numbered = /^(0|[1-9]\d{0,8})\.ndjson$/

export function numbersIn(folder: string): number[] {
  const names = attempt('read', folder, () => readdirSync(folder))
  return names.filter((name) => numbered.test(name)).map((name) => Number.parseInt(name, 10))
}
