/** All output formats: their descriptions, options and writers. */
import { Problem } from '../errors'
import { keysOf } from '../rules/records'
import type { Writer } from './column'
import { documentWriter, jsonLines, jsonList, jsonText, yamlText } from './documents'

interface Format {
  /** Description in help, after the name. */
  description: string
  /** `screen`: drawn for people. `rows`: chosen fields as text. `data`: values as the service sent them. */
  kind: 'screen' | 'rows' | 'data'
  /** True if errors on stderr are JSON too. */
  json: boolean
  writer: Writer
}

/** Formats other than JSON load their writers on demand; JSON uses only modules that are loaded anyway. */
const lazyWriter = (streams: boolean, load: () => Promise<Omit<Writer, 'streams'>>): Writer => ({
  streams,
  async *many(pages, layout) {
    yield* (await load()).many(pages, layout)
  },
  one: async (record, layout) => (await load()).one(record, layout),
  value: async (value, layout) => (await load()).value(value, layout),
})

const rows = {
  table: {
    description: 'columns that fit the terminal; for one record, a line for each field',
    kind: 'screen',
    json: false,
    writer: lazyWriter(false, async () => (await import('./table')).table),
  },
  json: {
    description: 'one document: an array of whole records, or one object',
    kind: 'data',
    json: true,
    writer: documentWriter(jsonText, jsonList),
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
    writer: documentWriter(yamlText, { begin: '', between: '', end: '', none: '[]\n', part: yamlText }),
  },
  csv: {
    description: 'comma-separated values (RFC 4180) for a spreadsheet',
    kind: 'rows',
    json: false,
    writer: lazyWriter(true, async () => (await import('./delimited')).csv),
  },
  tsv: {
    description: 'tab-separated values for cut and awk',
    kind: 'rows',
    json: false,
    writer: lazyWriter(true, async () => (await import('./delimited')).tsv),
  },
} satisfies Record<string, Format>

export type FormatName = keyof typeof rows

export const formats: Readonly<Record<FormatName, Format>> = rows
export const formatNames: readonly FormatName[] = keysOf(rows)
export const defaultFormat: FormatName = 'table'

export const isFormat = (name: unknown): name is FormatName => formatNames.some((format) => format === name)
export const isForPeople = (name: FormatName) => formats[name].kind === 'screen'
export const isStructured = (name: FormatName) => formats[name].kind === 'data'
/** Reports whether a format is JSON; false for names that are not formats. */
export const isJson = (name: unknown) => isFormat(name) && formats[name].json

/** Returns the format with this name, or throws a problem `usage` with the name's source, such as `--output`. */
export function formatNamed(name: string, source: string): FormatName {
  if (isFormat(name)) return name
  throw unknownFormat(name, source, formatNames)
}

/** Creates the problem of an unknown format; formats of other tools get a hint. */
export function unknownFormat(name: string, source: string, names: readonly string[]): Problem {
  const fileHint = /\.[a-z]+$/i.test(name) ? `Redirect the output to a file: > ${name}` : undefined
  const hint = formatHint(name).join(' ') || fileHint
  return new Problem('usage', `${source}: "${name}" is not one of ${names.join(', ')}`, hint ? { hint } : {})
}

const hints: Readonly<Record<string, readonly string[]>> = {
  html: ['For a page of the account: skyctl overview -o html > account.html'],
  text: ['For text without borders, pass', '-o', 'tsv'],
  name: ['For ids alone, pass', '--quiet'],
  id: ['For ids alone, pass', '--quiet'],
  wide: ['For all columns, pass', '--columns', 'all'],
  columns: ['To choose columns, pass --columns id,label'],
  noheader: ['For rows without a header, pass', '--no-headers'],
  jsonpath: ["To select values, pass a JMESPath expression: --query '[].label'"],
}

/** Returns a sentence for a format of kubectl, hcloud, aws and others, and the flags that mean the same, if there are. */
export function formatHint(format: string): readonly string[] {
  const [, names] = /^(?:columns=)?(\w+(?:,\w+)+|(?<==)\w+|label|region|size|status)$/.exec(format) ?? []
  // hcloud calls a label a name.
  if (names) return ['To choose columns, pass', '--columns', names.toLowerCase().replaceAll(/\bname\b/g, 'label')]
  const tool = format.replaceAll(/^custom-|=.*/gs, '').replace('go-template', 'jsonpath')
  return Object.entries(hints).find(([name]) => tool === name || tool === `${name}s`)?.[1] ?? []
}
