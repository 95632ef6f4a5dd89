/** Values as whole documents and as lines of JSON. They need nothing that is not loaded anyway. */
import { formatJson } from '../data/json'
import { cut } from './cells'
import type { Layout, Lines } from './layout'
import { safeJson } from './safe'

/** One JSON document. */
export async function jsonText(value: unknown): Promise<string> {
  return safeJson(`${await formatJson(value)}\n`)
}

/** A writer of whole values, cut to the chosen fields: several records are an array, one is an object. */
export function wholeValues(text: (value: unknown) => Promise<string>) {
  return {
    by: 'whole' as const,
    many: (records: readonly unknown[], { chosen }: Layout) => text(records.map((record) => cut(record, chosen))),
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
