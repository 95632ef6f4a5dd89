/** Writes JSON and YAML documents and lines of JSON. What reads and writes YAML is loaded on demand. */
import { formatJson } from '../data/json'
import type { CommentOf } from '../data/yaml-writer'
import { escapeJson, escapeText, escapeYaml } from '../rules/escape'
import { cut } from './cells'
import type { Layout, LineLayout } from './column'

/** Formats one JSON document. */
export async function jsonText(value: unknown): Promise<string> {
  return escapeJson(`${await formatJson(value)}\n`)
}

/** List document that is assembled from parts of several records. */
export interface ListDocument {
  begin: string
  between: string
  end: string
  /** Document of an empty list. */
  none: string
  part(records: readonly unknown[]): Promise<string>
}

/** JSON array without its bracket lines. */
export const jsonList: ListDocument = {
  begin: '[\n',
  between: ',\n',
  end: '\n]\n',
  none: '[]\n',
  part: async (records) => escapeJson((await formatJson(records)).slice(2, -2)),
}

/** Writes the records of all pages as one document, a page at a time. */
async function* documentText(
  pages: AsyncIterable<readonly unknown[]>,
  { begin, between, end, none, part }: ListDocument,
): AsyncGenerator<string, void> {
  let isEmpty = true
  for await (const page of pages) {
    if (page.length === 0) continue
    yield (isEmpty ? begin : between) + (await part(page))
    isEmpty = false
  }
  yield isEmpty ? none : end
}

/** Divides records into pages. */
export async function* inPages(records: readonly unknown[]): AsyncGenerator<unknown[], void> {
  for (let start = 0; start < records.length; start += 500) yield records.slice(start, start + 500)
}

/** Reduces the records of a list document to the chosen fields. */
const cutTo = (list: ListDocument, { chosen }: Layout): ListDocument => ({
  ...list,
  part: (records) => list.part(records.map((record) => cut(record, chosen))),
})

/** Creates a writer of whole values with only the chosen fields: several records as an array, one as an object. */
export function wholeValues(text: (value: unknown) => Promise<string>, list: ListDocument) {
  return {
    by: 'whole' as const,
    many: (pages: AsyncIterable<readonly unknown[]>, layout: Layout) => documentText(pages, cutTo(list, layout)),
    one: (record: unknown, { chosen }: Layout) => text(cut(record, chosen)),
    value: text,
  }
}

/** Writes one line of JSON per record, or per item of a query result. */
export const jsonLines = {
  by: 'lines' as const,
  lines: ({ chosen }: Layout): LineLayout => ({
    head: '',
    lines: (records) => ndjsonText(records.map((record) => cut(record, chosen))),
  }),
  value: (value: unknown) => ndjsonText(Array.isArray(value) ? value : [value]),
}

async function ndjsonText(values: readonly unknown[]): Promise<string> {
  const lines = await Promise.all(values.map((value) => formatJson(value, 0)))
  return escapeJson(lines.map((line) => `${line}\n`).join(''))
}

/** Formats a value as a YAML document, with hostile characters escaped. */
export async function yamlText(value: unknown, commentOf?: CommentOf): Promise<string> {
  const comments: CommentOf = (path) => {
    const comment = commentOf?.(path)
    return comment === undefined ? undefined : escapeText(comment)
  }
  const { formatYaml } = await import('../data/yaml')
  return formatYaml(value, escapeYaml, commentOf && comments)
}
