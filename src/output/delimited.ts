/**
 * CSV (RFC 4180, but lines end in a newline alone, as other command lines write them) and TSV, in which tab, newline,
 * carriage return and backslash of a value are written `\t`, `\n`, `\r` and `\\`, as jq's @tsv does.
 */
import { valueAt, valueText } from './cells'
import type { View } from './print'
import { safe } from './safe'

export interface Delimited {
  /** The line of headings with its newline; empty without headings. */
  head: string
  lines(records: readonly unknown[]): string
}

export function delimited(view: View, paths: readonly string[]): Delimited {
  return {
    head: view.headers ? rowText(paths, view) : '',
    lines: (records) =>
      records
        .map((record) =>
          rowText(
            paths.map((path) => valueAt(record, path)),
            view,
          ),
        )
        .join(''),
  }
}

export function rowText(values: readonly unknown[], view: View): string {
  const line =
    view.format === 'csv'
      ? values.map((value) => csvCell(cellText(value, view))).join(',')
      : values.map((value) => tsvCell(cellText(value, view))).join('\t')
  return `${line}\n`
}

/** A spreadsheet runs a text that begins like this as a formula; a number such as -5 is none. */
const formula = /^[=+\-@\t\r]/

function cellText(value: unknown, view: View): string {
  const text = valueText(value)
  const guarded = typeof value === 'string' && !view.raw && formula.test(text) ? `'${text}` : text
  // A file gets every byte; a terminal must not be changed by one.
  return view.width > 0 ? safe(guarded) : guarded
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

function tsvCell(text: string): string {
  return text.replace(/[\t\n\r\\]/g, (char) => escapes[char] ?? char)
}
