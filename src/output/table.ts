/** Prints records as table rows: fitted to a terminal, or plain and complete in a pipe. */

import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { joinNames } from '../rules/texts'
import { keysOf, leaves, recordsIn, valueAt } from './cells'
import { type Column, columnOf, columnsOf, headingOf, type Layout, type Pages, type Writer } from './column'
import { inPages, jsonText } from './documents'
import type { Align } from './grid'
import { type Styles, styles } from './style'
import {
  type Cell,
  cell,
  fieldCell,
  gap,
  isNumber,
  least,
  recordCell,
  styled,
  stylingOf,
  textOf,
  widthOf,
  within,
  withUnit,
} from './table-cell'
import { textWidth } from './width'

export const table: Omit<Writer, 'streams'> = { many: tableText, one: recordText, value: resultText }

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
  if (!fitted) return yield* fieldTexts(layout.headers ? rows.slice(1) : rows, columns, layout)
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

async function* fieldTexts(
  rows: readonly Cell[][],
  columns: readonly Column[],
  layout: Layout,
): AsyncGenerator<string, void> {
  let between = ''
  for (const row of rows) {
    const fields = columns.map((column, index): [string, Cell] => [column.path, withUnit(row[index] ?? '', column)])
    yield between + (await drawFields(fields, layout))
    between = '\n'
  }
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

/** Prints one record with a field per line, `key  value`: the chosen fields, or all. */
function recordText(record: unknown, layout: Layout): Promise<string> {
  return layout.chosen ? fieldsText(record, layout) : detailsText(record, layout)
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

/** Prints the chosen fields without truncation; long values wrap between words. */
function fieldsText(record: unknown, layout: Layout): Promise<string> {
  return drawFields(
    columnsOf(layout).map((column) => [column.path, fieldCell(valueAt(record, column.path), record, column, layout)]),
    layout,
  )
}

/** Prints all fields, with dotted keys for nested objects. Columns define how some fields are shown. */
function detailsText(record: unknown, layout: Layout): Promise<string> {
  const shown = new Map(layout.columns.map((column) => [column.path, column]))
  return drawFields(
    leaves(isRecord(record) ? record : {}).map(([path, value]) => [
      path,
      fieldCell(value, record, shown.get(path) ?? columnOf(path), layout),
    ]),
    layout,
  )
}

async function drawFields(fields: [path: string, value: Cell][], layout: Layout): Promise<string> {
  const keyed = fields.map(([path, value]) => ({ key: layout.headers ? [cell(escapeText(path), 'bold')] : [], value }))
  const indent = Math.max(0, ...keyed.flatMap(({ key }) => key.map((one) => widthOf(one) + gap.length)))
  const { wrap } = await import('./wrap')
  const rows = keyed.flatMap(({ key, value }) => {
    const [first = value, ...more] = lines(value, layout.width - indent, wrap)
    return [[...key, first], ...more.map((line) => [...key.map(() => cell('')), line])]
  })
  return draw(rows, { widths: columnWidths(rows), aligns: [], style: await styles(layout.color) })
}

/**
 * Wraps a wide value at blanks. A value with a word that does not fit, such as a key or a one-time secret, stays whole,
 * so that it can be copied.
 */
function lines(value: Cell, width: number, wrap: (text: string, width: number) => string): Cell[] {
  const fits = (word: string) => textWidth(word) <= width
  const isList = typeof value !== 'string' && value.list === true
  if (width < least || !(isList || textOf(value).split(' ').every(fits))) return [value]
  return wrap(textOf(value), width)
    .split('\n')
    .map((line) => cell(line, stylingOf(value)))
}

/** Computes the column widths for these rows. */
function columnWidths(rows: readonly Cell[][]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((item, index) => {
      widths[index] = Math.max(widths[index] ?? 1, widthOf(item))
    })
  }
  return widths
}

interface Drawing {
  widths: readonly number[]
  aligns: readonly Align[]
  style: Styles
  ascii?: boolean | undefined
}

/** Draws plain columns without truncation. Padding is added only before a next column, so no line ends with a blank. */
function draw(rows: readonly Cell[][], { widths, aligns, style }: Drawing): string {
  const lines = rows.map((row) => {
    let line = ''
    let blank = ''
    row.forEach((item, index) => {
      const width = widthOf(item)
      const spare = ' '.repeat((widths[index] ?? width) - width)
      const right = aligns[index] === 'right'
      line += blank + (right ? spare : '') + styled(item, style)
      blank = right ? gap : gap + spare
    })
    return `${line}\n`
  })
  return lines.join('')
}
