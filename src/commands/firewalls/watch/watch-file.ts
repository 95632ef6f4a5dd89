/**
 * The file of a watch: `watches/ID.ndjson` in the state folder. The first process and the watcher both append lines to
 * it, and nobody rewrites it, so both see the same order. It exists until the change is kept or its outcome is printed.
 * It has rules, but no secrets.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStateFolder } from '../../../account/state-subfolders'
import { formatJson } from '../../../data/json'
import type { Session } from '../../../engine/session'
import { hintedText, Problem } from '../../../errors'
import { deferWarnings } from '../../../files/deferred-warnings'
import { syncFile } from '../../../files/descriptors'
import { attempt } from '../../../files/file-problem'
import { newerFile } from '../../../files/newer-format'
import { openOwn } from '../../../files/ownership'
import { readPrivately } from '../../../files/private'
import { type Watch, watchIn } from './watch'

const folderName = 'watches'
const pathIn = (folder: string, id: string) => join(folder, `${id}.ndjson`)

/** An open file of a watch. Both processes can use it even if a third one removes it. */
export class WatchFile {
  private constructor(
    readonly path: string,
    private readonly file: number,
  ) {}

  static open(path: string, flags = 0): WatchFile {
    const opened = attempt('write', path, () => openOwn(path, constants.O_RDWR | constants.O_APPEND | flags))
    if ('unfit' in opened) throw new Problem('local', `${path} is not private: ${opened.unfit}`)
    return new WatchFile(path, opened.file)
  }

  /** Appends fields and returns the watch after them. The line break before them ends a line that was cut off. */
  async append(fields: Partial<Watch>): Promise<Watch> {
    const text = await formatJson(fields, 0)
    attempt('write', this.path, () => {
      writeFileSync(this.file, `\n${text}\n`)
      syncFile(this.file)
    })
    return this.read()
  }

  read(): Watch {
    const { size } = fstatSync(this.file)
    const bytes = Buffer.alloc(size)
    readSync(this.file, bytes, 0, size, 0)
    const watch = parsed(bytes.toString(), this.path)
    if (!watch) throw new Problem('local', `${this.path} is damaged`)
    return watch
  }

  isGone(): boolean {
    return fstatSync(this.file).nlink === 0
  }

  /** Reports whether a command has removed the file, because there is nothing to undo: not somebody the whole folder. */
  isWithdrawn(): boolean {
    return this.isGone() && existsSync(dirname(this.path))
  }

  remove(): void {
    removeWatch({ path: this.path, watch: this.read() })
  }

  close(): void {
    closeSync(this.file)
  }
}

/** Creates the file; in a temporary folder if the state folder cannot have it. Throws `local` if neither can. */
export async function createWatchFile(id: string, watch: Watch, session: Session): Promise<WatchFile> {
  try {
    return await created(pathIn(await openStateFolder(folderName, session.account), id), watch)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await session.ui.warn(`results of later undos are not printed: ${error.message}`)
    const temporary = mkdtempSync(join(tmpdir(), 'skyctl-'))
    return created(pathIn(temporary, id), { ...watch, temporary })
  }
}

async function created(path: string, watch: Watch): Promise<WatchFile> {
  const file = WatchFile.open(path, constants.O_CREAT | constants.O_EXCL)
  try {
    await file.append(watch)
    return file
  } catch (error) {
    file.close()
    rmSync(path, { force: true })
    throw error
  }
}

export interface StoredWatch {
  path: string
  watch: Watch
}

/** Reads the watches of all accounts; none if the folder is unreadable. */
export async function readWatches(session: Session): Promise<StoredWatch[]> {
  try {
    if (!existsSync(join(session.account.local.paths.state, folderName))) return []
    const folder = await openStateFolder(folderName, session.account)
    const watches: StoredWatch[] = []
    for (const name of readdirSync(folder).sort()) watches.push(...(await readWatch(join(folder, name), session)))
    return watches
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

/** Removes the file, which its processes may still have open. */
export function removeWatch({ path, watch: { temporary } }: StoredWatch): void {
  rmSync(temporary ?? path, { force: true, recursive: true })
}

/** Reads a watch; none for other files, or if another process has just removed it. */
async function readWatch(path: string, session: Session): Promise<StoredWatch[]> {
  if (!/[\\/][0-9a-f]{16}\.ndjson$/.test(path)) return []
  try {
    const text = await deferWarnings(session.ui, (warn) => readPrivately(path, warn))
    const watch = parsed(text ?? '', path)
    return watch ? [{ path, watch }] : []
  } catch (error) {
    // It may have a change that is not undone.
    if (error instanceof Problem) await session.ui.warn(`skipped a record of a change to undo: ${hintedText(error)}`)
    return []
  }
}

function parsed(text: string, path: string): Watch | undefined {
  const watch = watchIn(text)
  if (watch === 'newer') throw newerFile(path, 'run a command of that version')
  return watch
}
