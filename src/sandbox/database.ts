/**
 * Database of the sandbox: all tables with their change log, kept in a storage. A request's changes are committed or
 * rolled back together, and committed changes can be saved.
 */

import {
  type Identified,
  type RecordSource,
  type RegisterUndo,
  type StoredRow,
  Table,
  type TableOptions,
} from './table'

/** Saved state of one record; null if the record was deleted. */
export type KeptRecord = readonly [table: string, id: number, record: Identified | null]

/** A change of a request, and how to undo it. */
interface Noted {
  table: string
  id: number
  undo: () => void
}

export class Tables {
  readonly #tables = new Map<string, Table<Identified, object>>()
  #source: RecordSource = emptySource
  /** Changes of the running request; undefined outside of one, as while a seed fills the tables. */
  #noted: Noted[] | undefined

  add<R extends Identified, New extends object>(name: string, behaviour: TableOptions<R, New>): Table<R, New> {
    const note: RegisterUndo = (id, undoOf) => this.#noted?.push({ table: name, id, undo: undoOf(id) })
    const table = new Table(behaviour, note, () => this.#source)
    this.#tables.set(name, table)
    return table
  }

  /** Runs `work`, then passes its changes to `keep`. If either throws, all tables are rolled back. */
  change<T>(work: () => T, keep: (changes: KeptRecord[]) => void = () => {}): T {
    const noted: Noted[] = []
    this.#noted = noted
    try {
      const result = work()
      if (noted.length > 0) keep(noted.map(({ table, id }) => [table, id, this.#tables.get(table)?.get(id) ?? null]))
      return result
    } catch (error) {
      for (const { undo } of noted.reverse()) undo()
      throw error
    } finally {
      this.#noted = undefined
    }
  }

  /** Runs `work`; throws if it changes anything. */
  read<T>(work: () => T): T {
    return this.change(work, () => {
      throw new Error('a read changed a table')
    })
  }

  /** Empties all tables before reloading; `source` holds saved lines from which records are read on demand. */
  clear(source: RecordSource = emptySource): void {
    for (const table of this.#tables.values()) table.clear()
    this.#source = source
  }

  /** Replays a saved change. */
  load([table, id, record]: KeptRecord): void {
    this.#table(table).load(id, record)
  }

  /** Returns a function that registers a saved record by its line; the record is parsed on first access. */
  loaderOf(name: string): (id: number, line: number) => void {
    const table = this.#table(name)
    return (id, line) => table.load(id, line)
  }

  /** Returns a table by its name. A table of a newer version is kept, so that a compaction does not lose its records. */
  #table(name: string): Table<Identified, object> {
    return this.#tables.get(name) ?? this.add<Identified, object>(name, unused)
  }

  /** Lists the changes that rebuild the current state from nothing. */
  *contents(): Iterable<KeptRecord> {
    for (const [name, id, row] of this.#rows()) yield [name, id, typeof row === 'number' ? this.#source.read(row) : row]
  }

  /** Lists the current state as lines of a file. */
  *lines(): Iterable<string> {
    for (const [name, id, row] of this.#rows())
      yield typeof row === 'number' ? this.#source.textOf(row) : lineOf(name, id, row)
  }

  /** Approximate number of bytes in saved lines that later changes made obsolete. */
  get spent(): number {
    let spent = 0
    for (const table of this.#tables.values()) spent += table.spent
    return spent
  }

  get size(): number {
    let size = 0
    for (const table of this.#tables.values()) size += table.size
    return size
  }

  *#rows(): Iterable<[table: string, id: number, row: StoredRow<Identified> | null]> {
    for (const [name, table] of this.#tables) for (const [id, row] of table.contents()) yield [name, id, row]
  }
}

/** Behaviour of a table whose records this version neither reads nor changes. */
const unused: TableOptions<Identified, object> = {
  settle: (record) => record,
  complete: (input) => ({ id: 0, ...input }),
}

const lineOf = (...change: KeptRecord) => `${JSON.stringify([change])}\n`

const nothing = () => {
  throw new Error('nothing is kept')
}

const emptySource: RecordSource = { read: nothing, holding: () => new Set(), textOf: nothing, lengthOf: nothing }

/** Opens the storage once; `seed` fills the tables if nothing was saved yet. */
export type Storage = (tables: Tables, seed: () => void) => Promise<State>

export interface State {
  /** Runs `work` on the latest state. Changes are saved before this resolves; if `work` throws, nothing is saved. */
  transaction<T>(work: () => T): Promise<T>
  /** Runs `work` without changes; it needs no lock. */
  read<T>(work: () => T): Promise<T>
  close(): Promise<void>
}

/** Keeps the state in memory until the sandbox closes. */
export const inMemory: Storage = async (tables, seed) => {
  seed()
  return {
    transaction: async (work) => tables.change(work),
    read: async (work) => tables.read(work),
    close: async () => {},
  }
}
