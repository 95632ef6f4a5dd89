/** Prints records with a field per line: a single one, or those of a table that is too narrow. */

import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { leaves, valueAt } from './cells'
import { type Column, columnOf, columnsOf, type Layout } from './column'
import { styles } from './style'
import {
  type Cell,
  cell,
  columnWidths,
  draw,
  fieldCell,
  gap,
  least,
  stylingOf,
  textOf,
  widthOf,
  withUnit,
} from './table-cell'
import { textWidth } from './width'

/** Prints rows of a table one after the other. */
export async function* fieldTexts(
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

/** Prints one record with a field per line, `key  value`: the chosen fields, or all. */
export function recordText(record: unknown, layout: Layout): Promise<string> {
  return layout.chosen ? fieldsText(record, layout) : detailsText(record, layout)
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
