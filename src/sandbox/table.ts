/** Table of records of one kind. Saved records are parsed on access. */
import { type Candidates, type Ids, positionOf, TextIndex, ValueIndex } from './indexes'

export interface Identified {
  id: number
}

/** File whose lines can each hold one record. A line is identified by a number. */
export interface RecordSource {
  /** Parses the record of a line; Problem `local` if the line is damaged. */
  read(line: number): Identified
  /** Returns the lines that contain a text. */
  holding(text: string): ReadonlySet<number>
  /** Returns the line including its line end. */
  textOf(line: number): string
  /** Returns the length of the line in bytes. */
  lengthOf(line: number): number
}

/** Record, or the line of a saved record that was not accessed yet. */
export type StoredRow<R> = R | number

/** Registers how to undo a change before it is made; outside of a request, nothing is undone. */
export type RegisterUndo = (id: number, undoOf: (id: number) => () => void) => void

export interface TableOptions<R, New> {
  /** Maximum number of records. Adding one more deletes the oldest. */
  most?: number | undefined
  /** Updates a record to the current time when it is read, so timed states need no background task. */
  settle(record: R): R
  /** Fields that `settle`, or the answer to a list, changes: they have no index. */
  unindexed?: readonly string[] | undefined
  /** Adds default values to a new record. */
  complete(input: New): R
}

export class Table<R extends Identified, New extends object = R> {
  /** Ids in ascending order, so that a page of a large table needs no sorting or copying. */
  readonly #ids: number[] = []
  /** Rows in the order of the ids. */
  readonly #rows: StoredRow<R>[] = []
  /** Indexes by key, made by the first look-up. */
  readonly #indexes = new Map<string, ValueIndex>()
  /** Packed texts by key, made by the first search. */
  readonly #texts = new Map<string, TextIndex>()
  /** Keys that were searched without an index. */
  readonly #searched = new Set<string>()
  readonly #note: RegisterUndo
  readonly #behaviour: TableOptions<R, New>
  readonly #lines: () => RecordSource
  #lastId = 0
  #spent = 0

  constructor(behaviour: TableOptions<R, New>, note: RegisterUndo, lines: () => RecordSource) {
    this.#behaviour = behaviour
    this.#note = note
    this.#lines = lines
  }

  get(id: number): R | undefined {
    const position = this.#position(id)
    return this.#ids[position] === id ? this.#at(position) : undefined
  }

  /** Lists all records by ascending id. */
  all(): R[] {
    return this.slice(0, this.size)
  }

  /** Lists the records that pass a test, by ascending id. */
  select(test: (record: R) => boolean): R[] {
    const records: R[] = []
    for (let position = 0; position < this.size; position += 1) {
      const record = this.#at(position)
      if (test(record)) records.push(record)
    }
    return records
  }

  /** Lists the records from one position up to another (exclusive) by ascending id. */
  slice(begin: number, end: number): R[] {
    return this.#rows.slice(begin, end).map((_, index) => this.#at(begin + index))
  }

  /** Lists the records in which `key` has this value, by ascending id. `settle` must not change the key. */
  where<K extends keyof R & string>(key: K, value: R[K]): R[] {
    return this.at(this.#index(key).idsOf(value))
  }

  /** Returns the records with these ids. */
  at(ids: Ids): R[] {
    return ids.flatMap((id) => this.get(id) ?? [])
  }

  /** Returns candidates for records in which `key` has this value or member; undefined without an index of the key. */
  equal(key: string, value: unknown): Candidates | undefined {
    if (this.#behaviour.unindexed?.includes(key)) return undefined
    if (key === 'id') return { ids: typeof value === 'number' && this.get(value) ? [value] : [], exact: true }
    if (key === 'label' && typeof value === 'string' && !this.#searched.has(key)) return this.#holding(key, value)
    return { ids: this.#index(key).idsOf(value), exact: true }
  }

  /** Returns the records in which `key`, or a member of it, contains a text; undefined without an index of the key. */
  containing(key: string, part: string): Candidates | undefined {
    if (this.#behaviour.unindexed?.includes(key)) return undefined
    const texts = this.#texts.get(key) ?? new TextIndex()
    this.#texts.set(key, texts)
    const ids = texts.idsContaining(part, this.#ids, (position) => Reflect.get(this.#at(position), key))
    return { ids, exact: true }
  }

  /**
   * Finds the records that have a text somewhere. The first look-up, often the only one of a process, parses no others.
   */
  #holding(key: string, value: string): Candidates {
    this.#searched.add(key)
    const lines = this.#lines().holding(`${JSON.stringify(key)}:${JSON.stringify(value)}`)
    const isCandidate = (row: StoredRow<R>) => typeof row !== 'number' || lines.has(row)
    return { ids: this.#ids.filter((_, position) => isCandidate(this.#row(position))), exact: false }
  }

  get size(): number {
    return this.#rows.length
  }

  /** Approximate number of bytes in saved lines that later changes made obsolete. */
  get spent(): number {
    return this.#spent
  }

  /** Adds a record; omitted fields get default values. */
  add(input: New): R {
    return this.put(this.#behaviour.complete(input))
  }

  put(record: R): R {
    this.#note(record.id, this.#undo)
    this.load(record.id, record)
    const [oldest = 0] = this.#ids
    const { most = Number.POSITIVE_INFINITY } = this.#behaviour
    if (this.size > most) this.delete(oldest)
    return record
  }

  delete(id: number): void {
    this.#note(id, this.#undo)
    this.load(id, null)
  }

  /** Returns the next id. Ids are never reused, not even after a deletion. */
  nextId(): number {
    return this.#lastId + 1
  }

  /** Sets the row of an id without registering an undo. */
  load(id: number, row: StoredRow<R> | null): void {
    const position = this.#position(id)
    const present = this.#ids[position] === id ? 1 : 0
    if (present) this.#spent += this.#lengthAt(position)
    if (this.#indexes.size + this.#texts.size > 0) this.#reindex(id, row, present ? this.#row(position) : null)
    if (row !== null && position === this.#ids.length) {
      this.#ids.push(id)
      this.#rows.push(row)
    } else {
      const added = row === null ? [] : [row]
      this.#ids.splice(position, present, ...added.map(() => id))
      this.#rows.splice(position, present, ...added)
    }
    this.#lastId = Math.max(this.#lastId, id)
  }

  #reindex(id: number, row: StoredRow<R> | null, before: StoredRow<R> | null): void {
    for (const [key, index] of this.#indexes) {
      if (before !== null) index.remove(Reflect.get(this.#recordOf(before), key), id)
      if (row !== null) index.add(Reflect.get(this.#recordOf(row), key), id)
    }
    for (const texts of this.#texts.values()) texts.drop(id)
  }

  clear(): void {
    this.#ids.length = 0
    this.#rows.length = 0
    this.#indexes.clear()
    this.#texts.clear()
    this.#searched.clear()
    this.#lastId = 0
    this.#spent = 0
  }

  /** Lists everything needed to rebuild the table, including the last id. */
  *contents(): Iterable<[id: number, row: StoredRow<R> | null]> {
    for (let index = 0; index < this.size; index += 1) yield [this.#ids[index] ?? 0, this.#row(index)]
    if (this.#lastId > 0 && this.#ids.at(-1) !== this.#lastId) yield [this.#lastId, null]
  }

  /** Creates the undo of a change. It also releases an id that the change used up. */
  readonly #undo = (id: number) => {
    const position = this.#position(id)
    const before = this.#ids[position] === id ? this.#row(position) : null
    const lastId = this.#lastId
    const spent = this.#spent
    return () => {
      this.load(id, before)
      this.#lastId = lastId
      this.#spent = spent
    }
  }

  /** Returns a stored row; every position below `size` has one. */
  #row(position: number): StoredRow<R> {
    const row = this.#rows[position]
    if (row === undefined) throw new RangeError(`the table has no row ${position}`)
    return row
  }

  #at(position: number): R {
    const record = this.#recordOf(this.#row(position))
    this.#rows[position] = record
    return this.#behaviour.settle(record)
  }

  #recordOf(row: StoredRow<R>): R {
    // The type is safe: everything loaded under this table's name was once put into it.
    return typeof row === 'number' ? (this.#lines().read(row) as R) : row
  }

  #index(key: string): ValueIndex {
    const existing = this.#indexes.get(key)
    if (existing) return existing
    const index = new ValueIndex()
    for (const record of this.all()) index.add(Reflect.get(record, key), record.id)
    this.#indexes.set(key, index)
    return index
  }

  /** Returns the length in bytes of the record's saved line. */
  #lengthAt(position: number): number {
    const row = this.#row(position)
    return typeof row === 'number' ? this.#lines().lengthOf(row) : Buffer.byteLength(JSON.stringify(row)) + aroundRecord
  }

  /** Returns the position of an id, or the position where it would be inserted. */
  #position(id: number): number {
    // Fast path: records are loaded by ascending id.
    return id > this.#lastId ? this.#ids.length : positionOf(this.#ids, id)
  }
}

/** Approximate number of other bytes in a record's line: `[["volumes",3001,` and `]]`. */
const aroundRecord = 24
