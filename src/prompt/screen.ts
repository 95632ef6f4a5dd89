/**
 * Draws a question and redraws it when it or the window changes. Inquirer sees a terminal with unlimited columns and
 * writes its own lines. This screen wraps them between words for the real width. After a resize, it erases the last
 * drawing however the terminal has rewrapped it.
 */
import { Writable } from 'node:stream'
import type { Environment } from '../rules/environment'

interface ScreenOptions {
  output: NodeJS.WriteStream
  /** True for colours. Inquirer always colours, except with NO_COLOR. */
  color: boolean
  /** Behaviour of long lines when the window becomes narrower. */
  narrowing: Narrowing
  /** Returns the width of a text in columns. */
  widthOf(text: string): number
}

/** Colour sequence (ECMA-48: select graphic rendition). */
const coloring = /\x1b\[[\d;]*m/g
/** Parts of inquirer's output: control sequences, line ends, and text with colours. */
const parts = /\x1b\[(\??\d*)([ABGKhl])|\r?\n|(?:\x1b\[[\d;]*m|[^\x1b\r\n])+/g

/** Rows on the terminal, and the cursor's position in them. */
interface Drawing {
  rows: string[]
  row: number
  column: number
}

export class Screen extends Writable {
  /** Lines written by inquirer, and its cursor. */
  private lines: string[] = ['']
  private row = 0
  private column = 0
  private drawn: Drawing = { rows: [''], row: 0, column: 0 }
  private readonly onResize = () => this.redraw()

  constructor(private readonly options: ScreenOptions) {
    super({ decodeStrings: false })
    options.output.on('resize', this.onResize)
  }

  /** Width reported to inquirer: large enough that it never wraps. */
  get columns(): number {
    return 100_000
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    let modes = ''
    for (const [part, number = '', command] of String(chunk).matchAll(parts)) {
      if (command === 'h' || command === 'l') modes += part
      else if (command) this.command(command, Number(number || 1))
      else this.text(part)
    }
    this.redraw(modes)
    // Called at once, so that no output is pending when the question ends.
    done()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.options.output.off('resize', this.onResize)
    done()
  }

  private command(command: string, number: number): void {
    if (command === 'A') this.row = Math.max(0, this.row - number)
    else if (command === 'B') this.row = Math.min(this.lines.length - 1, this.row + number)
    else if (command === 'G') this.column = number - 1
    else this.lines[this.row] = ''
  }

  private text(text: string): void {
    if (text.endsWith('\n')) {
      this.row += 1
      this.column = 0
      this.lines[this.row] ??= ''
      return
    }
    const shown = this.options.color ? text : text.replaceAll(coloring, '')
    this.lines[this.row] += shown
    this.column += this.options.widthOf(shown.replaceAll(coloring, ''))
  }

  private redraw(modes = ''): void {
    const { output } = this.options
    const next = this.layout(output.columns || 80)
    const up = this.rowsAbove(output.columns || 80)
    const below = next.rows.length - 1 - next.row
    output.write(
      `${up > 0 ? `\x1b[${up}A` : ''}\r\x1b[J${next.rows.join('\n')}` +
        `${below > 0 ? `\x1b[${below}A` : ''}\x1b[${next.column + 1}G${modes}`,
    )
    this.drawn = next
  }

  /** Wraps the lines for the window. The last column stays free, so that the terminal does not wrap. */
  private layout(columns: number): Drawing {
    const width = Math.max(1, columns - 1)
    while (this.lines.length - 1 > this.row && this.lines.at(-1) === '') this.lines.pop()
    const broken = this.lines.map((line) => this.breakLine(line, width))
    let row = broken.slice(0, this.row).reduce((sum, rows) => sum + rows.length, 0)
    let column = this.column
    for (const text of broken.slice(this.row, this.row + 1).flatMap((rows) => rows.slice(0, -1))) {
      const long = this.width(text)
      if (column < long) break
      column -= long
      row += 1
    }
    return { rows: broken.flat().map((text) => text.replace(/ +$/, '')), row, column: Math.min(column, columns - 1) }
  }

  /** Splits a line into rows of at most `width` columns: after a blank, or within a word that is too long. */
  private breakLine(line: string, width: number): string[] {
    const rows: string[] = []
    let row = ''
    for (const word of line.split(/(?<= )(?! )/)) {
      if (row !== '' && this.width(row + word.trimEnd()) > width) {
        rows.push(row)
        row = ''
      }
      row += word
      while (this.width(row.trimEnd()) > width) {
        const head = this.head(row, width)
        rows.push(head)
        row = row.slice(head.length)
      }
    }
    return [...rows, row]
  }

  /** Returns the longest start that fits, including colours. */
  private head(text: string, width: number): string {
    let head = ''
    for (const [piece] of text.matchAll(/\x1b\[[\d;]*m|./gu)) {
      if (head !== '' && this.width(head + piece) > width) break
      head += piece
    }
    return head
  }

  private width(text: string): number {
    return this.options.widthOf(text.replaceAll(coloring, ''))
  }

  /** Returns the number of rows from the start of the last drawing to the cursor, for a window width. */
  private rowsAbove(columns: number): number {
    const { rows, row, column } = this.drawn
    const { narrowing } = this.options
    if (narrowing === 'keep') return row
    const above = rows.slice(0, row).reduce((sum, text) => sum + Math.max(1, Math.ceil(this.width(text) / columns)), 0)
    return above + (narrowing === 'break' ? Math.floor(column / columns) : 0)
  }
}

/**
 * Behaviour of a terminal when its window becomes narrower. `break`: long lines wrap. `keep`: they are cut. `break
 * above`: they wrap, except for the cursor's line.
 */
export type Narrowing = 'break' | 'break above' | 'keep'

/**
 * Detects the behaviour. Most terminals wrap. xterm, the Linux console and GNU screen cut rows. xterm.js, the terminal
 * of VS Code, leaves the cursor's line to the program (option reflowCursorLine).
 */
export function narrowingOf({ XTERM_VERSION, STY, TERM, TERM_PROGRAM }: Environment): Narrowing {
  if (TERM_PROGRAM === 'vscode') return 'break above'
  return XTERM_VERSION || STY || TERM === 'linux' ? 'keep' : 'break'
}
