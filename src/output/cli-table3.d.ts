/** The two files of cli-table3 that grid.ts takes by their path: what its index gives, and what that measures with. */

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
    /** The width of the widest line. */
    strlen(text: string): number
    truncate(text: string, width: number, ellipsis: string): string
    pad(text: string, width: number, blank: string, align: string): string
    /** Ends the colours of each line and takes them up in the next one. */
    colorizeLines(lines: string[]): string[]
  }
  export default measures
}
