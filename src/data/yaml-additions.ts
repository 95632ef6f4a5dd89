/** Adds entries to a YAML text that a person wrote: everything else, with its comments, stays byte for byte. */
import type { Pair, ParsedNode, YAMLMap } from 'yaml'

/** An entry to add: `volumes`, `data`, or only `profile`. */
export interface YamlEntry {
  path: readonly string[]
  /** Block text of the entry, without that of its parent, with its comment: indented by two blanks below a parent. */
  text: string
  /** The value as JSON, for a parent in braces. */
  json: string
}

type YamlMap = YAMLMap.Parsed
/** Null if a key has no value. */
type Value = ParsedNode | null

/** Entries with the same parent. */
interface Addition {
  parent: string
  entries: readonly YamlEntry[]
  lineEnd: string
  yaml: typeof import('yaml')
}

/** A change of the text: replaces the part between two offsets. */
interface Edit {
  start: number
  end: number
  part: string
}

/**
 * Returns the text with the entries, which it must not have yet, after the others of their parent. The text must be
 * valid, with a map or nothing at its root. The result can be wrong in rare forms, such as an alias as parent: read it
 * again.
 */
export async function withEntries(text: string, entries: readonly YamlEntry[]): Promise<string> {
  const yaml = await import('yaml')
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const parents = new Set(entries.map(({ path: [parent = ''] }) => parent))
  // One parent after the other: additions to several can be at the same place.
  return [...parents].reduce((current, parent) => {
    const ofParent = entries.filter(({ path }) => path[0] === parent)
    return withAddition(current, { parent, entries: ofParent, lineEnd, yaml })
  }, text)
}

function withAddition(text: string, addition: Addition): string {
  const { parent, yaml } = addition
  const { contents, range } = yaml.parseDocument(text)
  const root: YamlMap | undefined = yaml.isMap(contents) ? contents : undefined
  const pair = root?.items.find(({ key }) => yaml.isScalar(key) && key.value === parent)
  const value = pair && !root?.flow ? pair.value : contents
  if (isRemovable(value, text, yaml)) return withAddition(without(value, text), addition)
  if (root && pair) return replaced(text, belowParent(text, { root, pair }, addition), addition)
  return replaced(text, atRoot(text, { root, end: range[1] }, addition), addition)
}

function atRoot(
  text: string,
  { root, end }: { root: YamlMap | undefined; end: number },
  { parent, entries }: Addition,
): Edit {
  const [first] = entries
  const isNamed = first?.path.length !== 1
  if (root?.flow)
    return inBraces(root, [`${keyFor(root, parent, text)}: ${isNamed ? braces(entries) : first.json}`], text)
  const block = entries.map((one) => one.text).join('')
  const lines = indented(isNamed ? `${parent}:\n${block}` : block, root ? columnOf(root, text) : 0)
  return insertion(text, nextLine(text, end), lines)
}

function belowParent(
  text: string,
  { root, pair: { value } }: { root: YamlMap; pair: Pair<ParsedNode, Value> },
  { entries, yaml }: Addition,
): Edit {
  if (yaml.isMap(value) && value.flow) return inBraces(value, fields(entries), text)
  const [start, end] = [startOf(value), endOf(value)]
  const isMap = yaml.isMap(value)
  // An alias cannot get entries.
  if (!isMap && !yaml.isScalar(value)) return { start, end: start, part: '' }
  if (root.flow) return { start, end, part: ` ${braces(entries)}` }
  const column = isMap ? columnOf(value, text) : columnOf(root, text) + 2
  const at = afterComments(text, contentEnd(value, yaml), isMap ? column : column - 1)
  const block = entries.map((one) => one.text.replaceAll(/^ {2}/gm, '')).join('')
  return insertion(text, at, indented(block, column))
}

/** Reports whether a value is `null`, `~` or `{}`, which a block can replace. */
function isRemovable(value: Value, text: string, { isMap, isScalar }: Addition['yaml']): value is ParsedNode {
  if (isScalar(value)) return value.value === null && endOf(value) > startOf(value)
  return isMap(value) && /^\{\s*\}$/.test(text.slice(startOf(value), endOf(value)))
}

/** Returns a text without a value, and without its line if that has nothing else. */
function without(value: ParsedNode, text: string): string {
  const before = text.slice(0, startOf(value)).replace(/[ \t]*$/, '')
  const after = text.slice(endOf(value))
  const isWholeLine = /(?:^|\n)$/.test(before) && /^[ \t]*\r?\n/.test(after)
  return before + (isWholeLine ? after.slice(nextLine(after, 0)) : after)
}

/** Returns the end of the last value in a block. The range of the block can have comments that belong to others. */
function contentEnd(node: Value, yaml: Addition['yaml']): number {
  const last = yaml.isCollection(node) && !node.flow ? node.items.at(-1) : undefined
  if (yaml.isPair(last)) return contentEnd(last.value ?? last.key, yaml)
  return last ? contentEnd(last, yaml) : endOf(node)
}

/** Returns the offset after the comments that belong to what is above them: those in this column or deeper. */
function afterComments(text: string, from: number, column: number): number {
  const comments = new RegExp(`(?:(?:[ \\t]*\\r?\\n)* {${column},}#.*(?:\\n|$))*`, 'y')
  comments.lastIndex = nextLine(text, from)
  return comments.lastIndex + (comments.exec(text)?.[0].length ?? 0)
}

/** Returns the offset of the next line, or of the end. */
function nextLine(text: string, from: number): number {
  if (from > 0 && text[from - 1] === '\n') return from
  const lineEnd = text.indexOf('\n', from)
  return lineEnd === -1 ? text.length : lineEnd + 1
}

function insertion(text: string, at: number, lines: string): Edit {
  const isOnLine = at === 0 || text[at - 1] === '\n'
  return { start: at, end: at, part: `${isOnLine ? '' : '\n'}${lines}` }
}

/** Adds fields after the others in braces: on lines of their own if the closing brace is on its own. */
function inBraces(map: YamlMap, added: readonly string[], text: string): Edit {
  const last = map.items.at(-1)
  const start = last ? endOf(last.value ?? last.key) : startOf(map) + 1
  const end = endOf(map) - 1
  const gap = text.slice(start, end)
  const space = gap.slice(gap.trimEnd().length)
  const hasComma = gap.replaceAll(/#.*/g, '').includes(',')
  const before = `${last && !hasComma ? ',' : ''}${gap.trimEnd()}`
  if (!space.includes('\n')) return { start, end, part: `${before} ${onOneLine(added.join(', '))}${space || ' '}` }
  const blanks = last ? blanksAt(startOf(last.key), text) : blanksAt(start, text) + 2
  const lines = indented(added.join(',\n'), blanks)
  return { start, end, part: `${before}\n${lines}${hasComma ? ',' : ''}${space}` }
}

const fields = (entries: readonly YamlEntry[]) => entries.map(({ path, json }) => `${JSON.stringify(path[1])}: ${json}`)

const braces = (entries: readonly YamlEntry[]) => `{\n${indented(fields(entries).join(',\n'), 2)}\n}`

/** Returns a key as the others in the braces are written: a text that is JSON stays JSON. */
const keyFor = ({ items: [first] }: YamlMap, name: string, text: string) =>
  first && text[startOf(first.key)] === '"' ? JSON.stringify(name) : name

/** Puts JSON, whose texts have no line breaks, on one line. */
const onOneLine = (json: string) => json.replaceAll(/\n */g, ' ')

function replaced(text: string, { start, end, part }: Edit, { lineEnd }: Addition): string {
  return text.slice(0, start) + part.replaceAll(/\r?\n/g, lineEnd) + text.slice(end)
}

const startOf = (node: Value | undefined) => node?.range[0] ?? 0
const endOf = (node: Value | undefined) => node?.range[1] ?? 0

/** Returns the number of blanks before the keys of a block map. */
function columnOf(map: YamlMap, text: string): number {
  const start = startOf(map)
  return start - (text.lastIndexOf('\n', start - 1) + 1)
}

const blanksAt = (offset: number, text: string) =>
  / */.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0].length ?? 0

const indented = (lines: string, blanks: number) => lines.replaceAll(/^(?=.)/gm, ' '.repeat(blanks))
