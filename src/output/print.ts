/** Records to a person or a script, in the form that was asked for. Nothing but the records goes to the sink. */
import { Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { cut, valueAt, valueText } from './cells'
import { documentText, ndjsonText } from './documents'
import { safe } from './safe'
import type { Sink } from './sink'
import type { Styling } from './style'

export type Format = 'table' | 'json' | 'ndjson' | 'yaml' | 'csv' | 'tsv'
export const formats: readonly Format[] = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv']

/** A field that a table, CSV or TSV shows. */
export interface Column {
  /** Dotted: `resolvers.ipv4`. */
  path: string
  /** Heading in a table; the path where none is given. */
  title?: string
  /** The text in a table, escaped afterwards; other formats show the value itself. */
  show?: (value: unknown, record: Record<string, unknown>, view: View) => string
  /** The colour in a table, in addition to the text. */
  tone?: (value: unknown) => Styling | undefined
}

export interface View {
  format: Format
  /** What table, CSV and TSV show where nothing was chosen. */
  columns: readonly Column[]
  /** Dotted paths, in order. They also cut JSON and YAML, to flat objects with the paths as keys. */
  chosen?: readonly string[] | undefined
  headers: boolean
  /** CSV and TSV cells that look like formulas stay as they are. */
  raw: boolean
  /** The field of which only the value is printed, a line each, whatever the format; a query goes before it. */
  quiet?: string | undefined
  /** JMESPath over the JSON. */
  query?: string | undefined
  /** A dotted path; with a leading `-` from the greatest to the least. */
  sort?: string | undefined
  /** How many to print, after sorting. */
  limit?: number | undefined
  /** Columns of the terminal; 0 where it is none: plain and untruncated. */
  width: number
  color: boolean
  /** Milliseconds since the epoch, for relative times. */
  now: number
  /** One record fills the view: set by printOne. */
  single?: boolean
}

/** Prints a collection and returns how many records it held. What can be printed page by page is. */
export async function printList(pages: AsyncIterable<unknown[]>, view: View, sink: Sink): Promise<number> {
  if (view.sort === undefined && view.query === undefined) {
    const lines = await lineWriter(view)
    if (lines) return printPages(pages, lines, sink)
  }
  const records: unknown[] = []
  for await (const page of pages) for (const record of page) records.push(record)
  await printMany(records, view, sink)
  return Math.min(records.length, view.limit ?? records.length)
}

async function printPages(pages: AsyncIterable<unknown[]>, { head, lines }: LineWriter, sink: Sink): Promise<number> {
  let count = 0
  // The headings wait for the first page: where that fails, nothing is printed.
  let pending = head
  for await (const page of pages) {
    const text = pending + (await lines(page))
    pending = ''
    count += page.length
    if (text) await sink.write(text)
  }
  if (pending) await sink.write(pending)
  return count
}

/** Prints several records, all of them in one array where the form has arrays. */
export async function printMany(records: readonly unknown[], view: View, sink: Sink): Promise<void> {
  const { sort, limit } = view
  const ordered = sort === undefined ? records : (await import('./sort')).sorted(records, sort)
  const text = await manyText(limit === undefined ? ordered : ordered.slice(0, limit), view)
  if (text) await sink.write(text)
}

/** Prints one record: one object, or in a table a field a line. */
export async function printOne(record: unknown, view: View, sink: Sink): Promise<void> {
  const text = await oneText(record, { ...view, single: true })
  if (text) await sink.write(text)
}

async function manyText(records: readonly unknown[], view: View): Promise<string> {
  const cuts = records.map((record) => cut(record, view.chosen))
  if (view.query !== undefined) return (await import('./query')).queriedText(cuts, view.query, view)
  const lines = await lineWriter(view)
  if (lines) return lines.head + (await lines.lines(records))
  if (view.format === 'table') return (await import('./table')).tableText(records, view, columnsOf(view))
  return documentText(cuts, view.format)
}

async function oneText(record: unknown, view: View): Promise<string> {
  if (view.query !== undefined) return (await import('./query')).queriedText(cut(record, view.chosen), view.query, view)
  const lines = await lineWriter(view)
  if (lines) return lines.head + (await lines.lines([record]))
  if (view.format !== 'table') return documentText(cut(record, view.chosen), view.format)
  const { detailsText, fieldsText } = await import('./table')
  return view.chosen ? fieldsText(record, view, columnsOf(view)) : detailsText(record, view, view.columns)
}

/** A form that has a line for each record. */
interface LineWriter {
  head: string
  lines(records: readonly unknown[]): string | Promise<string>
}

async function lineWriter(view: View): Promise<LineWriter | undefined> {
  const { quiet, format, chosen } = view
  if (quiet !== undefined)
    return { head: '', lines: (records) => records.map((record) => quietLine(record, quiet)).join('') }
  if (format === 'ndjson')
    return { head: '', lines: (records) => ndjsonText(records.map((record) => cut(record, chosen))) }
  if (format === 'table' || format === 'json' || format === 'yaml') return undefined
  const { delimited } = await import('./delimited')
  return delimited(
    view,
    columnsOf(view).map(({ path }) => path),
  )
}

function quietLine(record: unknown, path: string): string {
  const value = valueText(valueAt(record, path))
  return value === '' ? '' : `${safe(value)}\n`
}

function columnsOf({ columns, chosen }: View): readonly Column[] {
  return chosen ? chosen.map((path) => columns.find((column) => column.path === path) ?? { path }) : columns
}

/**
 * The columns that were asked for, in order: each text is a name or several with commas between; `all` is every known
 * one. Throws a problem `usage` for a name that is not known.
 */
export function chooseColumns(texts: readonly string[], known: readonly string[]): string[] {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  return names.flatMap((name) => {
    if (name === 'all') return known
    if (known.includes(name)) return name
    throw unknownField('--columns', name, known)
  })
}

/** What is said of a field that a flag names, but no record has. */
export function unknownField(flag: string, name: string, known: readonly string[]): Problem {
  const hint = didYouMean(name, known) ?? `The fields are: ${known.join(', ')}`
  return new Problem('usage', `${flag}: unknown field "${name}"`, { hint })
}
