import type { Tables } from './all-tables'

/** Where the world is kept. It is opened once, with `seed` to fill the tables where nothing was kept yet. */
export type Storage = (tables: Tables, seed: () => void) => Promise<State>

export interface State {
  /** Runs `work` on the newest state. What it changes is kept before this resolves; where it throws, nothing is. */
  transaction<T>(work: () => T): Promise<T>
  /** The same for what changes nothing: nobody is waited for. */
  read<T>(work: () => T): Promise<T>
  close(): Promise<void>
}

/** The world ends with the sandbox. */
export const inMemory: Storage = async (tables, seed) => {
  seed()
  return {
    transaction: async (work) => tables.change(work),
    read: async (work) => tables.read(work),
    close: async () => {},
  }
}
