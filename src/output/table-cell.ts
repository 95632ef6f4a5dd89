/** Cells of tables: the texts of values, with their widths and colours, and rows of cells. */
import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { counted } from '../rules/texts'
import { leaves, valueAt, valueText } from './cells'
import type { Column, Layout } from './column'
import type { Align } from './grid'
import type { Styles, Styling } from './style'
import { showTime } from './times'
import { ascii, textWidth, truncate } from './width'

/** Table cell. Nearly all cells of large tables are unstyled ASCII, which needs no object. */
export type Cell = string | Drawn

interface Drawn {
  text: string
  width: number
  styling?: Styling | undefined
  /** True for a list of several values, which may wrap between its values at any length. */
  list?: boolean
  /** True for a number with a unit in its heading. */
  isNumber?: boolean
}

/** Text between columns. */
export const gap = '  '

/** Minimum width of a cut column, and of a wrapped value. */
export const least = 10

export const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text)
export const widthOf = (cell: Cell) => (typeof cell === 'string' ? cell.length : cell.width)
export const stylingOf = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.styling)

export function cell(text: string, styling?: Styling): Cell {
  return styling === undefined && ascii.test(text) ? text : { text, width: textWidth(text), styling }
}

export function recordCell(record: unknown, column: Column, layout: Layout): Cell {
  return valueCell(valueAt(record, column.path), record, column, layout)
}

/** Formats a field of a single record. Without a heading, the unit follows the number. */
export function fieldCell(value: unknown, record: unknown, column: Column, layout: Layout): Cell {
  return withUnit(valueCell(value, record, column, layout), column)
}

export function withUnit(shown: Cell, { unit }: Column): Cell {
  return unit && typeof shown !== 'string' && shown.isNumber ? cell(`${shown.text} ${unit}`, shown.styling) : shown
}

function valueCell(value: unknown, record: unknown, { show, tone, unit }: Column, layout: Layout): Cell {
  const text =
    (show ? show(value, isRecord(record) ? record : {}, layout) : showTime(value, layout)) || plainText(value, layout)
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

export const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

function plainText(value: unknown, { single = false }: Layout): string {
  return (typeof value === 'object' ? nestedText(value, single) : valueText(value)) || '-'
}

/**
 * Formats a list or an object for people, on one line: `a, b` for a list, and `region=us-east, count=2` for an object. Of
 * objects in a list, a table names the labels, or how many there are; the view of a single record is whole.
 */
function nestedText(value: object | null, isWhole: boolean): string {
  if (!Array.isArray(value)) return isRecord(value) ? pairsText(value, isWhole) || '{}' : ''
  if (isFlat(value)) return value.join(', ')
  if (isWhole) return value.map((item) => (isRecord(item) ? pairsText(item, true) : partText(item, true))).join('; ')
  const labels = value.map((item) => valueAt(item, 'label'))
  return labels.every((label) => typeof label === 'string' && label !== '')
    ? labels.join(', ')
    : counted(value.length, 'item')
}

const isFlat = (list: readonly unknown[]) => list.every((item) => typeof item !== 'object')

function pairsText(record: Record<string, unknown>, isWhole: boolean): string {
  const pairs = leaves(record).map(([path, value]) => `${path}=${partText(value, isWhole)}`)
  return pairs.join(', ')
}

/** Formats a part of an object or of a list, so that it is clear where it ends. */
function partText(value: unknown, isWhole: boolean): string {
  if (isRecord(value)) return `{${pairsText(value, isWhole)}}`
  if (Array.isArray(value))
    return isWhole || isFlat(value)
      ? `[${value.map((item) => partText(item, isWhole)).join(', ')}]`
      : counted(value.length, 'item')
  const text = valueText(value)
  return /[\s"=,;[\]{}]/.test(text) ? JSON.stringify(text) : text || '-'
}

export function within(item: Cell, room = widthOf(item), isAscii = false): Cell {
  if (widthOf(item) <= room) return item
  return cell(truncate(textOf(item), room, isAscii ? 'ascii' : 'unicode'), stylingOf(item))
}

export function styled(item: Cell, style: Styles): string {
  const styling = stylingOf(item)
  return styling ? style[styling](textOf(item)) : textOf(item)
}

/** Computes the column widths for these rows. */
export function columnWidths(rows: readonly Cell[][]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((item, index) => {
      widths[index] = Math.max(widths[index] ?? 1, widthOf(item))
    })
  }
  return widths
}

export interface Drawing {
  widths: readonly number[]
  aligns: readonly Align[]
  style: Styles
  ascii?: boolean | undefined
}

/** Draws plain columns without truncation. Padding is added only before a next column, so no line ends with a blank. */
export function draw(rows: readonly Cell[][], { widths, aligns, style }: Drawing): string {
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
