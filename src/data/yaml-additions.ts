/** Adds entries to a YAML text that a person wrote: everything else, with its comments, stays byte for byte. */
import type { Pair, ParsedNode, YAMLMap } from 'yaml'

/** An entry to add: `volumes`, `data`, or only `profile`. */
export interface YamlEntry {
  path: readonly string[]
  /** Block text of the entry, without that of its parent, with its comment: indented by two blanks below a parent. */
  text: string
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

/** Lines to insert at an offset. */
interface Insertion {
  at: number
  lines: string
}

/**
 * Returns the text with the entries, which it must not have yet, after the others of their parent. The text must be
 * valid, with a map or nothing at its root. The result lacks them in rare forms, such as an alias or a map in braces as
 * parent: read it again.
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
  const isInBraces = root?.flow || (yaml.isMap(value) && value.flow)
  if (isRemovable(value, text, yaml)) return withAddition(without(value, text), addition)
  if (isInBraces) return text
  if (root && pair) return inserted(text, belowParent(text, { root, pair }, addition), addition)
  return inserted(text, atRoot(text, { root, end: range[1] }, addition), addition)
}

function atRoot(
  text: string,
  { root, end }: { root: YamlMap | undefined; end: number },
  { parent, entries }: Addition,
): Insertion {
  const [first] = entries
  const isNamed = first?.path.length !== 1
  const block = entries.map((one) => one.text).join('')
  const lines = indented(isNamed ? `${parent}:\n${block}` : block, root ? columnOf(root, text) : 0)
  return insertion(text, nextLine(text, end), lines)
}

function belowParent(
  text: string,
  { root, pair: { value } }: { root: YamlMap; pair: Pair<ParsedNode, Value> },
  { entries, yaml }: Addition,
): Insertion {
  const isMap = yaml.isMap(value)
  // An alias cannot get entries.
  if (!isMap && !yaml.isScalar(value)) return { at: startOf(value), lines: '' }
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

function insertion(text: string, at: number, lines: string): Insertion {
  const isOnLine = at === 0 || text[at - 1] === '\n'
  return { at, lines: `${isOnLine ? '' : '\n'}${lines}` }
}

function inserted(text: string, { at, lines }: Insertion, { lineEnd }: Addition): string {
  return text.slice(0, at) + lines.replaceAll(/\r?\n/g, lineEnd) + text.slice(at)
}

const startOf = (node: Value | undefined) => node?.range[0] ?? 0
const endOf = (node: Value | undefined) => node?.range[1] ?? 0

/** Returns the number of blanks before the keys of a block map. */
function columnOf(map: YamlMap, text: string): number {
  const start = startOf(map)
  return start - (text.lastIndexOf('\n', start - 1) + 1)
}

const indented = (lines: string, blanks: number) => lines.replaceAll(/^(?=.)/gm, ' '.repeat(blanks))
