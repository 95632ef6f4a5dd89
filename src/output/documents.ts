/** Writes JSON and YAML documents and lines of JSON. What reads and writes YAML is loaded on demand. */
import { formatJson } from '../data/json'
import type { CommentOf, YamlLayout } from '../data/yaml-writer'
import { escapeJson, escapeText, escapeYaml } from '../rules/escape'
import { cut, withOthers } from './cells'
import type { Writer } from './column'

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

/** Divides records into pages. */
export async function* inPages<T>(records: readonly T[]): AsyncGenerator<T[], void> {
  for (let start = 0; start < records.length; start += 500) yield records.slice(start, start + 500)
}

/** Creates a writer of documents with only the chosen fields: several records are one list. */
export function documentWriter(
  text: (value: unknown) => Promise<string>,
  { begin, between, end, none, part }: ListDocument,
): Writer {
  return {
    streams: false,
    async *many(pages, { chosen }) {
      let isEmpty = true
      for await (const page of pages) {
        if (page.length === 0) continue
        yield (isEmpty ? begin : between) + (await part(page.map((record) => cut(record, chosen))))
        isEmpty = false
      }
      yield isEmpty ? none : end
    },
    one: (record, { chosen }) => text(cut(record, chosen)),
    value: text,
  }
}

/** Writes one line of JSON per record, or per item of a query result. */
export const jsonLines: Writer = {
  streams: true,
  async *many(pages, layout) {
    let named = layout
    for await (const page of pages) {
      named = withOthers(named, page)
      yield await ndjsonText(page.map((record) => cut(record, named.chosen)))
    }
  },
  one: (record, { chosen }) => ndjsonText([cut(record, chosen)]),
  value: (value) => ndjsonText(Array.isArray(value) ? value : [value]),
}

async function ndjsonText(values: readonly unknown[]): Promise<string> {
  const lines = await Promise.all(values.map((value) => formatJson(value, 0)))
  return escapeJson(lines.map((line) => `${line}\n`).join(''))
}

/** Formats a value as a YAML document, with hostile characters escaped. */
export async function yamlText(value: unknown, { commentOf, isCompact = false }: YamlLayout = {}): Promise<string> {
  const comments: CommentOf = (path) => {
    const comment = commentOf?.(path)
    return comment === undefined ? undefined : escapeText(comment)
  }
  const { formatYaml } = await import('../data/yaml-writer')
  return formatYaml(value, escapeYaml, { commentOf: commentOf && comments, isCompact })
}
