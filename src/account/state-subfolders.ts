/** Opens subfolders of the state folder, for persistent data and for locks between processes of this machine. */
import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { join, sep } from 'node:path'
import { ignoreProblem, Problem } from '../errors'
import { deferWarnings } from '../files/deferred-warnings'
import { attempt } from '../files/file-problem'
import { openPrivateFolder, openState, withStateHint } from '../files/folder'
import { sweepFolder } from '../files/temporary'
import type { Account } from './account'

/** Purposes of the folders, for errors. */
const purposes: Readonly<Record<string, string>> = {
  drafts: 'skyctl keeps edited text there until it is sent',
  history: 'skyctl keeps the history there',
}

/** Opens or creates a subfolder; throws `local` if that fails, or if other users could access it. */
export async function openStateFolder(name: string, account: Account): Promise<string> {
  try {
    return await open(name, account)
  } catch (error) {
    const [kind = ''] = name.split(sep)
    const why = purposes[kind]
    if (!(error instanceof Problem) || why === undefined) throw error
    throw withStateHint(error.with({ message: `${error.message}; ${why}` }))
  }
}

async function open(name: string, account: Account): Promise<string> {
  return deferWarnings(account.reporter, (warn) => {
    const { state } = account.local.paths
    const folder = join(state, name)
    openState(state, warn)
    openPrivateFolder({ path: folder }, warn)
    sweepFolder(folder)
    return folder
  })
}

/**
 * Opens a subfolder if possible. If nothing can be stored (no home, a read-only file system), it warns with `loss` and
 * resolves to undefined: a container needs no disk. A full disk throws, since data to be kept there was promised.
 */
export async function stateFolderIfAny(name: string, account: Account, loss: string): Promise<string | undefined> {
  try {
    const folder = await open(name, account)
    attempt('write to', folder, () => accessSync(folder, constants.W_OK | constants.X_OK))
    return folder
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await account.reporter.warn(`${loss}: ${error.message}`)
    return undefined
  }
}

/**
 * Runs the work while no other process of this machine runs work of the same name. With `patienceMs` it waits no longer
 * than that for another process, which may be stopped, and then continues without the lock.
 */
export async function oneAtATime<T>(
  name: string,
  account: Account,
  work: () => Promise<T>,
  patienceMs?: number,
): Promise<T> {
  const folder = await stateFolderIfAny('locks', account, 'another skyctl may change the same object meanwhile')
  if (folder === undefined) return work()
  const { holdLock, withLock } = await import('../files/lock')
  const path = join(folder, `${name}.lock`)
  const { signal } = account
  if (patienceMs === undefined) return withLock(path, work, { waitMs: 60_000, signal })
  const lock = await holdLock(path, { waitMs: patienceMs, signal }).catch(ignoreProblem)
  try {
    return await work()
  } finally {
    lock?.release()
  }
}

/** Returns the lock name for a verb on a resource of the service. */
export async function lockName(verb: string, what: readonly unknown[], account: Account): Promise<string> {
  const { baseUrl } = await account.access.signedIn()
  const sandbox = (await account.access.credential()).sandbox
  const text = JSON.stringify([sandbox ? 'sandbox' : new URL(baseUrl).origin, ...what])
  return `${verb}-${createHash('sha256').update(text).digest('hex')}`
}
