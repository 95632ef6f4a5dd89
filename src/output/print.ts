/** Records to a person or a script, in the form that was asked for. Nothing but the records goes to the sink. */
import { cut, valueAt, valueText } from './cells'
import { type FormatName, formats, isStructured, type LineWriter, type Writer } from './formats'
import type { Layout, Lines } from './layout'
import { withOthers } from './other-fields'
import { safe } from './safe'
import type { Sink } from './sink'
import type { SortBy } from './sort'

export interface View extends Layout {
  format: FormatName
  /** The field of which only the value is printed, a line each, whatever the format; a query goes before it. */
  quiet?: string | undefined
  /** JMESPath over the JSON. */
  query?: string | undefined
  /** The fields to sort by, the one that decides first. */
  sort?: readonly SortBy[] | undefined
  /** How many to print, after sorting. */
  limit?: number | undefined
  /** Is shown the records before any is printed, and may refuse them. */
  seen?: ((records: readonly unknown[]) => Promise<void>) | undefined
}

/** Prints a collection and returns how many records it held. What can be printed page by page is. */
export async function printList(pages: AsyncIterable<unknown[]>, view: View, sink: Sink): Promise<number> {
  const writer = writerOf(view)
  if (writer.by === 'lines' && isByPages(view)) return printPages(pages, { ...view, writer }, sink)
  const records: unknown[] = []
  for await (const page of pages) for (const record of page) records.push(record)
  await printMany(records, view, sink)
  return Math.min(records.length, view.limit ?? records.length)
}

/** A line of headings that names every field of every record can be written only when all are read. */
function isByPages({ format, sort, query, quiet, others, seen }: View): boolean {
  if (sort !== undefined || query !== undefined || seen) return false
  return others === undefined || quiet !== undefined || isStructured(format)
}

async function printPages(
  pages: AsyncIterable<unknown[]>,
  { writer, ...view }: View & { writer: LineWriter },
  sink: Sink,
): Promise<number> {
  let count = 0
  let layout = view
  let { head, lines } = await writer.lines(layout)
  // The headings wait for the first page: where that fails, nothing is printed.
  for await (const page of pages) {
    if (view.others !== undefined) {
      layout = withOthers(layout, page)
      ;({ lines } = await writer.lines(layout))
    }
    const text = head + (await lines(page))
    head = ''
    count += page.length
    if (text) await sink.write(text)
  }
  if (head) await sink.write(head)
  return count
}

/** Prints several records, all of them in one array where the form has arrays. */
export async function printMany(records: readonly unknown[], view: View, sink: Sink): Promise<void> {
  const { sort, limit, seen } = view
  await seen?.(records)
  const ordered = sort === undefined ? records : (await import('./sort')).sorted(records, sort)
  const text = await manyText(limit === undefined ? ordered : ordered.slice(0, limit), view)
  if (text) await sink.write(text)
}

/** Prints one record: one object, or in a table a field a line. */
export async function printOne(record: unknown, view: View, sink: Sink): Promise<void> {
  await view.seen?.([record])
  const text = await oneText(record, { ...view, single: true })
  if (text) await sink.write(text)
}

async function manyText(records: readonly unknown[], asked: View): Promise<string> {
  const view = withOthers(asked, records)
  const { query, chosen } = view
  if (query !== undefined)
    return queried(
      records.map((record) => cut(record, chosen)),
      { ...view, query },
    )
  const writer = writerOf(view)
  return writer.by === 'whole' ? writer.many(records, view) : linesText(records, await writer.lines(view))
}

async function oneText(record: unknown, asked: View): Promise<string> {
  const view = withOthers(asked, [record])
  const { query, chosen } = view
  if (query !== undefined) return queried(cut(record, chosen), { ...view, query })
  const writer = writerOf(view)
  return writer.by === 'whole' ? writer.one(record, view) : linesText([record], await writer.lines(view))
}

async function linesText(records: readonly unknown[], { head, lines }: Lines): Promise<string> {
  return head + (await lines(records))
}

/** Writes what a query comes to; its value replaces the records. */
async function queried(value: unknown, view: View & { query: string }): Promise<string> {
  const { runQuery } = await import('./query')
  return formats[view.format].writer.value(await runQuery(value, view.query), view)
}

function writerOf({ format, quiet }: View): Writer {
  const { writer } = formats[format]
  if (quiet === undefined) return writer
  const lines = {
    head: '',
    lines: (records: readonly unknown[]) => records.map((one) => quietLine(one, quiet)).join(''),
  }
  return { by: 'lines', lines: () => lines, value: writer.value }
}

function quietLine(record: unknown, path: string): string {
  const value = valueText(valueAt(record, path))
  return value === '' ? '' : `${safe(value)}\n`
}
