/** Every format, once: what it is for, what may be asked of it, and how it is written. */
import { Problem } from '../errors'
import { jsonLines, jsonList, jsonText, type ListDocument, wholeValues } from './documents'
import type { Layout, Lines } from './layout'

interface Format {
  /** For help, behind the name. */
  description: string
  /** `screen`: drawn for a person. `rows`: some fields of each record as texts. `data`: values as the service sent them. */
  kind: 'screen' | 'rows' | 'data'
  /** Whoever reads it on stdout reads JSON on stderr. */
  json: boolean
  writer: Writer
}

/** Of both kinds, `value` writes what a query came to, which may be anything. */
export type Writer = LineWriter | WholeWriter

export interface LineWriter {
  by: 'lines'
  lines(layout: Layout): Lines | Promise<Lines>
  value(value: unknown, layout: Layout): Promise<string>
}

/** Nothing of it can be written before all is known. */
interface WholeWriter {
  by: 'whole'
  /** Where a list is put together of parts that can be written as they come. */
  document?(layout: Layout): ListDocument
  /** Several records, some at a time. */
  many(records: readonly unknown[], layout: Layout): AsyncIterable<string>
  one(record: unknown, layout: Layout): Promise<string>
  value(value: unknown, layout: Layout): Promise<string>
}

/** What only some runs need is loaded by them; JSON takes nothing that is not loaded anyway. */
const table = () => import('./table')
async function* tableLines(records: readonly unknown[], layout: Layout) {
  yield* (await table()).tableText(records, layout)
}
const yamlText = async (value: unknown) => (await import('./yaml')).yamlText(value)
const delimited = (dialect: 'csv' | 'tsv'): LineWriter => ({
  by: 'lines',
  lines: async (layout) => (await import('./delimited'))[dialect].lines(layout),
  value: async (value, layout) => (await import('./delimited'))[dialect].value(value, layout),
})

const rows = {
  table: {
    description: 'columns that fit the terminal; one record is a field a line',
    kind: 'screen',
    json: false,
    writer: {
      by: 'whole',
      many: tableLines,
      one: async (record, layout) => (await table()).recordText(record, layout),
      value: async (value, layout) => (await table()).resultText(value, layout),
    },
  },
  json: {
    description: 'one document: an array of whole records, or one object',
    kind: 'data',
    json: true,
    writer: wholeValues(jsonText, jsonList),
  },
  ndjson: {
    description: 'a line of JSON for each record',
    kind: 'data',
    json: true,
    writer: jsonLines,
  },
  yaml: {
    description: 'the same as json, as one YAML document',
    kind: 'data',
    json: false,
    writer: wholeValues(yamlText, { begin: '', between: '', end: '', none: '[]\n', part: yamlText }),
  },
  csv: {
    description: 'comma-separated values (RFC 4180) for a spreadsheet',
    kind: 'rows',
    json: false,
    writer: delimited('csv'),
  },
  tsv: {
    description: 'tab-separated values for cut and awk',
    kind: 'rows',
    json: false,
    writer: delimited('tsv'),
  },
} satisfies Record<string, Format>

export type FormatName = keyof typeof rows

export const formats: Readonly<Record<FormatName, Format>> = rows
export const formatNames = Object.keys(rows) as readonly FormatName[]
export const defaultFormat: FormatName = 'table'

export const isFormat = (name: unknown): name is FormatName => formatNames.some((known) => known === name)
export const isForPeople = (name: FormatName) => formats[name].kind === 'screen'
export const isStructured = (name: FormatName) => formats[name].kind === 'data'
/** Also of what was only asked for, and may be no format. */
export const isJson = (name: unknown) => isFormat(name) && formats[name].json

/** The format of that name; throws a problem `usage` that says where the name comes from, such as `--output`. */
export function formatNamed(name: string, source: string): FormatName {
  if (isFormat(name)) return name
  throw new Problem('usage', `${source}: "${name}" is not one of ${formatNames.join(', ')}`)
}
