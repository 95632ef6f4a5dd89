import { textWidth } from './width'

/**
 * Breaks a text at its blanks into lines of at most `width` columns, the later ones indented; a word that is longer
 * stands whole on a line of its own. A width of 0 breaks nothing.
 */
export function wrap(text: string, width: number, indent = ''): string {
  if (width === 0) return text
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer) > width) {
      lines.push(line)
      line = indent + word
    } else line = longer
  }
  return [...lines, line].join('\n')
}
