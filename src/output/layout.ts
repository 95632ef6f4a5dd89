/** What a writer is told of how its output shall look, and what one that works line by line gives back. */
import type { Choice } from './column'

export interface Layout extends Choice {
  headers: boolean
  /** CSV and TSV cells that look like formulas stay as they are. */
  raw: boolean
  /** Whether a terminal shows it, also one that does not tell its width. */
  terminal: boolean
  /** Columns of the terminal; 0 where it is none, or does not tell: plain and untruncated. */
  width: number
  color: boolean
  /** What may be seen of a text: the door would find no secret that was cut, and hide a whole one behind a gap. */
  clean?: (text: string) => string
  /** Milliseconds since the epoch, for relative times. */
  now: number
  /** One record fills the view: set by printOne. */
  single?: boolean
}

/** A form in which each record has lines of its own, so that a list is printed while the rest of it is read. */
export interface Lines {
  /** The line of headings with its newline; empty without headings. */
  head: string
  lines(records: readonly unknown[]): string | Promise<string>
}
