/**
 * CSV (RFC 4180, but lines end in a newline alone, as other command lines write them) and TSV, in which tab, newline,
 * carriage return and backslash of a value are written `\t`, `\n`, `\r` and `\\`, as jq's @tsv does.
 */
import { isRecord } from '../rules/records'
import { keysOf, recordsIn, valueAt, valueText } from './cells'
import { columnsOf } from './column'
import type { Layout, Lines } from './layout'
import { safe, safeLines } from './safe'

interface Dialect {
  separator: string
  /** The text as it stands between separators. */
  cell(text: string): string
  /** What a query came to where that is one text, number or nothing. */
  scalar(value: unknown, layout: Layout): string
}

const csvDialect: Dialect = {
  separator: ',',
  cell: (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
  scalar: (value, layout) => rowText([value], layout, csvDialect),
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

const tsvDialect: Dialect = {
  separator: '\t',
  cell: (text) => text.replace(/[\t\n\r\\]/g, (char) => escapes[char] ?? char),
  // For a script that takes it whole.
  scalar: (value, { terminal }) => `${terminal ? safeLines(valueText(value)) : valueText(value)}\n`,
}

export const csv = writerOf(csvDialect)
export const tsv = writerOf(tsvDialect)

function writerOf(dialect: Dialect) {
  return {
    lines: (layout: Layout) =>
      linesOf(
        columnsOf(layout).map(({ path }) => path),
        layout,
        dialect,
      ),
    value: (value: unknown, layout: Layout) => valueRows(value, layout, dialect),
  }
}

function linesOf(
  paths: readonly string[],
  layout: Layout,
  dialect: Dialect,
): Lines & { lines(records: readonly unknown[]): string } {
  const row = (values: readonly unknown[]) => rowText(values, layout, dialect)
  return {
    head: layout.headers ? row(paths) : '',
    lines: (records) => records.map((record) => row(paths.map((path) => valueAt(record, path)))).join(''),
  }
}

/** Objects are rows below their keys, arrays are rows, and anything else is a line. */
function valueRows(value: unknown, layout: Layout, dialect: Dialect): string {
  const records = recordsIn(value)
  if (records) {
    const { head, lines } = linesOf(keysOf(records), layout, dialect)
    return records.length > 0 ? head + lines(records) : ''
  }
  if (Array.isArray(value)) {
    return value.map((row) => rowText(Array.isArray(row) ? row : [row], layout, dialect)).join('')
  }
  return isRecord(value) ? rowText([value], layout, dialect) : dialect.scalar(value, layout)
}

function rowText(values: readonly unknown[], layout: Layout, { separator, cell }: Dialect): string {
  return `${values.map((value) => cell(cellText(value, layout))).join(separator)}\n`
}

/** A spreadsheet runs a text that begins like this as a formula; a number such as -5 is none. */
const formula = /^[=+\-@\t\r]/

function cellText(value: unknown, { raw, terminal }: Layout): string {
  const text = valueText(value)
  const guarded = typeof value === 'string' && !raw && formula.test(text) ? `'${text}` : text
  // A file gets every byte; a terminal must not be changed by one.
  return terminal ? safe(guarded) : guarded
}
