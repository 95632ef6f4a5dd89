/**
 * Indexes of a table: the ids of records by the value of a field, and its texts packed for searches by a part. All ids
 * are in ascending order.
 */

export type Ids = readonly number[]

/** Ids of records that a condition selects. `exact`: all of them meet it; otherwise each must be tested. */
export interface Candidates {
  ids: Ids
  exact: boolean
}

const none: Ids = []

/** Ids by the value of a field; by each member if the value is a list. */
export class ValueIndex {
  /** A single id is stored as it is: of labels, nearly all values have one. */
  readonly #ids = new Map<unknown, number | number[]>()

  add(value: unknown, id: number): void {
    for (const member of membersOf(value)) this.#addOne(member, id)
  }

  remove(value: unknown, id: number): void {
    for (const member of membersOf(value)) this.#removeOne(member, id)
  }

  idsOf(value: unknown): Ids {
    const ids = this.#ids.get(value)
    if (ids === undefined) return none
    return typeof ids === 'number' ? [ids] : ids
  }

  #addOne(value: unknown, id: number): void {
    const ids = this.#ids.get(value)
    if (ids === undefined) this.#ids.set(value, id)
    else if (typeof ids !== 'number') insert(ids, id)
    else if (ids !== id) this.#ids.set(value, ids < id ? [ids, id] : [id, ids])
  }

  #removeOne(value: unknown, id: number): void {
    const ids = this.#ids.get(value)
    if (ids === id) this.#ids.delete(value)
    if (ids === undefined || typeof ids === 'number') return
    const at = positionOf(ids, id)
    if (ids[at] === id) ids.splice(at, 1)
    if (ids.length === 0) this.#ids.delete(value)
  }
}

const membersOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Returns the position of an id, or the position where it would be inserted. */
export function positionOf(ids: Ids, id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low
}

function insert(ids: number[], id: number): void {
  // Fast path: new records have the highest id.
  const at = id > (ids.at(-1) ?? 0) ? ids.length : positionOf(ids, id)
  if (ids[at] !== id) ids.splice(at, 0, id)
}

/** Merges lists of ids. */
export const merged = (lists: readonly Ids[]): Ids => [...new Set(lists.flat())].sort((a, b) => a - b)

/** Texts of records with neighbouring ids, one after the other. */
interface Block {
  /** Number of records, also of those without a text. */
  size: number
  text: string
  /** Id and end of each text. A record has several if the field is a list. */
  ids: number[]
  ends: number[]
  /** 1 at the hash of each three characters in a row: a search skips blocks that lack one of its own. */
  triples: Uint8Array
}

/** Ids that share a block. A change drops one block, which the next search packs again. */
const blockSize = 1024

const blockOf = (id: number) => Math.floor(id / blockSize)

/** Texts of a field, packed, so that a search reads a few long texts instead of every record. */
export class TextIndex {
  readonly #blocks = new Map<number, Block>()

  /** Drops what is packed of a record that changes. */
  drop(id: number): void {
    this.#blocks.delete(blockOf(id))
  }

  /** Returns the ids of records whose text, or a member of their list, contains a text. `ids` are all of the table. */
  idsContaining(part: string, ids: Ids, valueAt: (position: number) => unknown): Ids {
    const matches: number[] = []
    const triples: number[] = []
    eachTriple(part, (hash) => triples.push(hash))
    for (let position = 0; position < ids.length; ) {
      const block = this.#blockAt(position, ids, valueAt)
      if (triples.every((hash) => block.triples[hash])) search(block, part, matches)
      position += block.size
    }
    return matches
  }

  #blockAt(start: number, ids: Ids, valueAt: (position: number) => unknown): Block {
    const number = blockOf(ids[start] ?? 0)
    const cached = this.#blocks.get(number)
    if (cached) return cached
    const end = positionOf(ids, (number + 1) * blockSize)
    const texts: string[] = []
    const block: Block = { size: end - start, text: '', ids: [], ends: [], triples: new Uint8Array(hashes) }
    let length = 0
    for (let position = start; position < end; position += 1) {
      for (const text of membersOf(valueAt(position))) {
        if (typeof text !== 'string') continue
        texts.push(text)
        length += text.length
        block.ids.push(ids[position] ?? 0)
        block.ends.push(length)
      }
    }
    block.text = texts.join('')
    eachTriple(block.text, (hash) => {
      block.triples[hash] = 1
    })
    this.#blocks.set(number, block)
    return block
  }
}

const hashes = 4096

/** Calls a function with a hash below `hashes` of each three characters in a row. */
function eachTriple(text: string, visit: (hash: number) => void): void {
  let [a, b] = [text.charCodeAt(0), text.charCodeAt(1)]
  for (let at = 2; at < text.length; at += 1) {
    const c = text.charCodeAt(at)
    visit(((a * 31 + b) * 31 + c) % hashes)
    a = b
    b = c
  }
}

/** Adds the ids of texts that contain a part. */
function search({ text, ids, ends }: Block, part: string, matches: number[]): void {
  if (part === '') add(ids, matches)
  let turn = 0
  for (let at = part === '' ? -1 : text.indexOf(part); at >= 0; ) {
    while ((ends[turn] ?? at + 1) <= at) turn += 1
    const end = ends[turn] ?? 0
    if (at + part.length <= end) add(ids.slice(turn, turn + 1), matches)
    // No other place in this text counts: it is found, or the rest of it is too short.
    at = text.indexOf(part, end)
  }
}

/** Adds ids in ascending order, each once. */
function add(ids: Ids, matches: number[]): void {
  for (const id of ids) if (matches.at(-1) !== id) matches.push(id)
}
