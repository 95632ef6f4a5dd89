/** The world in a file (./journal-file): shared by processes that work on it at the same time, or held by one. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { makeFolder } from '../files/folder'
import { holdLock, withLock } from '../files/lock'
import { regularStatus } from '../files/named'
import { withoutMark } from '../files/text'
import { headerPattern, Journal, notOurs } from './journal-file'
import type { State, Storage } from './storage'

/** Several processes work on the file at the same time: each request takes the lock and catches up with the others. */
export function sharedFile(path: string): Storage {
  return async (tables, seed) => {
    makeFolder(dirname(path))
    const journal = new Journal(path, tables, seed)
    const inTurn = turns()
    const change = <T>(work: () => T) => withLock(lockOf(path), () => journal.change(work))
    const state: State = {
      transaction: (work) => inTurn(() => change(work)),
      // A world that is not there yet is written by one of those who want to read it.
      read: (work) => inTurn(() => (journal.isThere ? journal.read(work) : change(work))),
      close: async () => {},
    }
    await state.read(() => {})
    return state
  }
}

/** The file belongs to this sandbox until it closes; where another one has it, Problem `local`. */
export function heldFile(path: string): Storage {
  return async (tables, seed) => {
    makeFolder(dirname(path))
    const lock = await holdLock(lockOf(path), { waitMs: briefly })
    const journal = new Journal(path, tables, seed)
    const inTurn = turns()
    const change = <T>(work: () => T) => {
      if (lock.isHeld()) return journal.change(work)
      throw new Problem('local', `${path} was taken over by another sandbox while this one stood still`)
    }
    const transaction: State['transaction'] = (work) => inTurn(() => change(work))
    const read: State['read'] = (work) => inTurn(() => journal.read(work))
    const close = () => inTurn(() => lock.release())
    await transaction(() => {}).catch(async (error) => {
      await close()
      throw error
    })
    return { transaction, read, close }
  }
}

/** Forgets the world in a file: the next sandbox on it begins with the seed. */
export async function resetState(path: string): Promise<void> {
  if (!existsSync(path)) return
  const remove = () => {
    regularStatus(path)
    const [header = ''] = withoutMark(readFileSync(path, 'utf8')).split('\n', 1)
    if (header !== '' && !headerPattern.test(header)) throw notOurs(path)
    rmSync(path, { force: true })
  }
  await withLock(lockOf(path), remove, { waitMs: briefly })
}

/** Who shares a file has its lock for a moment, who holds it for long; milliseconds. */
const briefly = 500

const lockOf = (path: string) => `${path}.lock`

/** Requests of one process wait for each other here, not at the lock, which has no queue. */
function turns(): <T>(run: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }
}
