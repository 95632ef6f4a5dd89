/** Backups of rules in the ledger of a home. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Backup {
  id: string
  group: string
  account: string
  user?: object
  before: object
  written: object
}

const fileIn = (home: string) => join(home, 'state/history/1.ndjson')
const linesIn = (home: string) =>
  (existsSync(fileIn(home)) ? readFileSync(fileIn(home), 'utf8') : '').split('\n').filter((line) => line !== '')
const isBackup = (line: string) => line.startsWith('{"id"')

/** Returns the backups that were not dropped, oldest first. */
export function backupsIn(home: string): Backup[] {
  const lines = linesIn(home)
  const backups = lines.filter(isBackup).map((line): Backup => JSON.parse(line))
  return backups.filter(({ id }) => !lines.includes(JSON.stringify({ drops: id })))
}

/** Edits the last backup. */
export function editBackup(home: string, edit: (backup: Backup) => object): void {
  const lines = linesIn(home)
  const last = lines.findLastIndex(isBackup)
  writeFileSync(
    fileIn(home),
    lines.map((line, index) => (index === last ? JSON.stringify(edit(JSON.parse(line))) : line)).join('\n\n'),
  )
}

/** Removes all backups. */
export function dropBackups(home: string): void {
  writeFileSync(
    fileIn(home),
    `${linesIn(home)
      .filter((line) => !isBackup(line))
      .join('\n')}\n`,
  )
}
