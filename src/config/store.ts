import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ifPossible, Problem } from '../errors'
import { checkPrivateFolder, openPrivateFolder } from '../files/folder'
import { tryLock, withLock } from '../files/lock'
import type { Warn } from '../files/own'
import { readPrivately } from '../files/private'
import { fileProblem } from '../files/problem'
import { sweepTemporaries, temporariesOf, temporaryFor } from '../files/temporary'
import { writePrivately } from '../files/write'
import { type Config, parseConfig, toRecord } from './contexts'
import type { Paths } from './paths'

export type { Config, StoredContext } from './contexts'

/** Hears, a sentence at a time, what was found wrong on disk and repaired. */
export interface StoreOptions {
  warn: Warn
}

/**
 * The contexts as they stand on disk; empty where nothing was stored. It repairs what killed or damaged writes left.
 * Parses the file itself: loading conf would cost more than the whole command (performance.md 4).
 */
export function readConfig({ config: folder, file }: Paths, { warn }: StoreOptions): Config {
  if (!checkPrivateFolder({ path: folder, ours }, warn)) return empty()
  if (temporariesOf(file).length > 0) whileFree(file, () => sweepTemporaries(file))
  const text = readPrivately(file, warn)
  if (text === undefined) return empty()
  return parseConfig(text) ?? recover(file, warn)
}

/**
 * Lets `change` alter the contexts as they stand on disk now, and stores them. No other process changes them
 * meanwhile. When it throws, the file is as it was.
 */
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
    const config = text === undefined ? empty() : (parseConfig(text) ?? restore(file, warn))
    change(config)
    save(file, serialise(Conf, file, config))
    return config
  })
}

/**
 * What conf writes for this configuration, taken from a draft that nobody else sees. What conf does here that plain fs
 * would not: it owns the format, as it does the place (paths.ts), so that whatever uses conf finds and reads the
 * contexts. It is kept from the file itself: it follows symbolic links, loses changes that are made at once, and
 * leaves half a file on a full disk.
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
    // conf reports success on a full disk, whatever it could write.
    if (drafted && JSON.stringify(toRecord(drafted)) === JSON.stringify(record)) return text
    throw new Problem('local', `cannot write ${file}: its draft is incomplete`)
  } catch (error) {
    throw fileProblem('write', file, error)
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** The backup is the file's own content once more. An older one goes first: it may hold a token that was removed. */
function save(file: string, text: string): void {
  rmSync(backupOf(file), { force: true })
  writePrivately(file, text)
  writePrivately(backupOf(file), text)
}

/** What a damaged file held, from its backup; the file itself is restored where that is possible now. */
function recover(file: string, warn: Warn): Config {
  return whileFree(file, () => restore(file, warn)) ?? backup(file, warn)
}

/** Keeps a damaged file aside and puts its backup in its place. The caller holds the lock. */
function restore(file: string, warn: Warn): Config {
  const damaged = readPrivately(file, warn) ?? ''
  const repaired = parseConfig(damaged)
  if (repaired) return repaired
  const aside = `${file}.corrupt-${Date.now()}`
  writePrivately(aside, damaged)
  const config = backup(file, warn)
  writePrivately(file, JSON.stringify(toRecord(config), null, '\t'))
  warn(`the damaged file is kept as ${aside}`)
  return config
}

function backup(file: string, warn: Warn): Config {
  const saved = parseConfig(readPrivately(backupOf(file), warn) ?? '')
  warn(`${file} is damaged: ${saved ? 'its backup is used' : 'it has no backup, so no context is known'}`)
  return saved ?? empty()
}

/** Runs a repair if no other process is writing; a folder that cannot be written stays as it is. */
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

/** The contexts file and what stands beside it: the lock, the backup, what was damaged. */
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
