/**
 * Reads YAML in the form of exports and of most files: maps and lists in block form, with one entry or item a line, and on
 * that line a text, a whole number, true, false, null, or a list or object of these in brackets. It takes a tenth of the time of the package, which reads all other
 * texts, and those that are wrong. Both must read a text alike.
 */
import type { RepeatedKey } from './repeated-keys'
import type { Scalar, SourceNode } from './source-nodes'
import type { Nodes } from './yaml-nodes'

/** Returns the nodes of a text; undefined if it has another form. `lineOf` returns the line of the file. */
export function nodesOfLines(text: string, lineOf: (line: number) => number): Nodes | undefined {
  if (/[^\n -~]/.test(text)) return undefined
  const tree = new LineTree()
  const isRead = text.split('\n').every((line, index) => {
    if (isEmpty.test(line)) return true
    const parts = partsOf(line, lineOf(index + 1), tree.repeated)
    return parts !== undefined && tree.add(parts)
  })
  return isRead ? tree.nodes : undefined
}

/** A blank line, or one with only a comment. */
const isEmpty = /^ *(?:#|$)/

/** Blanks, dashes of items, the key, and the rest. */
const lineForm = /^( *)((?:- )*)(?:(\w[\w./-]{0,200}|"[^"\\]{0,200}"):(?= |$))?(.*)$/
/** A text in quotes, a list in brackets, an object in braces, a plain text, or nothing; with blanks and a comment around it. */
const restForm =
  /^ *(?:("[^"\\]*"|'[^']*')|([[{].*)|(\w(?:[\w./,@+=()-]|:(?=[\w/:])| (?=[\w./,@+=()-]))*)|)(?: +#.*)? *$/

type Node = { -readonly [K in keyof SourceNode]: SourceNode[K] }

interface LineParts {
  /** Number of blanks before the first dash or the key. */
  column: number
  /** Number of dashes. */
  items: number
  key: string | undefined
  node: Node
  /** True if the line has no value, so that a block may follow. */
  isOpen: boolean
}

function partsOf(text: string, line: number, repeated: RepeatedKey[]): LineParts | undefined {
  const [, blanks = '', dashes = '', key, rest = ''] = lineForm.exec(text) ?? []
  const [match, quoted, inBrackets, plain] = restForm.exec(rest) ?? []
  if (match === undefined) return undefined
  const scalar = quoted ?? plain
  const isOpen = scalar === undefined && inBrackets === undefined
  const node =
    inBrackets === undefined ? scalarNode(scalar ?? '', line) : new FlowReader(inBrackets, line, repeated).node
  // A line without a dash or a key continues a text.
  if (!node || (key === undefined && (isOpen || dashes === ''))) return undefined
  return { column: blanks.length, items: dashes.length / 2, key: key?.replaceAll('"', ''), node, isOpen }
}

function scalarNode(text: string, line: number): Node | undefined {
  if (text === '') return { value: null, line, written: text }
  const quoted = /^["']/.test(text) ? text.slice(1, -1) : undefined
  const value = quoted ?? plainValue(text)
  return value === undefined ? undefined : { value, line, written: quoted ?? text }
}

/** Reads a list in brackets or an object in braces that ends on its line. */
class FlowReader {
  constructor(
    private rest: string,
    readonly line: number,
    readonly repeated: RepeatedKey[],
  ) {}

  /** Undefined for another form. */
  get node(): Node | undefined {
    const node = this.#value()
    return /^ *$|^ +#/.test(this.rest) ? node : undefined
  }

  /** Removes a match from the rest of the line; returns undefined if there is none. */
  #take(form: RegExp): string | undefined {
    const [match] = form.exec(this.rest) ?? []
    if (match !== undefined) this.rest = this.rest.slice(match.length)
    return match
  }

  #value(): Node | undefined {
    if (this.#take(/^\[ ?/)) {
      const items: Node[] = []
      const add = () => {
        const item = this.#value()
        if (item) items.push(item)
        return item !== undefined
      }
      return this.#entries(/^ ?\]/, add) ? { value: items, line: this.line, written: undefined } : undefined
    }
    if (this.#take(/^\{ ?/)) {
      const fields = new Map<string, Node>()
      const add = () => this.#addField(fields)
      return this.#entries(/^ ?\}/, add) ? { value: fields, line: this.line, written: undefined } : undefined
    }
    const text = this.#take(/^(?:"[^"\\]*"|'[^']*'|\w(?:[\w./@+=()-]|:(?=[\w/:])| (?=[\w./@+=()-]))*)/)
    return text === undefined ? undefined : scalarNode(text, this.line)
  }

  /** Adds entries up to the sign that ends them. */
  #entries(end: RegExp, add: () => boolean): boolean {
    if (this.#take(end)) return true
    do if (!add()) return false
    while (this.#take(/^, /))
    return this.#take(end) !== undefined
  }

  #addField(fields: Map<string, Node>): boolean {
    const key = this.#take(/^(?:\w[\w./-]{0,200}|"[^"\\]{0,200}"): /)
      ?.slice(0, -2)
      .replaceAll('"', '')
    const node = key === undefined ? undefined : this.#value()
    if (key === undefined || !node) return false
    const first = fields.get(key)?.line
    if (first !== undefined) this.repeated.push({ key, line: this.line, first })
    fields.set(key, node)
    return true
  }
}

/** Returns the value of a plain text; undefined for a number or another word that the package reads. */
function plainValue(text: string): Scalar | undefined {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return unusual.test(text) ? undefined : text
}

const unusual = /^(?:0[ox].*|\d+(?:\.\d*)?(?:e[-+]?\d+)?|null|true|false)$/i

/** A map or a list whose entries begin in a column. */
interface Block {
  column: number
  content: Map<string, Node> | Node[]
  /** Its last value, while a block may follow there. */
  open: Node | undefined
}

class LineTree {
  readonly repeated: RepeatedKey[] = []
  readonly #root: Node = { value: null, line: 1, written: '' }
  /** Blocks around the last line. */
  readonly #blocks: Block[] = [{ column: -1, content: [], open: this.#root }]

  /** Undefined for a text without values. */
  get nodes(): Nodes | undefined {
    if (this.#root.value === null) return undefined
    return { root: this.#root, repeated: this.repeated, hasUnusualNumbers: false }
  }

  /** Adds a line; returns false if there is no place for it. */
  add({ column, items, key, node, isOpen }: LineParts): boolean {
    for (let index = 1; index <= items; index += 1) {
      const isLast = index === items && key === undefined
      const item = isLast ? node : { value: null, line: node.line, written: '' }
      if (!this.#addItem(column + 2 * (index - 1), item, !isLast)) return false
    }
    return key === undefined || this.#addField(column + 2 * items, key, { node, isOpen })
  }

  #addItem(column: number, node: Node, isOpen: boolean): boolean {
    const list = this.#blockAt(column, true)
    if (!list || !Array.isArray(list.content)) return false
    list.content.push(node)
    list.open = isOpen ? node : undefined
    return true
  }

  #addField(column: number, key: string, { node, isOpen }: Pick<LineParts, 'node' | 'isOpen'>): boolean {
    const map = this.#blockAt(column, false)
    if (!map || Array.isArray(map.content)) return false
    const first = map.content.get(key)?.line
    if (first !== undefined) this.repeated.push({ key, line: node.line, first })
    node.line = first ?? node.line
    map.content.set(key, node)
    map.open = isOpen ? node : undefined
    return true
  }

  /** Returns the list or the map in a column, which may begin there; undefined if there is none. */
  #blockAt(column: number, isList: boolean): Block | undefined {
    let block = this.#blocks.at(-1)
    // A list may be in the column of its key: the next key ends it.
    const isEnded = ({ column: other, content }: Block) =>
      other > column || (other === column && !isList && Array.isArray(content))
    while (block && isEnded(block)) {
      this.#blocks.pop()
      block = this.#blocks.at(-1)
    }
    if (block?.column === column && Array.isArray(block.content) === isList) return block
    return block?.open && this.#begin(block, column, isList ? [] : new Map())
  }

  /** Begins a block as the last value of another one. */
  #begin(outer: Block, column: number, content: Block['content']): Block {
    if (outer.open) Object.assign(outer.open, { value: content, written: undefined })
    outer.open = undefined
    const block: Block = { column, content, open: undefined }
    this.#blocks.push(block)
    return block
  }
}
