/** Converts a document of the package to nodes. Scalars become what people mean by them. */
import type { Alias, Document, Scalar as ScalarNode, YAMLMap } from 'yaml'
import { deepest, LimitExceeded, nestedTooDeep } from './memory-limits'
import type { RepeatedKey } from './repeated-keys'
import type { Scalar, SourceNode, TextPlace } from './source-nodes'
import { mergeKey, misreading, quoteMark, YamlError } from './yaml-fixes'

const textStart: TextPlace = { line: 1, column: 1 }

interface Source {
  text: string
  place(offset: number): TextPlace
  yaml: typeof import('yaml')
  /** Maximum number of values that aliases stand for. */
  mostValues: number
}

/**
 * Returns a document as nodes, with its duplicate keys in order: the last value of each counts. Throws YamlError for a scalar
 * with another meaning than it seems to have, and LimitExceeded.
 */
export function documentNodes({ contents }: Document, source: Source) {
  const reader = new NodeReader(source)
  const root = reader.node(contents, textStart, 0)
  return { root, repeated: reader.repeated.sort((one, other) => one.line - other.line) }
}

class NodeReader {
  readonly repeated: RepeatedKey[] = []
  /** Values with an anchor; undefined within the value itself. */
  readonly #anchors = new Map<string, SourceNode | undefined>()
  #expandedValues = 0

  constructor(readonly source: Source) {}

  /** Converts a value; `at` is the place of its key or item. */
  node(value: unknown, at: TextPlace, depth: number): SourceNode {
    const { isAlias, isNode } = this.source.yaml
    if (isAlias(value)) return this.#expanded(value, at, depth)
    if (depth > deepest) throw nestedTooDeep()
    const anchor = isNode(value) ? value.anchor : undefined
    if (anchor) this.#anchors.set(anchor, undefined)
    const node = this.#ofValue(value, at, depth)
    if (anchor) this.#anchors.set(anchor, node)
    return node
  }

  #ofValue(value: unknown, at: TextPlace, depth: number): SourceNode {
    const { isMap, isScalar, isSeq } = this.source.yaml
    if (isMap(value)) return { value: this.#fields(value, depth + 1), ...at }
    if (isSeq(value)) {
      const items = value.items.map((item) => this.node(item, this.#placeOf(item) ?? at, depth + 1))
      return { value: items, ...at }
    }
    if (!isScalar(value)) return { value: null, ...at }
    this.#expectMeant(value)
    return this.#scalar(value, at)
  }

  #scalar(node: ScalarNode, at: TextPlace): SourceNode {
    return { value: this.#quotedText(node) ?? scalarOf(node), ...at }
  }

  /**
   * Returns a text in quotes without escapes as a part of the source. The package joins it of single characters, which
   * takes many times the memory.
   */
  #quotedText({ type, value, range }: ScalarNode): string | undefined {
    if (type !== 'QUOTE_DOUBLE' && type !== 'QUOTE_SINGLE') return undefined
    const [begin = 0, end = begin] = range ?? []
    const text = this.source.text.slice(begin + 1, end - 1)
    return text === value ? text : undefined
  }

  #fields({ items }: YAMLMap, depth: number): Map<string, SourceNode> {
    const fields = new Map<string, SourceNode>()
    for (const { key, value } of items) {
      const name = this.#keyText(key)
      const at = this.#placeOf(key) ?? textStart
      const first = fields.get(name)
      if (first) this.repeated.push({ key: name, line: at.line, first: first.line })
      const { line, column } = first ?? at
      fields.set(name, this.node(value, { line, column }, depth))
    }
    return fields
  }

  /** Returns a key as it was typed: 010 and 1.10 are labels, different from 10 and 1.1. */
  #keyText(key: unknown): string {
    const { isAlias, isNode, isScalar } = this.source.yaml
    if (!isNode(key)) return ''
    if (isAlias(key)) return String(this.#target(key).value)
    if (isScalar(key)) {
      if (key.type === 'PLAIN' && key.value === '<<') throw this.#error(key.range?.[0] ?? 0, mergeKey)
      if (key.anchor) this.#anchors.set(key.anchor, this.#scalar(key, this.#placeOf(key) ?? textStart))
      return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
    }
    const [begin = 0, end = begin] = key.range ?? []
    return this.source.text.slice(begin, end).trim()
  }

  /** Returns the value that an alias stands for, with the place of the alias. Its parts have their own places. */
  #expanded(alias: Alias, at: TextPlace, depth: number): SourceNode {
    const target = this.#target(alias)
    this.#takeAll(target, depth)
    return { ...target, ...at }
  }

  #target({ source, range }: Alias): SourceNode {
    const target = this.#anchors.get(source)
    if (target) return target
    if (this.#anchors.has(source)) throw new LimitExceeded('it is nested too deep')
    throw this.#error(range?.[0] ?? 0, quoteMark(`*${source}`))
  }

  #takeAll({ value }: SourceNode, depth: number): void {
    this.#expandedValues += 1
    if (this.#expandedValues > this.source.mostValues) throw new LimitExceeded('its aliases expand to too much data')
    if (depth > deepest) throw nestedTooDeep()
    if (typeof value !== 'object' || value === null) return
    for (const node of value.values()) this.#takeAll(node, depth + 1)
  }

  /** Throws for a scalar that means something else than it seems to. */
  #expectMeant({ type, range, anchor, tag }: ScalarNode): void {
    if (type !== 'PLAIN') return
    const { text } = this.source
    const [begin = 0, end] = range ?? []
    const mark = anchor ? `&${anchor}` : tag?.startsWith('!') ? tag : undefined
    const reason = misreading(text.slice(begin, end), mark)
    if (reason !== undefined) throw this.#error(mark === undefined ? begin : text.lastIndexOf(mark, begin), reason)
  }

  #placeOf(node: unknown): TextPlace | undefined {
    const { isNode } = this.source.yaml
    return isNode(node) && node.range ? this.source.place(node.range[0]) : undefined
  }

  #error(offset: number, reason: string): YamlError {
    const { line, column } = this.source.place(offset)
    return new YamlError(reason, line, column)
  }
}

function scalarOf({ value, source }: ScalarNode): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'bigint') return null
  // YAML 1.1 reads 010 as 8, YAML 1.2 as 10: as a text, it is neither.
  if (source !== undefined && leadingZero.test(source)) return source
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const leadingZero = /^[-+]?0\d/
