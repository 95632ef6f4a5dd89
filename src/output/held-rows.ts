/** Cells of tables, and the rows of a table that are held until the widths of all are known: many rows are packed. */
import type { Memory } from './memory'
import type { Styling } from './style'
import { ascii, textWidth } from './width'

/** Table cell. Nearly all cells of large tables are unstyled ASCII, which needs no object. */
export type Cell = string | Drawn

interface Drawn {
  text: string
  width: number
  styling?: Styling | undefined
  /** True for a list of several values, which may wrap between its values at any length. */
  list?: boolean
  /** True for a number with a unit in its heading. */
  isNumber?: boolean
}

export const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text)
export const widthOf = (cell: Cell) => (typeof cell === 'string' ? cell.length : cell.width)
export const stylingOf = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.styling)

export function cell(text: string, styling?: Styling): Cell {
  return styling === undefined && ascii.test(text) ? text : { text, width: textWidth(text), styling }
}

/** Rows that are kept as they are. */
const mostUnpacked = 10_000
/** Rows that are packed together. */
const packedAtOnce = 500

export class HeldRows {
  #texts: import('./packed-texts').PackedTexts | undefined
  #rows: Cell[][] = []
  #unpacked = mostUnpacked

  constructor(readonly memory: Memory) {}

  async add(rows: readonly Cell[][]): Promise<void> {
    for (const row of rows) this.#rows.push(row)
    if (this.#rows.length < this.#unpacked) return
    this.#unpacked = packedAtOnce
    this.#texts ??= new (await import('./packed-texts')).PackedTexts(this.memory)
    for (let start = 0; start < this.#rows.length; start += packedAtOnce)
      this.#texts.add(textOfRows(this.#rows.slice(start, start + packedAtOnce)))
    this.#rows = []
  }

  /** Throws `too_large` if the first rows, of the first page, show that the whole table takes too much. */
  async expectFit(): Promise<void> {
    const { length } = this.#rows
    if ((this.memory.total?.() ?? 0) <= length) return
    const { expectFit, mayExceed, packedSize } = await import('./packed-texts')
    const text = textOfRows(this.#rows)
    if (mayExceed(this.memory, length, () => text.length)) expectFit(this.memory, length, packedSize(text))
  }

  /** Yields the rows in order, some at a time, and forgets them. */
  *drain(): Generator<Cell[][], void> {
    for (const bytes of this.#texts?.drain() ?? [])
      for (const line of bytes.toString().split('\n')) if (line !== '') yield JSON.parse(line)
    if (this.#rows.length > 0) yield this.#rows
    this.#rows = []
  }
}

const textOfRows = (rows: readonly Cell[][]) => Buffer.from(`${JSON.stringify(rows)}\n`)
