/** Changes the stored contexts, and repairs their file. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ifPossible, Problem } from '../errors'
import { fileProblem } from '../files/file-problem'
import { openPrivateFolder } from '../files/folder'
import { tryLock, withLock } from '../files/lock'
import type { Warn } from '../files/ownership'
import { readPrivately } from '../files/private'
import { sweepTemporaries, temporaryFor } from '../files/temporary'
import { writePrivately } from '../files/write'
import { type Config, noContexts } from './contexts'
import { contextsIn, ours, toRecord } from './contexts-file'
import type { Paths } from './paths'

/** Applies `change` to the stored contexts under a lock and saves them. If it throws, the file is unchanged. */
export async function changeConfig(
  paths: Paths,
  change: (config: Config) => void,
  { warn }: { warn: Warn },
): Promise<Config> {
  const { config: folder, file } = paths
  const { default: Conf } = await import('conf')
  openPrivateFolder({ path: folder, ours }, warn)
  return withLock(lockOf(file), () => {
    sweepTemporaries(file)
    const text = readPrivately(file, warn)
    const config = text === undefined ? noContexts() : (contextsIn(file, text) ?? restore(file, warn))
    change(config)
    save(file, serialise(Conf, file, config))
    return config
  })
}

/**
 * Formats the contexts with conf, in a private draft. Thus conf defines the format, as it does the location (paths.ts),
 * and other users of conf can read the contexts. conf never writes the file itself: it follows symbolic links, loses
 * concurrent changes, and leaves half a file on a full disk.
 */
function serialise(Conf: typeof import('conf').default, file: string, config: Config): string {
  const record = toRecord(config)
  const cwd = temporaryFor(file)
  try {
    mkdirSync(cwd, { mode: 0o700 })
    const conf = new Conf<Record<string, unknown>>({
      cwd,
      configName: 'contexts',
      configFileMode: 0o600,
    })
    conf.store = record
    const text = readFileSync(join(cwd, 'contexts.json'), 'utf8')
    const drafted = contextsIn(file, text)
    // conf reports success on a full disk, however much was written.
    if (drafted && JSON.stringify(toRecord(drafted)) === JSON.stringify(record)) return text
    throw new Problem('local', `cannot write ${file}: its draft is incomplete`)
  } catch (error) {
    throw fileProblem('write', file, error)
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** Saves the file and a backup copy. The old backup is removed first: it may contain a removed token. */
function save(file: string, text: string): void {
  rmSync(backupOf(file), { force: true })
  writePrivately(file, text)
  writePrivately(backupOf(file), text)
}

/** Removes the drafts of killed processes if no other process is writing. */
export function sweep(file: string): void {
  whileFree(file, () => sweepTemporaries(file))
}

/** Recovers contexts from the backup, and restores the damaged file if possible. */
export function recover(file: string, warn: Warn): Config {
  return whileFree(file, () => restore(file, warn)) ?? backup(file, warn)
}

/** Keeps a copy of a damaged file and replaces it with its backup. The caller must hold the lock. */
function restore(file: string, warn: Warn): Config {
  const damaged = readPrivately(file, warn) ?? ''
  const repaired = contextsIn(file, damaged)
  if (repaired) return repaired
  // Throws for a backup of a newer version, before every command makes another copy.
  readBackup(file, warn)
  const aside = `${file}.corrupt-${Date.now()}`
  writePrivately(aside, damaged)
  const config = backup(file, warn)
  writePrivately(file, JSON.stringify(toRecord(config), null, '\t'))
  warn(`the damaged file is kept as ${aside}`)
  return config
}

function readBackup(file: string, warn: Warn): Config | undefined {
  return contextsIn(backupOf(file), readPrivately(backupOf(file), warn) ?? '')
}

function backup(file: string, warn: Warn): Config {
  const saved = readBackup(file, warn)
  warn(`${file} is damaged: ${saved ? 'its backup is used' : 'it has no backup, so no context is known'}`)
  return saved ?? noContexts()
}

/** Runs a repair if no other process is writing. Does nothing if the folder is not writable. */
function whileFree<T>(file: string, repair: () => T): T | undefined {
  return ifPossible(() => {
    const lock = tryLock(lockOf(file))
    try {
      return lock && repair()
    } finally {
      lock?.release()
    }
  })
}

function backupOf(file: string): string {
  return `${file}.bak`
}

function lockOf(file: string): string {
  return `${file}.lock`
}
