/** Wraps messages, but no command that they name, so that it can be copied. */
import { wrapLines } from './wrap'

/** Wraps each line of a message; a command that is longer than `width` gets a line of its own. */
export const wrapMessage = (text: string, width: number): string => wrapLines(text, width, wordsAndCommands)

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
