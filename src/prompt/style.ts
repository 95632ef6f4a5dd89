/** How all questions look: one set of marks, one pointer, one line of keys. */
import { styleText } from 'node:util'

interface Marks {
  asked: string
  answered: string
  /** The answer is no. */
  declined: string
  pointer: string
  /** Turns while something is looked for. */
  turning: readonly string[]
}

const marks: Marks = { asked: '?', answered: '✔', declined: '✘', pointer: '❯', turning: ['-', '\\', '|', '/'] }
const asciiMarks: Marks = { ...marks, answered: '+', declined: '-', pointer: '>' }

export const marksFor = (unicode: boolean) => (unicode ? marks : asciiMarks)

const choosing = [
  ['up/down', 'moves'],
  ['enter', 'selects'],
] as const

/** `up/down moves, enter selects`, with what else a list has between them. */
export function keysLine(more: readonly (readonly [key: string, does: string])[] = []): string {
  const [moves, selects] = choosing
  return [moves, ...more, selects]
    .map(([key, does]) => `${styleText('bold', key)} ${styleText('dim', does)}`)
    .join(styleText('dim', ', '))
}

/** What inquirer's prompts take, and ours. */
export function themeFor(unicode: boolean) {
  const { asked, answered, pointer, turning } = marksFor(unicode)
  return {
    prefix: { idle: styleText('blue', asked), done: styleText('green', answered) },
    spinner: { interval: 100, frames: turning.map((frame) => styleText('yellow', frame)) },
    icon: { cursor: pointer },
    style: { help: (text: string) => styleText('dim', text), keysHelpTip: () => keysLine() },
  }
}

export type Theme = ReturnType<typeof themeFor>
