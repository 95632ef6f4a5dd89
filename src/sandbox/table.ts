/** Table of records of one kind, by ascending id. */

export interface Identified {
  id: number
}

export interface SavedTable {
  last_id: number
  records: readonly Identified[]
}

export interface TableOptions<R, New> {
  /** Maximum number of records. Adding one more deletes the oldest. */
  most?: number | undefined
  /** Updates a record to the current time when it is read, so timed states need no background task. */
  settle(record: R): R
  /** Adds default values to a new record. */
  complete(input: New): R
}

export class Table<R extends Identified, New extends object = R> {
  /** Replaced by each change: those of an earlier moment stay as they were. */
  #records: readonly R[] = []
  #lastId = 0

  constructor(private readonly behaviour: TableOptions<R, New>) {}

  get(id: number): R | undefined {
    const record = this.#stored(id)
    return record && this.behaviour.settle(record)
  }

  all(): R[] {
    return this.#records.map((record) => this.behaviour.settle(record))
  }

  /** Lists the records in which `key` has this value. `settle` must not change the key. */
  where<K extends keyof R>(key: K, value: R[K]): R[] {
    return this.#records.filter((record) => record[key] === value).map((record) => this.behaviour.settle(record))
  }

  get size(): number {
    return this.#records.length
  }

  /** Adds a record; omitted fields get default values. */
  add(input: New): R {
    return this.put(this.behaviour.complete(input))
  }

  put(record: R): R {
    this.#change(record.id, record)
    const [oldest] = this.#records
    const { most = Number.POSITIVE_INFINITY } = this.behaviour
    if (oldest && this.size > most) this.delete(oldest.id)
    return record
  }

  delete(id: number): void {
    this.#change(id, undefined)
  }

  /** Returns the next id. Ids are never reused, not even after a deletion. */
  nextId(): number {
    return this.#lastId + 1
  }

  /** Marks an id as used, and all below it. */
  spend(id: number): void {
    this.#lastId = Math.max(this.#lastId, id)
  }

  get saved(): SavedTable {
    return { last_id: this.#lastId, records: this.#records }
  }

  load({ last_id, records }: SavedTable): void {
    // The type is safe: everything saved under this table's name was once put into it.
    this.#records = records as readonly R[]
    this.#lastId = last_id
  }

  #change(id: number, record: R | undefined): void {
    const [at, isStored] = [this.#position(id), this.#stored(id) !== undefined]
    this.#records = this.#records.toSpliced(at, isStored ? 1 : 0, ...(record ? [record] : []))
    this.spend(id)
  }

  #stored(id: number): R | undefined {
    const record = this.#records[this.#position(id)]
    return record?.id === id ? record : undefined
  }

  /** Returns the position of an id, or the position where it would be inserted. */
  #position(id: number): number {
    let low = 0
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#records[middle]?.id ?? 0) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
