/**
 * The records of the world, table by table. Every change is noted, so that a request is kept as a whole or undone as
 * a whole, and what is kept can be written down.
 */
import { type Behaviour, type Identified, type Kept, type Note, type Row, Table } from './table'

/** The record that now stands under an id; null: it was deleted. */
export type KeptRecord = readonly [table: string, id: number, record: object | null]

export class Tables {
  readonly #tables = new Map<string, Table<Identified, object>>()
  #kept: Kept = nothingKept
  #noted: { table: string; id: number; undo: () => void }[] = []

  add<R extends Identified, New extends object>(name: string, behaviour: Behaviour<R, New>): Table<R, New> {
    const note: Note = (id, undo) => this.#noted.push({ table: name, id, undo })
    const table = new Table(behaviour, note, () => this.#kept)
    this.#tables.set(name, table)
    return table
  }

  /** Runs `work`, then gives its changes to `keep`. Where either throws, the tables are as they were before. */
  change<T>(work: () => T, keep: (changes: KeptRecord[]) => void = () => {}): T {
    this.#noted = []
    try {
      const result = work()
      if (this.#noted.length > 0)
        keep(this.#noted.map(({ table, id }) => [table, id, this.#tables.get(table)?.get(id) ?? null]))
      return result
    } catch (error) {
      for (const { undo } of this.#noted.reverse()) undo()
      throw error
    } finally {
      this.#noted = []
    }
  }

  /** Runs what changes nothing. */
  read<T>(work: () => T): T {
    return this.change(work, () => {
      throw new Error('what was to be read only was changed')
    })
  }

  /** Empties all tables, to be filled anew: with what these lines keep, too, where there are any. */
  clear(kept: Kept = nothingKept): void {
    for (const table of this.#tables.values()) table.clear()
    this.#kept = kept
  }

  /** Repeats a change that was kept earlier. */
  load([table, id, record]: KeptRecord): void {
    this.#tables.get(table)?.load(id, record as Identified | null)
  }

  /** The same for one whose record is read when it is asked for, from this line of what is kept. */
  place(table: string, id: number, line: number): void {
    this.#tables.get(table)?.load(id, line)
  }

  /** The changes that lead from nothing to the present state. */
  *contents(): Iterable<KeptRecord> {
    for (const [name, id, row] of this.#rows()) yield [name, id, typeof row === 'number' ? this.#kept.read(row) : row]
  }

  /** The same as lines of a file. */
  *lines(): Iterable<string> {
    for (const [name, id, row] of this.#rows())
      yield typeof row === 'number' ? this.#kept.textOf(row) : lineOf(name, id, row)
  }

  /** About how many bytes lines keep for nothing, since what they say was replaced. */
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

  *#rows(): Iterable<[table: string, id: number, row: Row<Identified> | null]> {
    for (const [name, table] of this.#tables) for (const [id, row] of table.contents()) yield [name, id, row]
  }
}

const lineOf = (...change: KeptRecord) => `${JSON.stringify([change])}\n`

const nothingKept: Kept = {
  read() {
    throw new Error('nothing is kept')
  },
  holding: () => new Set(),
  textOf: () => '',
  lengthOf: () => 0,
}
