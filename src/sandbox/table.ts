/** The records of one kind. One that was kept earlier is read when it is asked for. */

export interface Identified {
  id: number
}

/** The lines of a file, as far as each keeps one record. A line is named by a number. */
export interface Kept {
  /** The record of a line; Problem `local` where that is damaged. */
  read(line: number): Identified
  /** The lines in which a text stands. */
  holding(text: string): ReadonlySet<number>
  /** With the end of the line. */
  textOf(line: number): string
  /** The same in bytes. */
  lengthOf(line: number): number
}

/** A record, or the line that keeps it until it is asked for. */
export type Row<R> = R | number

/** Takes down how to undo a change, before it is made. */
export type Note = (id: number, undo: () => void) => void

export interface Behaviour<R, New> {
  /** How many records are kept: with one more, the oldest is deleted. */
  most?: number | undefined
  /** Brings a record up to the present when it is read: states that end with time need no one to end them. */
  settle(record: R): R
  /** Gives a new record what it was made without. */
  complete(given: New): R
}

export class Table<R extends Identified, New extends object = R> {
  /** Ascending: a page of a large collection is read without sorting or copying it. */
  readonly #ids: number[] = []
  /** Of each id. */
  readonly #rows: Row<R>[] = []
  readonly #note: Note
  readonly #behaviour: Behaviour<R, New>
  readonly #kept: () => Kept
  #lastId = 0
  #spent = 0

  constructor(behaviour: Behaviour<R, New>, note: Note, kept: () => Kept) {
    this.#behaviour = behaviour
    this.#note = note
    this.#kept = kept
  }

  get(id: number): R | undefined {
    const position = this.#position(id)
    return this.#ids[position] === id ? this.#at(position) : undefined
  }

  /** All records, by id ascending. */
  all(): R[] {
    return this.slice(0, this.size)
  }

  /** Those from one position up to another, by id ascending. */
  slice(begin: number, end: number): R[] {
    return this.#rows.slice(begin, end).map((_, index) => this.#at(begin + index))
  }

  /** Those that may have this text for a value, by id ascending: no other one has, and none of the others is read. */
  holding(key: string, value: string): R[] {
    const lines = this.#kept().holding(`${JSON.stringify(key)}:${JSON.stringify(value)}`)
    const found: R[] = []
    for (let index = 0; index < this.size; index += 1) {
      const row = this.#rows[index] as Row<R>
      if (typeof row !== 'number' || lines.has(row)) found.push(this.#at(index))
    }
    return found
  }

  get size(): number {
    return this.#rows.length
  }

  /** About how many bytes lines keep for nothing, since what they say was replaced. */
  get spent(): number {
    return this.#spent
  }

  /** Makes a record; what is left out is as usual. */
  add(given: New): R {
    return this.put(this.#behaviour.complete(given))
  }

  put(record: R): R {
    this.#note(record.id, this.#undo(record.id))
    this.load(record.id, record)
    const [oldest = 0] = this.#ids
    if (this.size > (this.#behaviour.most ?? Number.POSITIVE_INFINITY)) this.delete(oldest)
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
  load(id: number, row: Row<R> | null): void {
    const position = this.#position(id)
    const present = this.#ids[position] === id ? 1 : 0
    if (present) this.#spent += this.#lengthAt(position)
    if (row === null) {
      this.#ids.splice(position, present)
      this.#rows.splice(position, present)
    } else if (position === this.#ids.length) {
      this.#ids.push(id)
      this.#rows.push(row)
    } else {
      this.#ids.splice(position, present, id)
      this.#rows.splice(position, present, row)
    }
    this.#lastId = Math.max(this.#lastId, id)
  }

  clear(): void {
    this.#ids.length = 0
    this.#rows.length = 0
    this.#lastId = 0
    this.#spent = 0
  }

  /** What is needed to build the table again, the last id included. */
  *contents(): Iterable<[id: number, row: Row<R> | null]> {
    for (let index = 0; index < this.size; index += 1) yield [this.#ids[index] as number, this.#rows[index] as Row<R>]
    if (this.#lastId > 0 && this.#ids.at(-1) !== this.#lastId) yield [this.#lastId, null]
  }

  /** What leads back from a change to the present, in which an id that is not kept is not spent either. */
  #undo(id: number): () => void {
    const position = this.#position(id)
    const before = this.#ids[position] === id ? (this.#rows[position] as Row<R>) : null
    const lastId = this.#lastId
    const spent = this.#spent
    return () => {
      this.load(id, before)
      this.#lastId = lastId
      this.#spent = spent
    }
  }

  #at(position: number): R {
    const row = this.#rows[position] as Row<R>
    // A table takes only what it gave: what is loaded under its name was put into it before, here or in another process.
    const record = typeof row === 'number' ? (this.#kept().read(row) as R) : row
    this.#rows[position] = record
    return this.#behaviour.settle(record)
  }

  /** Of the line that keeps it, in bytes. */
  #lengthAt(position: number): number {
    const row = this.#rows[position] as Row<R>
    return typeof row === 'number' ? this.#kept().lengthOf(row) : Buffer.byteLength(JSON.stringify(row)) + aroundRecord
  }

  /** Where an id stands, or would stand. */
  #position(id: number): number {
    let low = 0
    let high = this.#ids.length
    // What is loaded comes in the order of its ids.
    if (id > this.#lastId) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ids[middle] as number) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** About what else stands in its line: `[["volumes",3001,` and `]]`. */
const aroundRecord = 24
