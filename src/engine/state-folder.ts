/** Folders of our own below the state folder, for what must last and for locks between processes of this machine. */
import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { join, sep } from 'node:path'
import { Problem, passOver } from '../errors'
import { openPrivateFolder } from '../files/folder'
import { holdLock, withLock } from '../files/lock'
import { fileProblem } from '../files/problem'
import { openState } from '../files/state'
import { sweepFolder } from '../files/temporary'
import type { Session } from '../session'
import { heard } from './heard'

/** What is kept in which folder, for a person who has none. */
const kept: Readonly<Record<string, string>> = {
  drafts: 'what is edited is kept there until it is sent',
  history: 'what is changed from here is kept there',
  rules: 'the rules that stood before each change are kept there',
}

/** Makes the folder where it is not there yet; throws `local` where it cannot be, or would not be ours alone. */
export async function openStateFolder(name: string, session: Session): Promise<string> {
  try {
    return await open(name, session)
  } catch (error) {
    const [kind = ''] = name.split(sep)
    const why = kept[kind]
    if (!(error instanceof Problem) || why === undefined) throw error
    const hint = error.details.hint ?? 'Name a folder that can be written with SKYCTL_STATE_DIR'
    throw new Problem(error.code, `${error.message}; ${why}`, { ...error.details, hint, cause: error })
  }
}

async function open(name: string, session: Session): Promise<string> {
  return heard(session, (warn) => {
    const { state } = session.paths
    const folder = join(state, name)
    openState(state, warn)
    openPrivateFolder({ path: folder }, warn)
    sweepFolder(folder)
    return folder
  })
}

/**
 * The same; where nothing can be kept (no home, a file system that is only read), `loss` is said of it, and it is no
 * reason to stop: a container needs nothing on disk. A full disk is one, since what is to be kept there is promised.
 */
export async function stateFolderIfAny(name: string, session: Session, loss: string): Promise<string | undefined> {
  try {
    const folder = await open(name, session)
    refuseReadOnly(folder)
    return folder
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await session.warn(`${loss}: ${error.message}`)
    return undefined
  }
}

function refuseReadOnly(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw fileProblem('write to', folder, error)
  }
}

/**
 * Does something while no other process of this machine does what has the same name. With `patienceMs` it waits no
 * longer than that for one that does, which may be stopped, and then goes on beside it.
 */
export async function oneAtATime<T>(
  name: string,
  session: Session,
  work: () => Promise<T>,
  patienceMs?: number,
): Promise<T> {
  const folder = await stateFolderIfAny('locks', session, 'other processes are not waited for')
  if (folder === undefined) return work()
  const path = join(folder, `${name}.lock`)
  const { signal } = session
  if (patienceMs === undefined) return withLock(path, work, { waitMs: 60_000, signal })
  const lock = await holdLock(path, { waitMs: patienceMs, signal }).catch(passOver)
  try {
    return await work()
  } finally {
    lock?.release()
  }
}

/** A name that is the same for all that do the same to the same thing of the same service. */
export async function lockName(verb: string, what: readonly unknown[], session: Session): Promise<string> {
  const { baseUrl } = await session.signedIn()
  const sandbox = (await session.credential()).sandbox
  const text = JSON.stringify([sandbox ? 'sandbox' : new URL(baseUrl).origin, ...what])
  return `${verb}-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}
