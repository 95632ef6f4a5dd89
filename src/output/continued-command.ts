/** Breaks commands into lines that a shell reads as one, so that they can be copied from narrow terminals. */
import { textWidth } from './width'

/** Matches a word of a shell: blanks in quotes do not end it. */
const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/** Matches words before which a line may be broken: flags, pipes, redirections. */
const opens = /^[-|&<>]/

/**
 * Breaks a command with backslashes into lines of at most `width` columns, if it is longer; never within a word. Its first
 * line follows other text of `column` columns, and further lines are indented.
 */
export function continuedCommand(line: string, width: number, { column = 0, indent = '' } = {}): string {
  if (width === 0 || column + textWidth(line) <= width) return line
  const words = line.match(word) ?? []
  // A quote without its counterpart: nobody knows where its words end.
  if (words.join(' ') !== line) return line
  const lines: string[] = []
  // Two columns for the blank and the backslash.
  const mostIn = () => width - 2 - (lines.length <= 1 ? column : textWidth(indent) + 2)
  for (const part of partsOf(words, width - 2 - column)) {
    const last = lines.at(-1)
    const longer = last === undefined ? part : `${last} ${part}`
    if (last === undefined || textWidth(longer) <= mostIn()) lines.splice(-1, 1, longer)
    else lines.push(part)
  }
  return lines.join(` \\\n${indent}  `)
}

/** Joins words that belong together, such as a flag and its value, if they fit. */
function partsOf(words: readonly string[], most: number): string[] {
  const parts: string[] = []
  for (const next of words) {
    const longer = `${parts.at(-1)} ${next}`
    if (opens.test(next) || parts.length === 0 || textWidth(longer) > most) parts.push(next)
    else parts.splice(-1, 1, longer)
  }
  return parts
}
