import { textWidth } from './width'

/**
 * Breaks a text at its blanks into lines of at most `width` columns, the later ones indented; a word that is longer
 * stands whole on a line of its own. A width of 0 breaks nothing.
 */
export function wrap(text: string, width: number, indent = ''): string {
  if (width === 0 || textWidth(text) <= width) return text
  const margin = text.length - text.trimStart().length
  const [first = '', ...words] = text.slice(margin).split(' ')
  const lines: string[] = []
  let line = text.slice(0, margin) + first
  for (const word of words) {
    const longer = `${line} ${word}`
    if (textWidth(longer) <= width) {
      line = longer
    } else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line].join('\n')
}

/** The same for each of several lines; later lines stand as far in as the one that they go on. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrap(line, width, ' '.repeat(line.length - line.trimStart().length)))
    .join('\n')
}
