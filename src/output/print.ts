/** Prints records for people or scripts in the requested format. Only records are written to the sink. */
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { counted } from '../rules/texts'
import { cut, valueAt, valueText } from './cells'
import { type LineLayout, withOthers } from './column'
import { inPages } from './documents'
import { formats, isStructured, type LineWriter, type Writer } from './formats'
import { bytesOf, heldTexts, holding, mostAtOnce, writeAll } from './held-output'
import { type Memory, memoryOf } from './memory'
import type { Sink } from './sink'
import type { View } from './view'

export type { View } from './view'

/** Prints a list and returns the number of records. If possible, it is printed page by page. */
export async function printList(pages: AsyncIterable<unknown[]>, view: View, sink: Sink): Promise<number> {
  let count = 0
  const counted = mapped(pages, (page) => {
    count += page.length
    return page
  })
  if (view.inspect) {
    const records: unknown[] = []
    for await (const page of counted) for (const record of page) records.push(record)
    await printMany(records, view, sink)
  } else {
    const { memory = memoryOf() } = view
    await printArranged(counted, view, { sink, memory, isRead: false, count: () => count })
  }
  return Math.min(count, view.limit ?? count)
}

/** Destination and format of a list. */
interface Printing {
  sink: Sink
  memory: Memory
  /** True if all pages are read, so that none can fail after the first text is printed. */
  isRead: boolean
  /** Returns the number of records that were read. */
  count(): number
}

/** Sorts and queries a list if requested, and prints it. */
async function printArranged(pages: AsyncIterable<unknown[]>, view: View, how: Printing): Promise<void> {
  const { sort, query, others } = view
  if (sort === undefined && query === undefined && (others === undefined || (isByPages(view) && !how.isRead)))
    return printPlain(pages, view, how)
  const { arranged } = await import('./arranged-list')
  const list = await arranged(pages, view, { ...how, isByPages: isByPages(view) })
  if (list.pages) return printPlain(list.pages, list.view, { ...how, isRead: list.isRead })
  await how.sink.write(await formats[view.format].writer.value(list.value, list.view, how.memory))
}

/** Reports whether pages can be printed as they arrive. A heading line for all fields needs all records first. */
function isByPages(view: View): boolean {
  return writerOf(view).by === 'lines' && (view.quiet !== undefined || isStructured(view.format))
}

async function printPlain(pages: AsyncIterable<unknown[]>, view: View, how: Printing): Promise<void> {
  const writer = writerOf(view)
  if (writer.by === 'lines') return printPages(pages, { ...view, writer }, how)
  const texts = mapped(writer.many(pages, view, how.memory), (text) => bytesOf(text, how.sink))
  await writeAll(how.isRead || writer.waits ? texts : heldTexts(texts, how), how.sink)
}

async function printPages(
  pages: AsyncIterable<unknown[]>,
  { writer, ...view }: View & { writer: LineWriter },
  { sink: output, memory, isRead }: Printing,
): Promise<void> {
  const sink: Sink & { flush?(): Promise<void> } = view.atOnce && !isRead ? holding(output, memory) : output
  let count = 0
  let layout = view
  let { head, lines } = await writer.lines(layout)
  // The heading is printed with the first page, so that nothing is printed if that page fails.
  try {
    for await (const page of pages) {
      if (view.others !== undefined) {
        layout = withOthers(layout, page)
        ;({ lines } = await writer.lines(layout))
      }
      for await (const part of partsOf(page, head, lines)) {
        head = ''
        if (part.text) await sink.write(part.text)
        count += part.records
      }
    }
  } catch (error) {
    throw sink.flush ? error : incomplete(error, count)
  }
  if (head) await sink.write(head)
  await sink.flush?.()
}

/** Number of records that are formatted at once. */
const recordsAtOnce = 10

/** Formats a page in parts of about `mostAtOnce` bytes: as a whole, large records would be held several times. */
async function* partsOf(page: readonly unknown[], head: string, lines: LineLayout['lines']) {
  let [text, records] = [head, 0]
  for (let start = 0; start < page.length; start += recordsAtOnce) {
    const some = page.slice(start, start + recordsAtOnce)
    text += await lines(some)
    records += some.length
    if (text.length < mostAtOnce) continue
    yield { text, records }
    ;[text, records] = ['', 0]
  }
  if (records > 0) yield { text, records }
}

/** Extends an error with the number of records already printed, because that output is incomplete. */
function incomplete(error: unknown, count: number): unknown {
  if (count === 0 || !(error instanceof Problem)) return error
  const records = counted(count, 'record')
  const message = `${error.message}; the output is incomplete: it ends after ${records}`
  return new Problem(error.code, message, { ...error.details, incomplete: true, cause: error })
}

async function* mapped<T, R>(items: AsyncIterable<T>, change: (item: T) => R): AsyncGenerator<R, void> {
  for await (const item of items) yield change(item)
}

/** Prints several records: one array in formats that have arrays. */
export async function printMany(records: readonly unknown[], view: View, sink: Sink): Promise<void> {
  await view.inspect?.(records)
  const printing = { sink, memory: memoryOf(), isRead: true, count: () => records.length }
  const shown = view.sort === undefined ? records.slice(0, view.limit) : records
  await printArranged(inPages(shown), { ...view, atOnce: false }, printing)
}

/** Prints one record: one object, or in a table one field per line. */
export async function printOne(record: unknown, view: View, sink: Sink): Promise<void> {
  await view.inspect?.([record])
  const text = await oneText(record, { ...view, single: true })
  if (text) await sink.write(text)
}

async function oneText(record: unknown, baseView: View): Promise<string> {
  const view = withOthers(baseView, [record])
  const { query, chosen } = view
  if (query !== undefined) return queried(cut(record, chosen), { ...view, query })
  const writer = writerOf(view)
  return writer.by === 'whole' ? writer.one(record, view) : linesText([record], await writer.lines(view))
}

async function linesText(records: readonly unknown[], { head, lines }: LineLayout): Promise<string> {
  return head + (await lines(records))
}

/** Writes the result of a query instead of the record. */
async function queried(value: unknown, view: View & { query: string }): Promise<string> {
  const { runQuery } = await import('./query')
  return formats[view.format].writer.value(await runQuery(value, view.query, view.warn), view, memoryOf())
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
  return value === '' ? '' : `${escapeText(value)}\n`
}
