/** Layout options of writers, and the result of writers that work line by line. */
import type { ColumnChoice } from './column'

export interface Layout extends ColumnChoice {
  headers: boolean
  /** True to leave CSV and TSV cells that look like formulas unchanged. */
  raw: boolean
  /** True if the output is a terminal, even one of unknown width. */
  terminal: boolean
  /** Columns of the terminal; 0 if it is not a terminal or the width is unknown: plain and not truncated. */
  width: number
  color: boolean
  /** Redacts secrets in a text. It must run before the layout, which may cut or pad a secret. */
  clean?: (text: string) => string
  /** Current time in milliseconds since the epoch, for relative times. */
  now: number
  /** True if a single record is printed; set by printOne. */
  single?: boolean
}

/** Line-based output: a list can be printed while the rest of it is still being read. */
export interface LineLayout {
  /** Heading line including its newline; empty without headings. */
  head: string
  lines(records: readonly unknown[]): string | Promise<string>
}
