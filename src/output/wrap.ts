import { textWidth } from './width'

/**
 * Wraps a text at blanks into lines of at most `width` columns; later lines are indented. A longer word gets a line of
 * its own. A width of 0 disables wrapping.
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

/** Wraps each of several lines; continued lines keep the indentation of their first. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrap(line, width, ' '.repeat(line.length - line.trimStart().length)))
    .join('\n')
}
