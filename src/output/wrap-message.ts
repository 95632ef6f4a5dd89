/** Wraps messages so that the commands that they name can be copied. */
import { continuedCommand } from './continued-command'
import { wrap } from './wrap'

/** Wraps each line of a message; a command that is longer than `width` is continued with backslashes. */
export function wrapMessage(text: string, width: number): string {
  const lines = text.split('\n').map((line) => {
    const indent = ' '.repeat(line.length - line.trimStart().length)
    return wrap(line, width, indent, (words) => wordsAndCommands(words).map((unit) => continued(unit, width, indent)))
  })
  return lines.join('\n')
}

/** Splits a message into words and commands to copy: `To see it: skyctl volumes list`, `"skyctl volumes list"`. */
function wordsAndCommands(text: string): string[] {
  const units: string[] = []
  let isCommand = false
  let isLast = false
  for (const word of text.split(' ')) {
    const last = units.at(-1)
    if (isCommand) units.push(`${units.pop()} ${word}`)
    else units.push(word)
    const begins = word === 'skyctl' ? /^(See|Write)$|:$/.test(last ?? '') : /^["(]skyctl$/.test(word)
    // `ids=$(skyctl volumes list --quiet) && test -z "$ids"` is always the end.
    isLast ||= /^\w+=\$\(skyctl$/.test(word)
    isCommand = isLast || ((isCommand || begins) && !/[",.;)?]$/.test(word))
  }
  return units
}

/** Breaks a command; quotes around it, and the end of its sentence, are no part of it. */
function continued(unit: string, width: number, indent: string): string {
  const [, before = '', command = '', after = ''] = /^(["(]?)(.*?)([",.;)?]*)$/s.exec(unit) ?? []
  if (!command.includes(' ')) return unit
  const column = indent.length + before.length
  return before + continuedCommand(command, width - after.length, { column, indent }) + after
}
