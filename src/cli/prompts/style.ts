/** Marks and keys of inquirer's prompts, in the words of skyctl and in ASCII where the terminal needs it. */
import { styleText } from 'node:util'

const marks = { answered: '✔', declined: '✘', pointer: '❯' }
const asciiMarks = { answered: '+', declined: '-', pointer: '>' }

export const keysLine = (more = '') => styleText('dim', `up/down moves, ${more}enter selects`)

/** Creates the theme for inquirer's and skyctl's own prompts. */
export function themeFor(unicode: boolean) {
  const { answered, declined, pointer } = unicode ? marks : asciiMarks
  return {
    prefix: { idle: styleText('blue', '?'), done: styleText('green', answered), declined: styleText('red', declined) },
    spinner: { interval: 100, frames: ['-', '\\', '|', '/'] },
    icon: { cursor: pointer },
    style: { help: (text: string) => styleText('dim', text), keysHelpTip: () => keysLine() },
  }
}

export type Theme = ReturnType<typeof themeFor>
