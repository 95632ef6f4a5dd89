/** Writes the text of an account file, an object at a time. */
import { Problem } from '../errors'
import { jsonText, yamlText } from '../output/documents'
import type { Session } from '../session'
import type { ExportedEntry } from '../state/export-entries'

/** Format of a document: the text around and between its objects. */
interface Form {
  hasComments: boolean
  empty: string
  begin: string
  end: string
  /** Text between two objects, or two kinds. */
  between: string
  /** Text after the objects of a kind with names. */
  endOfKind: string
  /** Returns the text of an object, after the line that begins its kind if it is the first. */
  part(entry: ExportedEntry, isFirst: boolean): Promise<string>
}

const json: Form = {
  hasComments: false,
  empty: '{}\n',
  begin: '{\n',
  end: '\n}\n',
  between: ',\n',
  endOfKind: '\n  }',
  async part(entry, isFirst) {
    const text = (await jsonText(holding(entry))).slice('{\n'.length, -'\n}\n'.length)
    if (isSingle(entry)) return text
    return (isFirst ? text : afterFirstLine(text)).slice(0, -'\n  }'.length)
  },
}

const yaml: Form = {
  hasComments: true,
  empty: '{}\n',
  begin: '',
  end: '',
  between: '',
  endOfKind: '',
  async part(entry, isFirst) {
    const { path, comment } = entry
    const text = await yamlText(holding(entry), (at) => (at.length === path.length ? comment : undefined))
    return isFirst || isSingle(entry) ? text : afterFirstLine(text)
  },
}

/** Returns the format of the file; throws `usage` for an unsupported one. */
export function formOf({ ui: { format } }: Session): Form {
  if (format === 'json') return json
  if (format === 'yaml' || format === 'table') return yaml
  throw new Problem('usage', `a file cannot be ${format}`, { hint: 'Leave out --output, or pass yaml or json' })
}

/** Yields the text of a document with these objects, below a header. */
export async function* documentOf(
  entries: Iterable<ExportedEntry>,
  form: Form,
  header: string,
): AsyncGenerator<string, void> {
  yield header
  let last: ExportedEntry | undefined
  for (const entry of entries) {
    const isFirst = entry.path[0] !== last?.path[0]
    if (last) yield (isFirst && !isSingle(last) ? form.endOfKind : '') + form.between
    yield (last ? '' : form.begin) + (await form.part(entry, isFirst))
    last = entry
  }
  if (!last) yield form.empty
  else yield (isSingle(last) ? '' : form.endOfKind) + form.end
}

/** Reports whether an account has only one object of this kind. */
const isSingle = ({ path }: ExportedEntry) => path.length === 1

const holding = ({ path, entry }: ExportedEntry) => path.reduceRight<unknown>((value, key) => ({ [key]: value }), entry)

const afterFirstLine = (text: string) => text.slice(text.indexOf('\n') + 1)

const largeEnough = 256 * 1024

/** Joins texts to blocks that are large enough for one write. */
export async function* inBlocks(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let block = ''
  for await (const text of texts) {
    block += text
    if (block.length < largeEnough) continue
    yield block
    block = ''
  }
  if (block !== '') yield block
}
