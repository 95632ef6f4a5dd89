/**
 * Storage in a state file, shared by processes or locked by one: all tables as one JSON document, which each change
 * replaces. A killed process leaves the document before or after its change. It is not synced (fsync), so a power failure
 * may lose the last requests. Since the file is never half written, readers need no lock.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { withoutByteOrderMark } from '../files/byte-order-mark'
import { attempt } from '../files/file-problem'
import { makeFolder } from '../files/folder'
import { holdLock, withLock } from '../files/lock'
import { regularStatus } from '../files/named-file'
import { isNewer, newerFile } from '../files/newer-format'
import { randomMark, replaceByDraft, sweepTemporaries } from '../files/temporary'
import { isRecord } from '../rules/records'
import { serializeByKey } from '../rules/serialize-by-key'
import type { SavedTables, State, Storage, Tables } from './database'
import type { SavedTable } from './table'

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

/** Format version. Raise it when records change, so that old files are not misread. */
const version = 3

/** Matches the start of a file. Its random mark tells the document from another one, as after a reset. */
const startPattern = /^\{"skyctl_sandbox":(\d{1,9})(,"mark":"[0-9a-f]{16}")?/
const startLength = 64

class StateFile {
  /** Start of the document that the tables hold. */
  #start = ''

  constructor(
    private readonly path: string,
    private readonly tables: Tables,
    private readonly seed: () => void,
  ) {}

  /** True if the file exists and is not empty. */
  get isThere(): boolean {
    return attempt('open', this.path, () => existsSync(this.path) && regularStatus(this.path).size > 0)
  }

  read<T>(work: () => T): T {
    this.#refresh()
    return this.tables.read(work)
  }

  /** Runs a change; the caller must hold the lock. */
  change<T>(work: () => T): T {
    if (this.isThere) this.#refresh()
    else {
      this.tables.load({})
      this.seed()
      sweepTemporaries(this.path)
      this.#write()
    }
    return this.tables.change(work, () => this.#write())
  }

  /** Loads the document if it is not the one that the tables hold. */
  #refresh(): void {
    const { path } = this
    regularStatus(path)
    const file = attempt('open', path, () => openSync(path, 'r'))
    try {
      if (startOf(file) !== this.#start) {
        const text = withoutByteOrderMark(readFileSync(file, 'utf8'))
        this.tables.load(tablesIn(text, path))
        this.#start = text.slice(0, startLength)
      }
    } finally {
      closeSync(file)
    }
  }

  #write(): void {
    const text = `{"skyctl_sandbox":${version},"mark":"${randomMark()}","tables":${JSON.stringify(this.tables.saved)}}\n`
    attempt('write', this.path, () =>
      replaceByDraft(this.path, (draft) => writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })),
    )
    this.#start = text.slice(0, startLength)
  }
}

/** Reads the start of a file, without moving its position. */
function startOf(file: number): string {
  const bytes = Buffer.alloc(startLength + 3)
  const length = readSync(file, bytes, 0, bytes.length, 0)
  return withoutByteOrderMark(bytes.toString('utf8', 0, length)).slice(0, startLength)
}

function tablesIn(text: string, path: string): SavedTables {
  const [, number, mark] = startPattern.exec(text) ?? []
  if (isNewer(Number(number), version)) throw newerFile(path, 'name another file, or set SKYCTL_STATE_DIR')
  if (mark === undefined) throw notAStateFile(path)
  if (Number(number) !== version)
    throw new Problem('local', `${path} was written by another version of skyctl`, { hint: beginAnew })
  const { tables } = parsed(text, path)
  if (areSavedTables(tables)) return tables
  throw damaged(path)
}

function parsed(text: string, path: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(path, error)
  }
}

const isSavedTable = (value: unknown): value is SavedTable =>
  isRecord(value) && typeof value.last_id === 'number' && Array.isArray(value.records) && value.records.every(isRecord)

const areSavedTables = (value: unknown): value is SavedTables =>
  isRecord(value) && Object.values(value).every(isSavedTable)

/** Reports whether a text begins like a state file of any version. */
const isStateFile = (text: string) => startPattern.exec(withoutByteOrderMark(text))?.[2] !== undefined

const beginAnew = 'Reset it with skyctl sandbox reset, or name another file'

function notAStateFile(path: string): Problem {
  return new Problem('local', `${path} is not a sandbox state file`, { hint: 'Name another file, or remove this one' })
}

const damaged = (path: string, cause?: unknown) =>
  new Problem('local', `${path} is damaged`, { hint: beginAnew, cause })
