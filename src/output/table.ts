/** Prints records as table rows: fitted to a terminal, or plain and complete in a pipe. */

import { joinNames } from '../rules/texts'
import { keysOf, recordsIn, valueAt } from './cells'
import { type Column, columnsOf, headingOf, type Layout, type Pages, type Writer } from './column'
import { inPages, jsonText } from './documents'
import type { Align } from './grid'
import { styles } from './style'
import {
  type Cell,
  cell,
  columnWidths,
  type Drawing,
  draw,
  gap,
  isNumber,
  recordCell,
  styled,
  textOf,
  within,
} from './table-cell'

export const table: Omit<Writer, 'streams'> = {
  many: tableText,
  one: async (record, layout) => (await import('./record-text')).recordText(record, layout),
  value: resultText,
}

/** Prints upper-case headings and a line per record, some rows at a time; nothing without records. */
async function* tableText(pages: Pages, baseLayout: Layout): AsyncGenerator<string, void> {
  const layout = baseLayout.chosen
    ? baseLayout
    : { ...baseLayout, columns: baseLayout.columns.filter(({ wide }) => !wide) }
  const columns = columnsOf(layout)
  const aligns = columns.map((column) => new Alignment(column))
  const rows: Cell[][] = []
  for await (const page of pages) {
    for (const record of page) rows.push(columns.map((column) => recordCell(record, column, layout)))
    for (const align of aligns) align.see(page)
  }
  if (rows.length === 0) return
  if (layout.headers) rows.unshift(columns.map((column) => cell(headingOf(column), 'bold')))
  const all = { rows, columns, aligns: aligns.map(({ align }) => align) }
  if (layout.width > 0) return yield* fittedTexts(all, layout)
  const drawing = { widths: columnWidths(rows), aligns: all.aligns, style: await styles(layout.color) }
  for await (const some of inPages(rows)) yield draw(some, drawing)
}

interface WholeTable {
  /** Cells, and the headings as the first row unless they are left out. */
  rows: readonly Cell[][]
  columns: readonly Column[]
  aligns: readonly Align[]
}

/** Draws a table within the width of the terminal. If it does not fit, each record is printed with one field per line. */
async function* fittedTexts({ rows, columns, aligns }: WholeTable, layout: Layout): AsyncGenerator<string, void> {
  const { fitColumns } = await import('./fit')
  const fitted = fitColumns({
    ...{ columns, widths: columnWidths(rows), terminal: layout.width, mayLeaveOut: !layout.chosen },
    hasCommands: (index) => rows.some((row) => command.test(textOf(row[index] ?? ''))),
  })
  if (!fitted) {
    const { fieldTexts } = await import('./record-text')
    return yield* fieldTexts(layout.headers ? rows.slice(1) : rows, columns, layout)
  }
  const { shown, widths } = fitted
  const pick = <T>(items: readonly T[]) => items.filter((_, index) => shown.includes(index))
  const style = await styles(layout.color)
  const drawing = { widths, aligns: pick(aligns), style, ascii: layout.ascii }
  for await (const some of inPages(rows))
    yield await grid(shown.length < columns.length ? some.map(pick) : some, drawing)
  const leftOut = columns.filter((_, index) => !shown.includes(index)).map(({ path }) => path)
  const identifying = columns.filter(({ path }, index) => index === 0 || path === 'label').map(({ path }) => path)
  if (leftOut.length === 0 || layout.isOfChange) return
  const { wrap } = await import('./wrap')
  yield `${style.dim(wrap(leftOutText(leftOut, identifying), layout.width))}\n`
}

/** Matches a command to copy. */
const command = /(?:^|\W)skyctl [a-z]/

const leftOutText = (paths: readonly string[], identifying: readonly string[]) =>
  `Too narrow for ${joinNames(paths, 'and')}: see --columns ${[...new Set([...identifying, ...paths])].join(',')}`

async function grid(rows: readonly Cell[][], { widths, aligns, style, ascii: isAscii }: Drawing): Promise<string> {
  const texts = rows.map((row) => row.map((item, index) => styled(within(item, widths[index], isAscii), style)))
  return (await import('./grid')).gridText(texts, { widths, aligns, gap })
}

/** Finds out the alignment of a column: numbers to the right. Columns with a `show` function contain text. */
class Alignment {
  align: Align = 'left'
  #isText: boolean

  constructor(readonly column: Column) {
    this.#isText = column.show !== undefined
  }

  see(records: readonly unknown[]): void {
    for (const record of records) {
      if (this.#isText) return
      const value = valueAt(record, this.column.path) ?? undefined
      if (value === undefined) continue
      this.#isText = !isNumber(value)
      this.align = this.#isText ? 'left' : 'right'
    }
  }
}

/** Prints a query result: records as a table, anything else as JSON. */
async function resultText(value: unknown, layout: Layout): Promise<string> {
  const records = recordsIn(value)
  if (!records) return jsonText(value)
  let text = ''
  const shown = { ...layout, chosen: keysOf(records), columns: [] }
  for await (const rows of tableText(inPages(records), shown)) text += rows
  return text
}
