/** Wraps texts, and reflows those formatted for 80 columns on narrower terminals. */
import { textWidth } from './width'

/**
 * Wraps a text at blanks into lines of at most `width` columns; later lines are indented. A longer word gets a line of
 * its own. A width of 0 disables wrapping. `split` returns what stays whole.
 */
export function wrap(text: string, width: number, indent = '', split = wordsOf): string {
  if (width === 0 || textWidth(text) <= width) return text
  const margin = text.length - text.trimStart().length
  const [first = '', ...words] = split(text.slice(margin))
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

const wordsOf = (text: string) => text.split(' ')

/** Wraps each of several lines; continued lines keep the indentation of their first. */
export function wrapLines(text: string, width: number, split = wordsOf): string {
  return text
    .split('\n')
    .map((line) => wrap(line, width, ' '.repeat(line.length - line.trimStart().length), split))
    .join('\n')
}

/** List entry: `  term   description`, with later lines aligned to its description. */
const entry = /^( *\S.*? {2,})(?=\S)/

/** Minimum width of a description beside its term; otherwise it moves below. */
const least = 20

/** Reflows paragraphs and lists of terms; a text that fits is unchanged. */
export function reflow(text: string, width: number): string {
  const lines = text.split('\n')
  if (width === 0 || lines.every((line) => line.length <= width)) return text
  return joined(lines)
    .map((line) => placed(line, width))
    .join('\n')
}

/** Joins the lines of each paragraph and each entry. */
function joined(lines: readonly string[]): string[] {
  const whole: string[] = []
  let column = 0
  for (const line of lines) {
    const margin = marginOf(line)
    const last = whole.at(-1) ?? ''
    if (line !== '' && last !== '' && margin === column && (margin === 0 || entry.test(last))) {
      whole.push(`${whole.pop()} ${line.trim()}`)
    } else {
      whole.push(line)
      column = entry.exec(line)?.[0].length ?? margin
    }
  }
  return whole
}

function placed(line: string, width: number): string {
  const [term = ''] = entry.exec(line) ?? []
  if (line.length <= width) return line
  if (term === '') return wrap(line, width, ' '.repeat(marginOf(line)))
  if (width - term.length >= least)
    return term + wrap(line.slice(term.length), width - term.length).replaceAll('\n', `\n${' '.repeat(term.length)}`)
  const indent = ' '.repeat(marginOf(line) + 4)
  return `${term.trimEnd()}\n${wrap(indent + line.slice(term.length), width, indent)}`
}

const marginOf = (line: string) => line.length - line.trimStart().length
