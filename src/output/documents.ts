/** Values as whole documents and as lines of JSON. They need nothing that is not loaded anyway. */
import { formatJson } from '../data/json'
import { cut } from './cells'
import type { Layout, Lines } from './layout'
import { safeJson } from './safe'

/** One JSON document. */
export async function jsonText(value: unknown): Promise<string> {
  return safeJson(`${await formatJson(value)}\n`)
}

/** A list as one document that is put together of parts, of some records each. */
export interface ListDocument {
  begin: string
  between: string
  end: string
  /** Without any record. */
  none: string
  part(records: readonly unknown[]): Promise<string>
}

/** A JSON array of lines, without the lines of its brackets. */
export const jsonList: ListDocument = {
  begin: '[\n',
  between: ',\n',
  end: '\n]\n',
  none: '[]\n',
  part: async (records) => safeJson((await formatJson(records)).slice(2, -2)),
}

const recordsAtOnce = 1000

/** Several records as a document, some of them at a time. */
export async function* documentText(
  records: readonly unknown[],
  { begin, between, end, none, part }: ListDocument,
): AsyncGenerator<string, void> {
  if (records.length === 0) return yield none
  for (let start = 0; start < records.length; start += recordsAtOnce) {
    yield (start === 0 ? begin : between) + (await part(records.slice(start, start + recordsAtOnce)))
  }
  yield end
}

/** The same, of records cut to the chosen fields. */
const cutTo = (list: ListDocument, { chosen }: Layout): ListDocument => ({
  ...list,
  part: (records) => list.part(records.map((record) => cut(record, chosen))),
})

/** A writer of whole values, cut to the chosen fields: several records are an array, one is an object. */
export function wholeValues(text: (value: unknown) => Promise<string>, list: ListDocument) {
  return {
    by: 'whole' as const,
    document: (layout: Layout) => cutTo(list, layout),
    many: (records: readonly unknown[], layout: Layout) => documentText(records, cutTo(list, layout)),
    one: (record: unknown, { chosen }: Layout) => text(cut(record, chosen)),
    value: text,
  }
}

/** A line of JSON for each record, or for each item of what a query came to. */
export const jsonLines = {
  by: 'lines' as const,
  lines: ({ chosen }: Layout): Lines => ({
    head: '',
    lines: (records) => ndjsonText(records.map((record) => cut(record, chosen))),
  }),
  value: (value: unknown) => ndjsonText(Array.isArray(value) ? value : [value]),
}

async function ndjsonText(values: readonly unknown[]): Promise<string> {
  const lines = await Promise.all(values.map((value) => formatJson(value, 0)))
  return safeJson(lines.map((line) => `${line}\n`).join(''))
}
