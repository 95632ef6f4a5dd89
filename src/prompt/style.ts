/** Common style of all questions: marks, pointer and line of keys. */
import { styleText } from 'node:util'

interface Marks {
  question: string
  answered: string
  /** Mark for the answer no. */
  declined: string
  pointer: string
  /** Frames of the spinner. */
  turning: readonly string[]
}

const marks: Marks = { question: '?', answered: '✔', declined: '✘', pointer: '❯', turning: ['-', '\\', '|', '/'] }
const asciiMarks: Marks = { ...marks, answered: '+', declined: '-', pointer: '>' }

export const marksFor = (unicode: boolean) => (unicode ? marks : asciiMarks)

const choosing = [
  ['up/down', 'moves'],
  ['enter', 'selects'],
] as const

/** Formats the line of keys, `up/down moves, enter selects`, with additional keys in between. */
export function keysLine(more: readonly (readonly [key: string, does: string])[] = []): string {
  const [moves, selects] = choosing
  return [moves, ...more, selects]
    .map(([key, does]) => `${styleText('bold', key)} ${styleText('dim', does)}`)
    .join(styleText('dim', ', '))
}

/** Creates the theme for inquirer's and skyctl's own prompts. */
export function themeFor(unicode: boolean) {
  const { question, answered, pointer, turning } = marksFor(unicode)
  return {
    prefix: { idle: styleText('blue', question), done: styleText('green', answered) },
    spinner: { interval: 100, frames: turning.map((frame) => styleText('yellow', frame)) },
    icon: { cursor: pointer },
    style: { help: (text: string) => styleText('dim', text), keysHelpTip: () => keysLine() },
  }
}

export type Theme = ReturnType<typeof themeFor>
