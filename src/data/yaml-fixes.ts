/** Explains invalid YAML, and YAML that means something else than it seems to: the cause, and how to fix it. */

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

/** Returns the reason for a text that begins with a sign of an alias, an anchor or a tag. */
export const quoteMark = (mark: string) => `A text cannot begin with ${mark[0]} unless it is in quotes: "${mark}"`

/** Reason for `<<: *base`, said before what is missing because nothing is merged. */
export const mergeKey = 'YAML 1.2 has no merge keys (<<). Write the keys out; an alias such as *name is a whole value'

/** Reason for a text that declares another version. */
export const otherVersion = (version: string) =>
  `YAML 1.2 is read, not ${version}. Leave this line out, and quote texts such as yes, on and 010`

/** Returns the reason why a plain scalar means something else than it seems to; `mark` is its anchor or tag. */
export function misreading(text: string, mark: string | undefined): string | undefined {
  if (text === '' && mark !== undefined) return quoteMark(mark)
  if (item.test(text)) return 'The text continues in lines that begin with a dash. Write "- " in one column for a list'
  return undefined
}
