/** Prints records into memory, with the printers of commands. */
import { Writable } from 'node:stream'
import { columnsFor } from '../../src/output/column'
import { printList, printMany, printOne, type View } from '../../src/output/print'
import { type Sink, streamSink } from '../../src/output/sink'

export const now = Date.UTC(2026, 10, 18, 9, 30)

/** Creates the view of a pipe without flags. */
export function view(changes: Partial<View> = {}): View {
  const columns = columnsFor<{ id: number; label: string; status: string }>(['id', 'label', 'status'])
  const piped = { terminal: false, width: 0, color: false }
  return { format: 'table', columns, headers: true, raw: false, ...piped, now, ...changes }
}

/** Creates a sink over a real stream, and a function that returns the written text. */
export function memorySink(): { sink: Sink; text(): string } {
  const chunks: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { sink: streamSink(stream), text: () => chunks.join('') }
}

export async function* pages(...all: unknown[][]): AsyncGenerator<unknown[]> {
  yield* all
}

export async function listText(records: unknown[], changes: Partial<View> = {}): Promise<string> {
  const { sink, text } = memorySink()
  await printList(pages(records), view(changes), sink)
  return text()
}

export async function recordText(record: unknown, changes: Partial<View> = {}): Promise<string> {
  const { sink, text } = memorySink()
  await printOne(record, view(changes), sink)
  return text()
}

export async function recordsText(records: unknown[], changes: Partial<View> = {}): Promise<string> {
  const { sink, text } = memorySink()
  await printMany(records, view(changes), sink)
  return text()
}
