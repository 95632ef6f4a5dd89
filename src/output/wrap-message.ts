/** Wraps messages so that the commands that they name can be copied. */
import { textWidth } from './width'
import { wrapLines } from './wrap'

/** Wraps each line of a message; a command that is longer than `width` is continued with backslashes. */
export const wrapMessage = (text: string, width: number): string =>
  wrapLines(text, width, (line) => wordsAndCommands(line).map((unit) => continued(unit, width)))

/** Splits a message into words and commands to copy: `To see it: skyctl volumes list`, `"skyctl volumes list"`. */
function wordsAndCommands(text: string): string[] {
  const units: string[] = []
  let isCommand = false
  for (const word of text.split(' ')) {
    const last = units.at(-1)
    if (isCommand) units.push(`${units.pop()} ${word}`)
    else units.push(word)
    const begins = word === 'skyctl' ? /^(See|Write)$|:$/.test(last ?? '') : /^["(]skyctl$/.test(word)
    isCommand = (isCommand || begins) && !/[",.;)?]$/.test(word)
  }
  return units
}

function continued(unit: string, width: number): string {
  const [first = '', ...words] = unit.split(' ')
  if (textWidth(unit) <= width) return unit
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    // Two columns for the blank and the backslash.
    if (textWidth(longer) <= width - 2) lines.splice(-1, 1, longer)
    else lines.push(`  ${word}`)
  }
  return lines.join(' \\\n')
}
