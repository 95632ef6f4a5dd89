/**
 * Database of the sandbox: all tables, kept in a storage. A request's changes are committed or rolled back together, and
 * committed changes can be saved.
 */
import { type Identified, type SavedTable, Table, type TableOptions } from './table'

export type SavedTables = Readonly<Record<string, SavedTable>>

export class Tables {
  readonly #tables = new Map<string, Table<Identified, object>>()

  add<R extends Identified, New extends object>(name: string, behaviour: TableOptions<R, New>): Table<R, New> {
    const table = new Table(behaviour)
    this.#tables.set(name, table)
    return table
  }

  get(name: string): Table<Identified, object> | undefined {
    return this.#tables.get(name)
  }

  /** Runs `work`, then `keep` if it changed something. If either throws, all tables are rolled back. */
  change<T>(work: () => T, keep: () => void = () => {}): T {
    const before = [...this.#tables.values()].map((table) => ({ table, saved: table.saved }))
    try {
      const result = work()
      if (before.some(({ table, saved }) => table.saved.records !== saved.records)) keep()
      return result
    } catch (error) {
      for (const { table, saved } of before) table.load(saved)
      throw error
    }
  }

  /** Runs `work`; throws if it changes anything. */
  read<T>(work: () => T): T {
    return this.change(work, () => {
      throw new Error('a read changed a table')
    })
  }

  /** Replaces the contents of all tables. Those of a newer version are kept, so that saving does not lose them. */
  load(saved: SavedTables): void {
    for (const name of Object.keys(saved)) if (!this.#tables.has(name)) this.add<Identified, object>(name, unused)
    for (const [name, table] of this.#tables) table.load(saved[name] ?? { last_id: 0, records: [] })
  }

  /** Returns the contents of all tables that were used. */
  get saved(): SavedTables {
    const used = [...this.#tables].map(([name, { saved }]) => [name, saved] as const)
    return Object.fromEntries(used.filter(([, { last_id }]) => last_id > 0))
  }
}

/** Behaviour of a table whose records this version neither reads nor changes. */
const unused: TableOptions<Identified, object> = {
  settle: (record) => record,
  complete: (input) => ({ id: 0, ...input }),
}

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
