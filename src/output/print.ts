/** Prints records for people or scripts in the requested format. Only records are written to the sink. */
import { memorySize } from '../data/memory-limits'
import { createPacker } from '../data/packer'
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import { cut, valueAt, valueText } from './cells'
import { type Layout, type LineLayout, withOthers } from './column'
import type { ListDocument } from './documents'
import { type FormatName, formats, isStructured, type LineWriter, type Writer } from './formats'
import type { Sink } from './sink'
import type { SortBy } from './sort'

export interface View extends Layout {
  format: FormatName
  /** Field of which only the value is printed, one per line in any format. A query runs first. */
  quiet?: string | undefined
  /** JMESPath query on the JSON; `warn` gets the reason why it finds nothing in any such document. */
  query?: string | undefined
  warn?: ((text: string) => Promise<void>) | undefined
  /** Fields to sort by, most significant first. */
  sort?: readonly SortBy[] | undefined
  /** Maximum number of records to print, after sorting. */
  limit?: number | undefined
  /** Inspects the records before printing; may reject them. */
  seen?: ((records: readonly unknown[]) => Promise<void>) | undefined
  /** True to read a list completely before printing, because the output feeds destructive commands. */
  atOnce?: boolean
}

/** Prints a list and returns the number of records. If possible, it is printed page by page. */
export async function printList(pages: AsyncIterable<unknown[]>, view: View, sink: Sink): Promise<number> {
  const writer = writerOf(view)
  const apart = view.sort === undefined && view.query === undefined && !view.seen
  if (apart && writer.by === 'lines' && isByPages(view)) {
    return printPages(pages, { ...view, writer }, view.atOnce ? holding(sink) : sink)
  }
  if (apart && writer.document && view.others === undefined) {
    return printDocument(pages, writer.document(view), holding(sink))
  }
  const records = await allOf(pages)
  await printMany(records, view, sink)
  return Math.min(records.length, view.limit ?? records.length)
}

/** Reports whether pages can be printed as they arrive. A heading line for all fields needs all records first. */
function isByPages({ format, quiet, others }: View): boolean {
  return others === undefined || quiet !== undefined || isStructured(format)
}

async function printPages(
  pages: AsyncIterable<unknown[]>,
  { writer, ...view }: View & { writer: LineWriter },
  sink: Sink & { flush?(): Promise<void> },
): Promise<number> {
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
  return count
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
  const records = count === 1 ? '1 record' : `${count} records`
  const message = `${error.message}; the output is incomplete: it ends after ${records}`
  return new Problem(error.code, message, { ...error.details, incomplete: true, cause: error })
}

async function printDocument(
  pages: AsyncIterable<unknown[]>,
  { begin, between, end, none, part }: ListDocument,
  sink: HoldingSink,
): Promise<number> {
  let count = 0
  for await (const page of pages) {
    if (page.length === 0) continue
    await sink.write((count === 0 ? begin : between) + (await part(page)))
    count += page.length
  }
  await sink.write(count === 0 ? none : end)
  await sink.flush()
  return count
}

/** Maximum sizes in bytes of a list that is printed as a whole; more would exceed the memory of small machines. */
const mostText = 48 * 2 ** 20
const mostMemory = 80 * 2 ** 20

interface HoldingSink extends Sink {
  flush(): Promise<void>
}

/** Creates a sink that buffers its output, up to a limit. */
function holding(sink: Sink): HoldingSink {
  // Buffers are outside the heap, but the garbage collector counts them and runs early enough.
  const texts: Buffer[] = []
  let length = 0
  return {
    isTTY: sink.isTTY,
    columns: sink.columns,
    async write(text) {
      const bytes = sink.bytes?.of(text) ?? Buffer.from(text)
      length += bytes.length
      if (length > mostText) throw tooLong(mostText)
      texts.push(bytes)
    },
    async flush() {
      for (const part of together(texts)) await (sink.bytes ? sink.bytes.write(part) : sink.write(part.toString()))
    },
  }
}

/** Maximum bytes per write. A short list needs one write, because a second one opens stdout as a stream (1.5 ms). */
const mostAtOnce = 64 * 1024

function* together(texts: readonly Buffer[]): Generator<Buffer> {
  let part: Buffer[] = []
  let length = 0
  for (const text of texts) {
    if (part.length > 0 && length + text.length > mostAtOnce) {
      yield joined(part)
      part = []
      length = 0
    }
    part.push(text)
    length += text.length
  }
  if (part.length > 0) yield joined(part)
}

const joined = (part: readonly Buffer[]) => (part.length === 1 && part[0] ? part[0] : Buffer.concat(part))

async function allOf(pages: AsyncIterable<unknown[]>): Promise<unknown[]> {
  const records: unknown[] = []
  const pack = createPacker()
  let memory = 0
  for await (const page of pages) {
    for (const record of page) {
      memory += isRecord(record) ? pack(record) : memorySize(record)
      if (memory > mostMemory) throw tooLong(mostMemory)
      records.push(record)
    }
  }
  return records
}

function tooLong(most: number): Problem {
  return new Problem('too_large', `the list is too large to print at once: over ${most / 2 ** 20} MiB`, {
    hint: 'Without --sort and --query, -o ndjson prints a list of any length as it is read; --filter and --limit make it shorter',
  })
}

/** Prints several records: one array in formats that have arrays. */
export async function printMany(records: readonly unknown[], view: View, sink: Sink): Promise<void> {
  const { sort, limit, seen } = view
  await seen?.(records)
  const ordered = sort === undefined ? records : (await import('./sort')).sorted(records, sort)
  for await (const text of manyTexts(limit === undefined ? ordered : ordered.slice(0, limit), view)) {
    if (text) await sink.write(text)
  }
}

/** Prints one record: one object, or in a table one field per line. */
export async function printOne(record: unknown, view: View, sink: Sink): Promise<void> {
  await view.seen?.([record])
  const text = await oneText(record, { ...view, single: true })
  if (text) await sink.write(text)
}

async function* manyTexts(records: readonly unknown[], asked: View): AsyncGenerator<string, void> {
  const view = withOthers(asked, records)
  const { query, chosen } = view
  if (query !== undefined) {
    const all = records.map((record) => cut(record, chosen))
    return yield await queried(all, { ...view, query })
  }
  const writer = writerOf(view)
  if (writer.by === 'whole') yield* writer.many(records, view)
  else yield await linesText(records, await writer.lines(view))
}

async function oneText(record: unknown, asked: View): Promise<string> {
  const view = withOthers(asked, [record])
  const { query, chosen } = view
  if (query !== undefined) return queried(cut(record, chosen), { ...view, query })
  const writer = writerOf(view)
  return writer.by === 'whole' ? writer.one(record, view) : linesText([record], await writer.lines(view))
}

async function linesText(records: readonly unknown[], { head, lines }: LineLayout): Promise<string> {
  return head + (await lines(records))
}

/** Writes the result of a query instead of the records. */
async function queried(value: unknown, view: View & { query: string }): Promise<string> {
  const { runQuery } = await import('./query')
  return formats[view.format].writer.value(await runQuery(value, view.query, view.warn), view)
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
