/** Texts that were laid out by hand for 80 columns, on a terminal that has fewer. */
import { wrap } from './wrap'

/** `  term   what is said of it`, the later lines of which stand below its first. */
const entry = /^( *\S.*? {2,})(?=\S)/

/** What is said of a term stands beside it while it has this many columns there, else below it. */
const least = 20

/** Paragraphs and lists of terms, broken at their blanks anew; a text that fits stays as it is. */
export function reflow(text: string, width: number): string {
  const lines = text.split('\n')
  if (width === 0 || lines.every((line) => line.length <= width)) return text
  return joined(lines)
    .map((line) => placed(line, width))
    .join('\n')
}

/** Each paragraph and each entry in one line. */
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
