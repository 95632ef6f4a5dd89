/** Adds entries to a YAML text that a person wrote: everything else, with its comments, stays byte for byte. */
import type { YAMLMap } from 'yaml'

/** An entry to add: `volumes`, `data`, or only `profile`. */
export interface YamlEntry {
  path: readonly string[]
  value: unknown
  /** Block text of the entry, without that of its parent, with its comment: indented by two blanks below a parent. */
  text: string
}

/** A change of the text: replaces the part between two offsets. */
interface Edit {
  start: number
  end: number
  text: string
}

type Yaml = typeof import('yaml')

/**
 * Returns the text with the entries, which it must not have yet, after the others of their parent. The text must be
 * valid, with a map or nothing at its root. A result can be wrong in rare forms, such as a text that ends its document
 * with `...`: read it again.
 */
export async function withEntries(text: string, entries: readonly YamlEntry[]): Promise<string> {
  const yaml = await import('yaml')
  const root = yaml.parseDocument(text).contents
  const map = yaml.isMap(root) ? root : undefined
  const parents = [...new Set(entries.map(({ path: [parent = ''] }) => parent))]
  const edits = parents.map((parent) =>
    editFor(
      parent,
      entries.filter(({ path }) => path[0] === parent),
      { text, map, yaml },
    ),
  )
  const edited = edits.sort((a, b) => b.start - a.start).reduce(replaced, text)
  return text.includes('\r\n') ? edited.replaceAll(/\r?\n/g, '\r\n') : edited
}

const replaced = (text: string, edit: Edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end)

interface Target {
  text: string
  /** Map at the root; undefined for an empty text. */
  map: YAMLMap | undefined
  yaml: Yaml
}

function editFor(parent: string, entries: readonly YamlEntry[], { text, map, yaml }: Target): Edit {
  const pair = map?.items.find(({ key }) => yaml.isScalar(key) && key.value === parent)
  const block = entries.map((one) => one.text).join('')
  const isNamed = entries.some(({ path }) => path.length > 1)
  if (!pair || !yaml.isScalar(pair.key)) {
    const whole = isNamed ? `${parent}:\n${block}` : block
    return map?.flow ? inFlow(map, fieldsFor(parent, entries), text) : insertion(text, text.length, whole)
  }
  const { value } = pair
  if (yaml.isMap(value) && value.items.length > 0) {
    if (value.flow) return inFlow(value, Object.fromEntries(entries.map(({ path, value }) => [path[1], value])), text)
    return insertion(text, nextLine(text, endOf(value)), indented(block, columnOf(value, text, yaml)))
  }
  // A parent without entries: `volumes:`, `volumes: null` or `volumes: {}`.
  const [from, end] = yaml.isNode(value) && value.range ? value.range : [endOf(pair.key), endOf(pair.key)]
  const start = text.slice(0, from).trimEnd().length
  const at = nextLine(text, end)
  const indent = columnOf(map, text, yaml) + 2
  return {
    start,
    end: at,
    text: `${(text.slice(start, from) + text.slice(end, at)).trimEnd()}\n${indented(block, indent)}`,
  }
}

/** Returns the value to add below the root. */
function fieldsFor(parent: string, entries: readonly YamlEntry[]): Record<string, unknown> {
  const [first] = entries
  if (first?.path.length === 1) return { [parent]: first.value }
  return { [parent]: Object.fromEntries(entries.map(({ path, value }) => [path[1], value])) }
}

/** Inserts fields before the closing brace of a map in one pair of braces. */
function inFlow(map: YAMLMap, fields: Record<string, unknown>, text: string): Edit {
  const close = endOf(map) - 1
  const before = text.slice(0, close).trimEnd()
  const inner = JSON.stringify(fields)
    .slice(1, -1)
    .replaceAll(/^"([A-Za-z][\w-]*)":/g, '$1: ')
  const comma = map.items.length === 0 || before.endsWith(',') ? '' : ','
  return { start: before.length, end: before.length, text: `${comma} ${inner}` }
}

const endOf = (node: { range?: readonly [number, number, number] | null | undefined }) => node.range?.[1] ?? 0

/** Returns the offset of the next line, or of the end. */
function nextLine(text: string, from: number): number {
  if (from > 0 && text[from - 1] === '\n') return from
  const lineEnd = text.indexOf('\n', from)
  return lineEnd === -1 ? text.length : lineEnd + 1
}

function insertion(text: string, at: number, added: string): Edit {
  const isOnLine = at === 0 || text[at - 1] === '\n'
  return { start: at, end: at, text: `${isOnLine ? '' : '\n'}${added}` }
}

/** Returns the number of blanks before the keys of a block map. */
function columnOf(map: YAMLMap | undefined, text: string, yaml: Yaml): number {
  const key = map?.items[0]?.key
  const start = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0
  return start - (text.lastIndexOf('\n', start - 1) + 1)
}

const indented = (block: string, blanks: number) => block.replaceAll(/^ {2}/gm, ' '.repeat(blanks))
