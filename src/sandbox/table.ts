/**
 * The records of the world, table by table. Every change is noted, so that a request is kept as a whole or undone as
 * a whole, and what is kept can be written down.
 */

/** The record that now stands under an id; null: it was deleted. */
export type KeptRecord = readonly [table: string, id: number, record: object | null]

export interface Identified {
  id: number
}

/** Takes down how to undo a change, before it is made. */
type Note = (id: number, undo: () => void) => void

interface Behaviour<R, New> {
  /** How many records are kept: with one more, the oldest is deleted. */
  most?: number | undefined
  /** Brings a record up to the present when it is read: states that end with time need no one to end them. */
  settle(record: R): R
  /** Gives a new record what it was made without. */
  complete(given: New): R
}

export class Table<R extends Identified, New extends object = R> {
  /** By id ascending: a page of a large collection is read without sorting or copying it. */
  readonly #records: R[] = []
  readonly #note: Note
  readonly #behaviour: Behaviour<R, New>
  #lastId = 0

  constructor(note: Note, behaviour: Behaviour<R, New>) {
    this.#note = note
    this.#behaviour = behaviour
  }

  get(id: number): R | undefined {
    const record = this.#kept(id)
    return record && this.#behaviour.settle(record)
  }

  /** All records, by id ascending. */
  all(): R[] {
    return this.#records.map((record) => this.#behaviour.settle(record))
  }

  get size(): number {
    return this.#records.length
  }

  /** Makes a record; what is left out is as usual. */
  add(given: New): R {
    return this.put(this.#behaviour.complete(given))
  }

  put(record: R): R {
    this.#note(record.id, this.#undo(record.id))
    this.load(record.id, record)
    const [oldest] = this.#records
    if (oldest && this.#records.length > (this.#behaviour.most ?? Number.POSITIVE_INFINITY)) this.delete(oldest.id)
    return record
  }

  delete(id: number): void {
    this.#note(id, this.#undo(id))
    this.load(id, null)
  }

  /** An id is never given twice, not even after its record was deleted. */
  nextId(): number {
    return this.#lastId + 1
  }

  /** Sets what stands under an id without noting it. */
  load(id: number, record: R | null): void {
    this.#lastId = Math.max(this.#lastId, id)
    const position = this.#position(id)
    const present = this.#records[position]?.id === id ? 1 : 0
    if (record === null) this.#records.splice(position, present)
    else this.#records.splice(position, present, record)
  }

  clear(): void {
    this.#records.length = 0
    this.#lastId = 0
  }

  /** What is needed to build the table again, the last id included. */
  *contents(): Iterable<[id: number, record: R | null]> {
    for (const record of this.#records) yield [record.id, record]
    if (this.#lastId > 0 && this.#records.at(-1)?.id !== this.#lastId) yield [this.#lastId, null]
  }

  /** What leads back from a change to the present, in which an id that is not kept is not spent either. */
  #undo(id: number): () => void {
    const before = this.#kept(id) ?? null
    const lastId = this.#lastId
    return () => {
      this.load(id, before)
      this.#lastId = lastId
    }
  }

  #kept(id: number): R | undefined {
    const record = this.#records[this.#position(id)]
    return record?.id === id ? record : undefined
  }

  /** Where an id stands, or would stand. */
  #position(id: number): number {
    let low = 0
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#records[middle] as R).id < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

export class Tables {
  readonly #tables = new Map<string, Table<Identified, object>>()
  #noted: { table: string; id: number; undo: () => void }[] = []

  add<R extends Identified, New extends object>(name: string, behaviour: Behaviour<R, New>): Table<R, New> {
    const table = new Table((id, undo) => this.#noted.push({ table: name, id, undo }), behaviour)
    // A table takes only what it gave: what is loaded under its name was put into it before, here or in another process.
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

  /** Repeats a change that was kept earlier. */
  load([table, id, record]: KeptRecord): void {
    this.#tables.get(table)?.load(id, record as Identified | null)
  }

  clear(): void {
    for (const table of this.#tables.values()) table.clear()
  }

  /** The changes that lead from nothing to the present state. */
  *contents(): Iterable<KeptRecord> {
    for (const [name, table] of this.#tables) for (const [id, record] of table.contents()) yield [name, id, record]
  }

  get size(): number {
    let size = 0
    for (const table of this.#tables.values()) size += table.size
    return size
  }
}
