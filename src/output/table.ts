/** Prints records as table rows: fitted to a terminal, or plain and complete in a pipe. */

import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { keysOf, leaves, recordsIn, valueAt, valueText } from './cells'
import { type Column, columnOf, columnsOf, headingOf, type Layout, type Pages, type Writer } from './column'
import { inPages, jsonText } from './documents'
import type { Align } from './grid'
import { type Styles, type Styling, styles } from './style'
import { showTime } from './times'
import { ascii, textWidth, truncate } from './width'
import { wrap } from './wrap'

/** Table cell. Nearly all cells of large tables are unstyled ASCII, which needs no object. */
type Cell = string | Drawn

interface Drawn {
  text: string
  width: number
  styling?: Styling | undefined
  /** True for a list of several values, which may wrap between its values at any length. */
  list?: boolean
  /** True for a number with a unit in its heading. */
  isNumber?: boolean
}

const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text)
const widthOf = (cell: Cell) => (typeof cell === 'string' ? cell.length : cell.width)
const stylingOf = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.styling)

function cell(text: string, styling?: Styling): Cell {
  return styling === undefined && ascii.test(text) ? text : { text, width: textWidth(text), styling }
}

const gap = '  '
/** Minimum width of a cut column. If the table still does not fit, each record is printed with one field per line. */
const least = 10

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
  const widths = columnWidths(rows)
  const style = await styles(layout.color)
  const fitted = layout.width === 0 ? widths : fitWidths(widths, layout.width)
  if (!fitted) return yield* fieldTexts(layout.headers ? rows.slice(1) : rows, columns, layout)
  const drawing = { widths: fitted, aligns: aligns.map(({ align }) => align), style, ascii: layout.ascii }
  for await (const some of inPages(rows)) yield await (layout.width === 0 ? draw : grid)(some, drawing)
}

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

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

/** Prints one record with a field per line, `key  value`: the chosen fields, or all. */
function recordText(record: unknown, layout: Layout): Promise<string> {
  return layout.chosen ? fieldsText(record, layout) : detailsText(record, layout)
}

/** Prints a query result: records as a table, anything else as JSON. */
async function resultText(value: unknown, layout: Layout): Promise<string> {
  const records = recordsIn(value)
  if (!records) return jsonText(value)
  let text = ''
  const shown = { ...layout, chosen: undefined, columns: keysOf(records).map(columnOf) }
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
  const rows = keyed.flatMap(({ key, value }) => {
    const [first = value, ...more] = lines(value, layout.width - indent)
    return [[...key, first], ...more.map((line) => [...key.map(() => cell('')), line])]
  })
  return draw(rows, { widths: columnWidths(rows), aligns: [], style: await styles(layout.color) })
}

/**
 * Wraps a wide value at blanks. A value with a word that does not fit, such as a key or a one-time secret, stays whole,
 * so that it can be copied.
 */
function lines(value: Cell, width: number): Cell[] {
  const fits = (word: string) => textWidth(word) <= width
  const isList = typeof value !== 'string' && value.list === true
  if (width < least || !(isList || textOf(value).split(' ').every(fits))) return [value]
  return wrap(textOf(value), width)
    .split('\n')
    .map((line) => cell(line, stylingOf(value)))
}

function recordCell(record: unknown, column: Column, layout: Layout): Cell {
  return valueCell(valueAt(record, column.path), record, column, layout)
}

/** Formats a field of a single record. Without a heading, the unit follows the number. */
function fieldCell(value: unknown, record: unknown, column: Column, layout: Layout): Cell {
  return withUnit(valueCell(value, record, column, layout), column)
}

function withUnit(shown: Cell, { unit }: Column): Cell {
  return unit && typeof shown !== 'string' && shown.isNumber ? cell(`${shown.text} ${unit}`, shown.styling) : shown
}

function valueCell(value: unknown, record: unknown, { show, tone, unit }: Column, layout: Layout): Cell {
  const text =
    (show ? show(value, isRecord(record) ? record : {}, layout) : showTime(value, layout)) || plainText(value)
  const cleanText = layout.clean?.(text) ?? text
  const styling = layout.color ? tone?.get(value) : undefined
  const isList = Array.isArray(value) && value.length > 1
  // Tables in a pipe have no use for the unit.
  const isMeasure = unit !== undefined && isNumber(value) && (layout.single === true || layout.width > 0)
  if (!isList && !isMeasure)
    return styling === undefined && ascii.test(cleanText) ? cleanText : cell(escapeText(cleanText), styling)
  const escaped = escapeText(cleanText)
  return { text: escaped, width: textWidth(escaped), styling, list: isList, isNumber: isMeasure }
}

function plainText(value: unknown): string {
  const flat = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return (flat ? value.join(', ') : valueText(value)) || '-'
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

/**
 * Reduces the widths to fit the terminal, widest columns first. The first column identifies the record, and is never
 * cut. Undefined if the terminal is too narrow.
 */
function fitWidths(widths: readonly number[], terminal: number): number[] | undefined {
  const room = terminal - gap.length * (widths.length - 1)
  const capped = (cap: number) => widths.map((width, index) => (index === 0 ? width : Math.min(width, cap)))
  const fits = (cap: number) => capped(cap).reduce((sum, width) => sum + width, 0) <= room
  let cap = Math.max(room, least)
  while (cap > least && !fits(cap)) cap -= 1
  return fits(cap) ? capped(cap) : undefined
}

function within(item: Cell, room = widthOf(item), isAscii = false): Cell {
  if (widthOf(item) <= room) return item
  return cell(truncate(textOf(item), room, isAscii ? 'ascii' : 'unicode'), stylingOf(item))
}

function styled(item: Cell, style: Styles): string {
  const styling = stylingOf(item)
  return styling ? style[styling](textOf(item)) : textOf(item)
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
