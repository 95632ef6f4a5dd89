/** Cells of tables: the texts of values, with their widths and colours. */
import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { valueAt, valueText } from './cells'
import type { Column, Layout } from './column'
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

export const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

function plainText(value: unknown): string {
  const flat = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return (flat ? value.join(', ') : valueText(value)) || '-'
}

export function within(item: Cell, room = widthOf(item), isAscii = false): Cell {
  if (widthOf(item) <= room) return item
  return cell(truncate(textOf(item), room, isAscii ? 'ascii' : 'unicode'), stylingOf(item))
}

export function styled(item: Cell, style: Styles): string {
  const styling = stylingOf(item)
  return styling ? style[styling](textOf(item)) : textOf(item)
}
