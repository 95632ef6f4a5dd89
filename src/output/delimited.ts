/**
 * Writes CSV and TSV. CSV follows RFC 4180, but lines end with newlines only, as in other command lines. TSV escapes
 * tab, newline, carriage return and backslash as `\t`, `\n`, `\r` and `\\`, as jq's @tsv does.
 */

import { escapeLines, escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { keysOf, recordsIn, valueAt, valueText } from './cells'
import { columnsOf, type Layout, type Writer } from './column'

interface Dialect {
  separator: string
  /** Escapes the text of one cell. */
  cell(text: string): string
  /** Writes a query result that is a single text, number or null. */
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
  // Unescaped, so that scripts get the exact text.
  scalar: (value, { terminal }) => `${terminal ? escapeLines(valueText(value)) : valueText(value)}\n`,
}

export const csv = writerOf(csvDialect)
export const tsv = writerOf(tsvDialect)

function writerOf(dialect: Dialect): Omit<Writer, 'streams'> {
  const sheet = (layout: Layout) =>
    sheetOf(
      columnsOf(layout).map(({ path }) => path),
      layout,
      dialect,
    )
  return {
    async *many(pages, layout) {
      let { head, rows } = sheet(layout)
      // The heading is printed with the first page, so that nothing is printed if that page fails.
      for await (const page of pages) {
        if (page.length === 0) continue
        yield head + rows(page)
        head = ''
      }
      if (head !== '') yield head
    },
    async one(record, layout) {
      const { head, rows } = sheet(layout)
      return head + rows([record])
    },
    value: async (value, layout) => valueRows(value, layout, dialect),
  }
}

/** Returns the heading, and a function that writes records as rows. */
function sheetOf(paths: readonly string[], layout: Layout, dialect: Dialect) {
  const row = (values: readonly unknown[]) => rowText(values, layout, dialect)
  // Records without fields are not printed, and other values are a cell each.
  if (paths.length === 0)
    return {
      head: '',
      rows: (values: readonly unknown[]) =>
        values
          .filter((value) => !isRecord(value))
          .map((value) => row([value]))
          .join(''),
    }
  return {
    head: layout.headers ? row(paths) : '',
    rows: (records: readonly unknown[]) =>
      records.map((record) => row(paths.map((path) => valueAt(record, path)))).join(''),
  }
}

/** Writes a query result: objects as rows with a header, arrays as rows, anything else as a line. */
function valueRows(value: unknown, layout: Layout, dialect: Dialect): string {
  const records = recordsIn(value)
  if (records) {
    const { head, rows } = sheetOf(keysOf(records), layout, dialect)
    return records.length > 0 ? head + rows(records) : ''
  }
  if (Array.isArray(value)) {
    return value.map((row) => rowText(Array.isArray(row) ? row : [row], layout, dialect)).join('')
  }
  return isRecord(value) ? rowText([value], layout, dialect) : dialect.scalar(value, layout)
}

function rowText(values: readonly unknown[], layout: Layout, { separator, cell }: Dialect): string {
  return `${values.map((value) => cell(cellText(value, layout))).join(separator)}\n`
}

/** Texts that a spreadsheet may run as a formula. It does not run a sign alone, and a number such as -5 is no text. */
const formula = /^(?:[=+\-@].|[\t\r])/s

function cellText(value: unknown, { raw, terminal }: Layout): string {
  const text = valueText(value)
  const guarded = typeof value === 'string' && !raw && formula.test(text) ? `'${text}` : text
  // Files get the exact bytes; on a terminal, control characters are escaped.
  return terminal ? escapeText(guarded) : guarded
}
