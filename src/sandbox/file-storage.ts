/** Storage in a state file (./state-file), shared by processes or locked by one. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { makeFolder } from '../files/folder'
import { holdLock, withLock } from '../files/lock'
import { regularStatus } from '../files/named-file'
import { serializeByKey } from '../rules/serialize-by-key'
import type { State, Storage } from './database'
import { isStateFile, notAStateFile, StateFile } from './state-file'

/** Shares a file between processes: each request takes the lock and loads the others' changes. */
export function sharedFile(path: string): Storage {
  return async (tables, seed) => {
    makeFolder(dirname(path))
    const file = new StateFile(path, tables, seed)
    const inTurn = turns()
    const change = <T>(work: () => T) => withLock(lockOf(path), () => file.change(work))
    const state: State = {
      transaction: (work) => inTurn(() => change(work)),
      // A reader creates a missing file itself.
      read: (work) => inTurn(() => (file.isThere ? file.read(work) : change(work))),
      close: async () => {},
    }
    await state.read(() => {})
    return state
  }
}

/** Locks the file until the sandbox closes; Problem `local` if another sandbox holds it. */
export function heldFile(path: string): Storage {
  return async (tables, seed) => {
    makeFolder(dirname(path))
    const lock = await holdLock(lockOf(path), { waitMs: briefly })
    const file = new StateFile(path, tables, seed)
    const inTurn = turns()
    const change = <T>(work: () => T) => {
      if (lock.isHeld()) return file.change(work)
      throw new Problem('local', `${path} was taken over by another sandbox while this one was suspended`)
    }
    const transaction: State['transaction'] = (work) => inTurn(() => change(work))
    const read: State['read'] = (work) => inTurn(() => file.read(work))
    const close = () => inTurn(() => lock.release())
    await transaction(() => {}).catch(async (error) => {
      await close()
      throw error
    })
    return { transaction, read, close }
  }
}

/** Deletes the data in a file; the next sandbox starts with the seed. */
export async function resetState(path: string): Promise<void> {
  if (!existsSync(path)) return
  const remove = () => {
    regularStatus(path)
    const text = readFileSync(path, 'utf8')
    if (text !== '' && !isStateFile(text)) throw notAStateFile(path)
    rmSync(path, { force: true })
  }
  await withLock(lockOf(path), remove, { waitMs: briefly })
}

/** Waiting time for the lock in milliseconds. Sharing processes hold it for moments; only `heldFile` keeps it. */
const briefly = 500

const lockOf = (path: string) => `${path}.lock`

/** Queues the requests of one process, because the file lock has no queue. */
function turns(): <T>(run: () => T | Promise<T>) => Promise<T> {
  const serialize = serializeByKey()
  return (run) => serialize('file', async () => run())
}
