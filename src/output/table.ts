/** Records as rows for a person: fitted to a terminal, or plain and whole where the output is piped. */
import { isRecord } from '../rules/records'
import { keysOf, leaves, recordsIn, valueAt, valueText } from './cells'
import { type Column, columnOf, columnsOf, headingOf } from './column'
import { jsonText } from './documents'
import type { Align } from './grid'
import type { Layout } from './layout'
import { safe } from './safe'
import { type Styles, type Styling, styles } from './style'
import { showTime } from './times'
import { ascii, textWidth, truncate } from './width'
import { wrap } from './wrap'

/** A text of ASCII without a style stands for itself: of large tables these are nearly all. */
type Cell = string | Drawn

interface Drawn {
  text: string
  width: number
  styling?: Styling | undefined
  /** It is a list of several values, which may be broken between them however long one is. */
  list?: boolean
}

const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text)
const widthOf = (cell: Cell) => (typeof cell === 'string' ? cell.length : cell.width)
const stylingOf = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.styling)

const gap = '  '
/** A column is not cut below this width; where that is not enough, each record stands by itself, a field a line. */
const least = 10

/** So many rows are laid out at once: of more, the cells are made twice, which takes less than to keep them. */
const rowsAtOnce = 10_000

/** Upper-case headings and a line for each record, some rows at a time; nothing at all for none. */
export async function* tableText(records: readonly unknown[], layout: Layout): AsyncGenerator<string, void> {
  const [head, ...more] = partsOf(records)
  if (!head) return
  const columns = columnsOf(layout)
  const style = await styles(layout.color)
  const aligns = columns.map((column) => alignOf(column, records))
  const rowsOf = (part: readonly unknown[]) =>
    part.map((record) => columns.map((column) => recordCell(record, column, layout)))
  const first = rowsOf(head)
  if (layout.headers) first.unshift(columns.map((column) => cell(headingOf(column), 'bold')))
  let widths = columnWidths(first)
  for (const part of more) widths = columnWidths(rowsOf(part), widths)
  const fitted = layout.width === 0 ? widths : fitWidths(widths, layout.width)
  if (!fitted) return yield* fieldTexts(records, layout)
  const textOfRows = (rows: readonly Cell[][]) =>
    layout.width === 0 ? draw(rows, { widths, aligns, style }) : grid(rows, { widths: fitted, aligns, style })
  yield textOfRows(first)
  for (const part of more) yield textOfRows(rowsOf(part))
}

function partsOf(records: readonly unknown[]): (readonly unknown[])[] {
  const parts: (readonly unknown[])[] = []
  for (let start = 0; start < records.length; start += rowsAtOnce) parts.push(records.slice(start, start + rowsAtOnce))
  return parts
}

async function grid(rows: readonly Cell[][], { widths, aligns, style }: Drawing): Promise<string> {
  const texts = rows.map((row) => row.map((item, index) => styled(within(item, widths[index]), style)))
  return (await import('./grid')).gridText(texts, { widths, aligns, gap })
}

async function* fieldTexts(records: readonly unknown[], layout: Layout): AsyncGenerator<string, void> {
  let between = ''
  for (const record of records) {
    yield between + (await fieldsText(record, layout))
    between = '\n'
  }
}

/** Numbers stand on the right, so that their digits stand below each other; what a column makes a text of is none. */
function alignOf({ path, show }: Column, records: readonly unknown[]): Align {
  if (show) return 'left'
  let align: Align = 'left'
  for (const record of records) {
    const value = valueAt(record, path) ?? undefined
    if (value === undefined) continue
    if (!isNumber(value)) return 'left'
    align = 'right'
  }
  return align
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

/** One record, a field a line: `key  value`; the chosen fields, or all that it has. */
export function recordText(record: unknown, layout: Layout): Promise<string> {
  return layout.chosen ? fieldsText(record, layout) : detailsText(record, layout)
}

/** What a query came to: records in a table, and anything else as JSON, since a table cannot show it. */
export async function resultText(value: unknown, layout: Layout): Promise<string> {
  const records = recordsIn(value)
  if (!records) return jsonText(value)
  const texts: string[] = []
  const shown = { ...layout, chosen: undefined, columns: keysOf(records).map(columnOf) }
  for await (const text of tableText(records, shown)) texts.push(text)
  return texts.join('')
}

/** Nothing is cut; what is too wide is broken between its words. */
function fieldsText(record: unknown, layout: Layout): Promise<string> {
  return drawFields(
    columnsOf(layout).map((column) => [column.path, fieldCell(valueAt(record, column.path), record, column, layout)]),
    layout,
  )
}

/** The whole record like that, nested objects with dotted keys; the columns tell how some of the fields are shown. */
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
  const keyed = fields.map(([path, value]) => ({ key: layout.headers ? [cell(safe(path), 'bold')] : [], value }))
  const indent = Math.max(0, ...keyed.flatMap(({ key }) => key.map((one) => widthOf(one) + gap.length)))
  const rows = keyed.flatMap(({ key, value }) => {
    const [first = value, ...more] = lines(value, layout.width - indent)
    return [[...key, first], ...more.map((line) => [...key.map(() => cell('')), line])]
  })
  return draw(rows, { widths: columnWidths(rows), aligns: [], style: await styles(layout.color) })
}

/**
 * What is too wide goes on below itself, broken at blanks. A value with a word that is too wide by itself stays whole, so
 * that it can be copied: it may be a key, or a secret shown once.
 */
function lines(value: Cell, width: number): Cell[] {
  const fits = (word: string) => textWidth(word) <= width
  const isList = typeof value !== 'string' && value.list === true
  if (width < least || !(isList || textOf(value).split(' ').every(fits))) return [value]
  return wrap(textOf(value), width)
    .split('\n')
    .map((line) => cell(line, stylingOf(value)))
}

function cell(text: string, styling?: Styling): Cell {
  return styling === undefined && ascii.test(text) ? text : { text, width: textWidth(text), styling }
}

function recordCell(record: unknown, column: Column, layout: Layout): Cell {
  return valueCell(valueAt(record, column.path), record, column, layout)
}

/** Where no heading tells the unit, it stands behind the number. */
function fieldCell(value: unknown, record: unknown, column: Column, layout: Layout): Cell {
  const shown = valueCell(value, record, column, layout)
  return column.unit && isNumber(value) ? cell(`${textOf(shown)} ${column.unit}`, stylingOf(shown)) : shown
}

function valueCell(value: unknown, record: unknown, { show, tone }: Column, layout: Layout): Cell {
  const text =
    (show ? show(value, isRecord(record) ? record : {}, layout) : showTime(value, layout)) || plainText(value)
  const seen = layout.clean?.(text) ?? text
  const styling = layout.color ? tone?.get(value) : undefined
  if (Array.isArray(value) && value.length > 1) {
    const text = safe(seen)
    return { text, width: textWidth(text), styling, list: true }
  }
  return styling === undefined && ascii.test(seen) ? seen : cell(safe(seen), styling)
}

function plainText(value: unknown): string {
  const flat = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return (flat ? value.join(', ') : valueText(value)) || '-'
}

/** How wide the columns must be for these rows, and for `before`. */
function columnWidths(rows: readonly Cell[][], before: readonly number[] = []): number[] {
  const widths = [...before]
  for (const row of rows) {
    row.forEach((item, index) => {
      widths[index] = Math.max(widths[index] ?? 1, widthOf(item))
    })
  }
  return widths
}

/**
 * The widths cut to the terminal, the widest columns first, but never the one that tells the records apart: the first.
 * Undefined where the terminal is too narrow for that.
 */
function fitWidths(widths: readonly number[], terminal: number): number[] | undefined {
  const room = terminal - gap.length * (widths.length - 1)
  const capped = (cap: number) => widths.map((width, index) => (index === 0 ? width : Math.min(width, cap)))
  const fits = (cap: number) => capped(cap).reduce((sum, width) => sum + width, 0) <= room
  let cap = Math.min(Math.max(...widths), Math.max(room, least))
  while (cap > least && !fits(cap)) cap -= 1
  return fits(cap) ? capped(cap) : undefined
}

function within(item: Cell, room = widthOf(item)): Cell {
  return widthOf(item) > room ? cell(truncate(textOf(item), room), stylingOf(item)) : item
}

function styled(item: Cell, style: Styles): string {
  const styling = stylingOf(item)
  return styling ? style[styling](textOf(item)) : textOf(item)
}

interface Drawing {
  widths: readonly number[]
  aligns: readonly Align[]
  style: Styles
}

/** Plain columns, nothing cut. Blanks wait for the next column: no line ends in one. */
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
