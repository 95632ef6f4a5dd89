/** Types of two internal files of cli-table3, which grid.ts imports by path: the table and its text measurement. */

declare module 'cli-table3/src/table.js' {
  export default class Table {
    constructor(options: {
      chars: Readonly<Record<string, string>>
      colWidths: number[]
      colAligns: string[]
      style: Readonly<Record<string, number | readonly string[]>>
    })
    push(...rows: string[][]): number
    toString(): string
  }
}

declare module 'cli-table3/src/utils.js' {
  const measures: {
    /** Returns the width of the widest line. */
    strlen(text: string): number
    truncate(text: string, width: number, ellipsis: string): string
    pad(text: string, width: number, blank: string, align: string): string
    /** Ends the colours on each line and repeats them on the next. */
    colorizeLines(lines: string[]): string[]
  }
  export default measures
}
