/** Explains invalid YAML, and YAML that means something else than it seems to: the cause, and how to fix it. */
import type { Document, LineCounter as Lines, Scalar } from 'yaml'
import type { RepeatedKey } from './repeated-keys'

/** Error for invalid YAML, with its position counted from 1. */
export class YamlError extends Error {
  constructor(
    reason: string,
    readonly line: number | undefined,
    readonly column: number | undefined,
  ) {
    super(reason)
    this.name = 'YamlError'
  }
}

/** A mistake that people often make. */
interface Mistake {
  /** Matches the package's message. */
  message: RegExp
  /** Matches the line of the error, if that decides. */
  line?: RegExp
  /** Returns the reason for the match in the line, or else in the message. */
  reason(match: readonly string[]): string
}

const mistakes: readonly Mistake[] = [
  {
    message: /^/,
    line: /^(?:<{7}|\|{7}|={7}|>{7})(?:\s|$)/,
    reason: () => 'This is a conflict marker of a merge. Resolve the conflict first',
  },
  { message: /^Tabs are not allowed/, reason: () => 'Tabs cannot indent. Use spaces' },
  {
    message: /^Source contains multiple documents/,
    reason: () => 'only one document is allowed, and another begins here. Put it in a file of its own',
  },
  {
    message: /^(?:Implicit|Nested mappings)/,
    line: /^\s*(?:- +)?["']?([\w.-]+)["']?:[^\s:]/,
    reason: ([, key]) => `A blank is missing after "${key}:"`,
  },
  {
    message: /^Nested mappings/,
    line: /^\s*(?:- +)*([^\s:]+): +[^"'\s].*:(?:\s|$)/,
    reason: ([, key]) => `The text of "${key}" has a colon. Put it in quotes`,
  },
  {
    message: /^Plain value cannot start with .*(.)$/,
    reason: ([, sign]) => `A text cannot begin with ${sign} unless it is in quotes`,
  },
  { message: /^Alias cannot be an empty string/, reason: () => 'A text cannot begin with * unless it is in quotes' },
  {
    message: /^(?:Implicit map keys|Implicit keys)/,
    line: /^[^:]*$/,
    reason: () => 'A colon is missing after the key',
  },
  {
    message: /^(?:All mapping items must start at|Nested mappings|Implicit keys)/,
    reason: () => 'Indent the keys of an object alike',
  },
  {
    message: /^(?:A block sequence may not|Sequence item without)/,
    reason: () => 'The dashes of a list must be in one column',
  },
  {
    message: /^Unexpected block-seq-ind/,
    reason: () => 'A list cannot begin here. Put its first dash on a line of its own, below the key',
  },
  {
    message: /^Unexpected scalar at node end/,
    reason: () => 'The value ends before this text. Put the whole text in quotes',
  },
  { message: /^Invalid escape sequence/, reason: () => 'Put a text with backslashes in single quotes' },
  { message: /^Missing closing/, reason: () => 'The closing quote is missing' },
]

/** Returns the reason for an error of the package; `line` is the text of its line. */
export function reasonFor(message: string, line: string): string {
  for (const mistake of mistakes) {
    const match = mistake.message.exec(message)
    const capture = match && mistake.line ? mistake.line.exec(line) : match
    if (capture) return mistake.reason(capture)
  }
  return message
}

/** Matches a line that continues a text although it looks like an item of a list. */
const item = /\n\s*-[\s\w"']/

/** A scalar as it was typed. */
interface Typed {
  /** Plain text with its line breaks. */
  text: string
  /** Anchor or tag: `&team`, `!prod`. */
  mark: string | undefined
}

/** Returns the reason why a scalar means something else than it seems to. */
function misreading({ text, mark }: Typed): string | undefined {
  if (text === '' && mark !== undefined) return `A text cannot begin with ${mark[0]} unless it is in quotes: "${mark}"`
  if (item.test(text)) return 'The text continues in lines that begin with a dash. Write "- " in one column for a list'
  return undefined
}

interface Source {
  text: string
  lines: Lines
  yaml: typeof import('yaml')
}

/** Changes scalars to what people mean, and lists duplicate keys. Throws YamlError for scalars with another meaning. */
export function corrected(document: Document, { text, lines, yaml: { isScalar, visit } }: Source): RepeatedKey[] {
  const repeated: RepeatedKey[] = []
  const anchors = new Set<string>()
  const fail = (offset: number, reason: string) => {
    const { line, col } = lines.linePos(offset)
    throw new YamlError(reason, line, col)
  }
  const lineOf = ({ range }: Scalar) => lines.linePos(range?.[0] ?? 0).line
  visit(document, {
    Seq(_, node) {
      if (node.anchor) anchors.add(node.anchor)
    },
    Map(_, { anchor, items }) {
      if (anchor) anchors.add(anchor)
      repeated.push(...repeatedIn(items.map(({ key }) => key).filter(isScalar), lineOf))
    },
    Scalar(role, node) {
      const { anchor, tag, range } = node
      const [begin = 0, end] = range ?? []
      if (anchor) anchors.add(anchor)
      if (role === 'key') return
      // YAML 1.1 reads 010 as 8, YAML 1.2 as 10: as a text, it is neither.
      if (typeof node.value === 'bigint' && leadingZero.test(node.source ?? '')) node.value = node.source
      const mark = anchor ? `&${anchor}` : tag?.startsWith('!') ? tag : undefined
      const reason = node.type === 'PLAIN' ? misreading({ text: text.slice(begin, end), mark }) : undefined
      if (reason !== undefined) fail(mark === undefined ? begin : text.lastIndexOf(mark, begin), reason)
    },
    Alias(_, node) {
      if (anchors.has(node.source)) return
      fail(node.range?.[0] ?? 0, `A text cannot begin with * unless it is in quotes: "*${node.source}"`)
    },
  })
  return repeated.sort((one, other) => one.line - other.line)
}

/** Reads the keys of an object as text; returns those that come again. The package's own check takes quadratic time. */
function repeatedIn(keys: readonly Scalar[], lineOf: (key: Scalar) => number): RepeatedKey[] {
  const first = new Map<unknown, Scalar>()
  return keys.flatMap((key) => {
    key.value = asTyped(key)
    const before = first.get(key.value)
    if (before) return [{ key: String(key.value), line: lineOf(key), first: lineOf(before) }]
    first.set(key.value, key)
    return []
  })
}

/** Reads a key as text even if it looks like a number: 010 and 1.10 are labels, different from 10 and 1.1. */
const asTyped = ({ value, source }: Scalar): unknown => (typeof value === 'string' ? value : (source ?? String(value)))

const leadingZero = /^[-+]?0\d/
