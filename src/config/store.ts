import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ifPossible, Problem } from '../errors'
import { checkPrivateFolder, openPrivateFolder } from '../files/folder'
import { tryLock, withLock } from '../files/lock'
import { isNewer, newerFile } from '../files/newer'
import type { Warn } from '../files/ownership'
import { readPrivately } from '../files/private'
import { fileProblem } from '../files/problem'
import { sweepTemporaries, temporariesOf, temporaryFor } from '../files/temporary'
import { writePrivately } from '../files/write'
import { type Config, formatOf, parseConfig, toRecord } from './contexts'
import type { Paths } from './paths'

export type { Config, StoredContext } from './contexts'

/** Receives warnings about problems on disk that were fixed, one sentence each. */
export interface StoreOptions {
  warn: Warn
}

/**
 * Reads the contexts; empty if nothing was stored. Repairs leftovers of killed or damaged writes. Parses the file
 * itself: loading conf would take longer than the whole command (performance.md 4).
 */
export function readConfig({ config: folder, file }: Paths, { warn }: StoreOptions): Config {
  if (!checkPrivateFolder({ path: folder, ours }, warn)) return empty()
  if (temporariesOf(file).length > 0) whileFree(file, () => sweepTemporaries(file))
  const text = readPrivately(file, warn)
  if (text === undefined) return empty()
  return parsed(file, text) ?? recover(file, warn)
}

/** Applies `change` to the stored contexts under a lock and saves them. If it throws, the file is unchanged. */
export async function changeConfig(
  paths: Paths,
  change: (config: Config) => void,
  { warn }: StoreOptions,
): Promise<Config> {
  const { config: folder, file } = paths
  const { default: Conf } = await import('conf')
  openPrivateFolder({ path: folder, ours }, warn)
  return withLock(lockOf(file), () => {
    sweepTemporaries(file)
    const text = readPrivately(file, warn)
    const config = text === undefined ? empty() : (parsed(file, text) ?? restore(file, warn))
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
    const drafted = parseConfig(text)
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

/** Recovers contexts from the backup, and restores the damaged file if possible. */
function recover(file: string, warn: Warn): Config {
  return whileFree(file, () => restore(file, warn)) ?? backup(file, warn)
}

/** Keeps a copy of a damaged file and replaces it with its backup. The caller must hold the lock. */
function restore(file: string, warn: Warn): Config {
  const damaged = readPrivately(file, warn) ?? ''
  const repaired = parsed(file, damaged)
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

/** Parses contexts; undefined if they are damaged. Throws `local` for those of a newer version: a repair would lose them. */
function parsed(file: string, text: string): Config | undefined {
  if (isNewer(formatOf(text))) throw newerFile(file, 'set SKYCTL_CONFIG_DIR to another folder')
  return parseConfig(text)
}

function readBackup(file: string, warn: Warn): Config | undefined {
  return parsed(backupOf(file), readPrivately(backupOf(file), warn) ?? '')
}

function backup(file: string, warn: Warn): Config {
  const saved = readBackup(file, warn)
  warn(`${file} is damaged: ${saved ? 'its backup is used' : 'it has no backup, so no context is known'}`)
  return saved ?? empty()
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

/** File names in the folder: the contexts, their lock and backup, and damaged copies. */
const ours = /^contexts\.json(\.|$)/

function empty(): Config {
  return { contexts: new Map() }
}

function backupOf(file: string): string {
  return `${file}.bak`
}

function lockOf(file: string): string {
  return `${file}.lock`
}
