/** Prints records for people or scripts in the requested format. Only records are written to the sink. */
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { counted } from '../rules/texts'
import { cut, valueAt, valueText, withOthers } from './cells'
import type { Layout, Writer } from './column'
import { inPages } from './documents'
import { type FormatName, formats, isForPeople, isStructured } from './formats'
import type { Sink } from './sink'
import type { SortBy } from './sort'

/** Settings of a command's output: which fields of its records it prints, and how. */
export interface View extends Layout {
  format: FormatName
  /** Field of which only the value is printed, one per line in any format. A query ignores it. */
  quiet?: string | undefined
  /** JMESPath query on the JSON; `warn` gets the reason why it finds nothing in any such document. */
  query?: string | undefined
  warn?: ((text: string) => Promise<void>) | undefined
  /** Fields to sort by, most significant first. */
  sort?: readonly SortBy[] | undefined
  /** Maximum number of records to print, after sorting. */
  limit?: number | undefined
  /** Inspects the records before printing; may reject them. */
  inspect?: ((records: readonly unknown[]) => Promise<void>) | undefined
  /** True to read a list completely before printing, because the output feeds destructive commands. */
  atOnce?: boolean
}

/** Reports whether people read the records themselves. A query transforms the document of JSON in any format. */
export const isDrawn = ({ format, query }: Pick<View, 'format' | 'query'>) => isForPeople(format) && query === undefined

/** Reports whether to print a screen: a format for people, without chosen fields, `query` or `quiet`. */
export function wantsScreen({ format, chosen, query, quiet }: View): boolean {
  return isDrawn({ format, query }) && chosen === undefined && quiet === undefined
}

/** Reports whether to print one object, which a query can transform. Chosen fields always mean rows. */
export function wantsDocument({ format, chosen, query, quiet }: View): boolean {
  return chosen === undefined && (query !== undefined || (isStructured(format) && quiet === undefined))
}

/**
 * Prints a list and returns the number of records: page by page as they arrive, or all of it after the last page, so
 * that nothing is printed if one fails.
 */
export async function printList(pages: AsyncIterable<unknown[]>, view: View, sink: Sink): Promise<number> {
  let count = 0
  const counted = mapped(pages, (page) => {
    count += page.length
    return page
  })
  if (isStreamed(view)) await printPages(counted, view, { sink, printed: () => count })
  else if (isArranged(view)) {
    const records: unknown[] = []
    for await (const page of counted) for (const record of page) records.push(record)
    await printMany(records, view, sink)
  } else await printWhole(counted, view, sink)
  return Math.min(count, view.limit ?? count)
}

/** Reports whether pages are printed as they arrive. */
export const isStreamed = (view: View): boolean => writerOf(view).streams && !view.atOnce && !isArranged(view)

/** Reports whether all records are needed: to sort, query or inspect them, or because each has the fields of all. */
function isArranged(view: View): boolean {
  const { sort, query, inspect, others, quiet, format } = view
  const isEven = quiet === undefined && !(isStructured(format) && formats[format].writer.streams)
  return sort !== undefined || query !== undefined || inspect !== undefined || (others !== undefined && isEven)
}

async function printPages(
  pages: AsyncIterable<unknown[]>,
  view: View,
  { sink, printed }: { sink: Sink; printed(): number },
): Promise<void> {
  let count = 0
  try {
    for await (const text of writerOf(view).many(pages, view)) {
      if (text !== '') await sink.write(text)
      count = printed()
    }
  } catch (error) {
    throw incomplete(error, count)
  }
}

/** Extends an error with the number of records already printed, because that output is incomplete. */
function incomplete(error: unknown, count: number): unknown {
  if (count === 0 || !(error instanceof Problem)) return error
  const message = `${error.message}; the output is incomplete: it ends after ${counted(count, 'record')}`
  return error.with({ message, incomplete: true })
}

/** Most characters that are written at once. */
const mostAtOnce = 64 * 1024

/** Prints all pages after the last one. */
async function printWhole(pages: AsyncIterable<unknown[]>, view: View, sink: Sink): Promise<void> {
  const texts: string[] = []
  for await (const text of writerOf(view).many(pages, view)) texts.push(text)
  await printTexts(takenFrom(texts), sink)
}

/** Yields texts, and drops each of them: to write it, V8 copies it. */
async function* takenFrom(texts: string[]): AsyncGenerator<string, void> {
  for (const [index, text] of texts.entries()) {
    texts[index] = ''
    yield text
  }
}

/** Prints texts. A short list is one write, because a second one opens stdout as a stream (1.5 ms). */
async function printTexts(texts: AsyncIterable<string>, sink: Sink): Promise<void> {
  let part = ''
  for await (const text of texts) {
    if (part !== '' && part.length + text.length > mostAtOnce) {
      await sink.write(part)
      part = ''
    }
    part += text
  }
  if (part !== '') await sink.write(part)
}

async function* mapped<T, R>(items: AsyncIterable<T>, change: (item: T) => R): AsyncGenerator<R, void> {
  for await (const item of items) yield change(item)
}

/** Prints several records: one array in formats that have arrays. */
export async function printMany(records: readonly unknown[], view: View, sink: Sink): Promise<void> {
  await view.inspect?.(records)
  const sorted = view.sort ? (await import('./sort')).sorted(records, view.sort) : records
  const shown = sorted.slice(0, view.limit)
  const named = { ...withOthers(view, shown), others: undefined }
  if (view.query === undefined) return printTexts(writerOf(named).many(inPages(shown), named), sink)
  const documents = shown.map((record) => cut(record, named.chosen))
  await printQueried(documents, { ...named, query: view.query }, sink)
}

/** Prints one record: one object, or in a table one field per line. */
export async function printOne(record: unknown, view: View, sink: Sink): Promise<void> {
  await view.inspect?.([record])
  const named = withOthers({ ...view, single: true }, [record])
  const { query } = view
  if (query !== undefined) return printQueried(cut(record, named.chosen), { ...named, query }, sink)
  const text = await writerOf(named).one(record, named)
  if (text !== '') await sink.write(text)
}

/** Prints the result of a query on the document that JSON would be. */
async function printQueried(document: unknown, view: View & { query: string }, sink: Sink): Promise<void> {
  const { runQuery } = await import('./query')
  const result = await runQuery(document, view.query, view.warn)
  const shown = { ...view, chosen: undefined, quiet: undefined }
  // A long list of results is a text for each page, since V8 limits the length of a text.
  if (isStructured(view.format) && Array.isArray(result))
    return printTexts(writerOf(shown).many(inPages(result), shown), sink)
  await sink.write(await formats[view.format].writer.value(result, shown))
}

function writerOf({ format, quiet }: View): Omit<Writer, 'value'> {
  if (quiet === undefined) return formats[format].writer
  const line = (record: unknown) => quietLine(record, quiet)
  return {
    streams: true,
    many: (pages) => mapped(pages, (page) => page.map(line).join('')),
    one: async (record) => line(record),
  }
}

function quietLine(record: unknown, path: string): string {
  const value = valueText(valueAt(record, path))
  return value === '' ? '' : `${escapeText(value)}\n`
}
