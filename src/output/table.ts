/** Records as rows for a person: fitted to a terminal, or plain and whole where the output is piped. */
import { isRecord } from '../rules/records'
import { valueAt, valueText } from './cells'
import type { Column, View } from './print'
import { safe } from './safe'
import { type Styling, styles } from './style'
import { showTime } from './times'
import { textWidth, truncate } from './width'
import { wrap } from './wrap'

interface Cell {
  text: string
  width: number
  styling?: Styling | undefined
  /** It is a list of words, which may be broken between them. */
  list?: boolean
}

const gap = '  '
/** A column is not cut below this width; where that is not enough, each record stands by itself, a field a line. */
const least = 10

/** Upper-case headings and a line for each record; nothing at all for none. */
export async function tableText(records: readonly unknown[], view: View, columns: readonly Column[]): Promise<string> {
  if (records.length === 0) return ''
  const rows = records.map((record) => columns.map((column) => recordCell(record, column, view)))
  if (view.headers) rows.unshift(columns.map(({ path, title }) => cell((title ?? path).toUpperCase(), 'bold')))
  const widths = columnWidths(rows)
  if (view.width === 0) return draw(rows, { widths, separators: Array(columns.length).fill(gap), view })
  const fitted = fitWidths(widths, view.width)
  if (fitted) return draw(rows, { widths: fitted, separators: await separators(fitted), view })
  const blocks = await Promise.all(records.map((record) => fieldsText(record, view, columns)))
  return blocks.join('\n')
}

/** One record, a field a line: `key  value`. Nothing is cut, and only a list of several values is wrapped. */
export function fieldsText(record: unknown, view: View, columns: readonly Column[]): Promise<string> {
  return drawFields(
    columns.map((column) => [column.path, recordCell(record, column, view)]),
    view,
  )
}

/** The whole record like that, nested objects with dotted keys; `columns` tells how some of the fields are shown. */
export function detailsText(record: unknown, view: View, columns: readonly Column[]): Promise<string> {
  const shown = new Map(columns.map((column) => [column.path, column]))
  return drawFields(
    (isRecord(record) ? leaves(record) : []).map(([path, value]) => [
      path,
      valueCell(value, record, shown.get(path) ?? { path }, view),
    ]),
    view,
  )
}

function leaves(record: Record<string, unknown>, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(record).flatMap(([key, value]) =>
    isRecord(value) && Object.keys(value).length > 0 ? leaves(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  )
}

function drawFields(fields: [path: string, value: Cell][], view: View): Promise<string> {
  const keys = fields.map(([path]) => (view.headers ? [cell(safe(path), 'bold')] : []))
  const indent = Math.max(0, ...keys.map(([key]) => (key ? key.width + gap.length : 0)))
  const rows = fields.flatMap(([, value], index) => {
    const key = keys[index] ?? []
    const [first = value, ...more] = lines(value, view.width - indent)
    return [[...key, first], ...more.map((line) => [...key.map(() => cell('')), line])]
  })
  return draw(rows, { widths: columnWidths(rows), separators: [gap], view })
}

/** A list goes on below itself where it is too wide; any other value stays whole: it may be a secret shown once. */
function lines(value: Cell, width: number): Cell[] {
  if (!value.list || width < least) return [value]
  return wrap(value.text, width)
    .split('\n')
    .map((line) => cell(line))
}

function cell(text: string, styling?: Styling): Cell {
  return { text, width: textWidth(text), styling }
}

function recordCell(record: unknown, column: Column, view: View): Cell {
  return valueCell(valueAt(record, column.path), record, column, view)
}

function valueCell(value: unknown, record: unknown, { path, show }: Column, view: View): Cell {
  const text = show ? show(value, isRecord(record) ? record : {}, view) : (showTime(value, view) ?? plainText(value))
  const shown = cell(safe(text), path === 'status' ? tones.get(text) : undefined)
  return Array.isArray(value) && value.length > 1 ? { ...shown, list: true } : shown
}

function plainText(value: unknown): string {
  const flat = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return (flat ? value.join(', ') : valueText(value)) || '-'
}

const tones: ReadonlyMap<string, Styling> = new Map([
  ['ok', 'green'],
  ['active', 'green'],
  ['enabled', 'green'],
  ['creating', 'yellow'],
  ['resizing', 'yellow'],
  ['migrating', 'yellow'],
  ['outage', 'red'],
  ['offline', 'red'],
])

function columnWidths(rows: readonly Cell[][]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach(({ width }, index) => {
      widths[index] = Math.max(widths[index] ?? 1, width)
    })
  }
  return widths
}

/** The widths cut to the terminal, the widest columns first; undefined where it is too narrow for that. */
function fitWidths(widths: readonly number[], terminal: number): number[] | undefined {
  const room = terminal - gap.length * (widths.length - 1)
  const capped = (cap: number) => widths.map((width) => Math.min(width, cap))
  const fits = (cap: number) => capped(cap).reduce((sum, width) => sum + width, 0) <= room
  let cap = Math.min(Math.max(...widths), Math.max(room, least))
  while (cap > least && !fits(cap)) cap -= 1
  return fits(cap) ? capped(cap) : undefined
}

const standIn = '\u2591'
const borders = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [
  side,
  `${side}-mid`,
  `${side}-left`,
  `${side}-right`,
])

/**
 * What stands between and after the columns. cli-table3 rules one line, and the records are put on it: to draw each
 * of them it takes 0.12 ms, and more than that the more there are (measured, 7 columns); and it measures text as
 * Unicode was in 2020.
 */
async function separators(widths: readonly number[]): Promise<string[]> {
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    chars: { ...Object.fromEntries(borders.map((name) => [name, ''])), middle: gap },
    colWidths: [...widths],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  table.push(widths.map((width) => standIn.repeat(width)))
  return table
    .toString()
    .split(/\u2591+/)
    .slice(1)
}

interface Layout {
  widths: readonly number[]
  separators: readonly string[]
  view: View
}

async function draw(rows: readonly Cell[][], { widths, separators, view }: Layout): Promise<string> {
  const style = await styles(view.color)
  const lines = rows.map((row) => {
    let line = ''
    let blank = ''
    row.forEach((item, index) => {
      const room = widths[index] ?? item.width
      const { text, width, styling } = item.width > room ? cell(truncate(item.text, room), item.styling) : item
      line += blank + (styling ? style[styling](text) : text)
      // Blanks wait for the next column: no line ends in one.
      const separator = separators[index] ?? ''
      blank = separator.padStart(separator.length + room - width)
    })
    return `${line}\n`
  })
  return lines.join('')
}
