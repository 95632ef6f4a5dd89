import type { Tables } from './database'

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
