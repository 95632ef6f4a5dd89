/** Steps of a guided flow in a terminal: expected text and typed answer. */
import { expect } from 'vitest'
import { manualClock } from '../support/clock'
import { type Fixtures, testClock } from '../support/skyctl'
import {
  keys,
  type OpenTerminal,
  type TerminalOptions,
  type TerminalResult,
  test as terminalTest,
} from '../support/terminal'

/** Starts the sandbox at the current time, since the program uses the system's clock. */
export const presentTest = terminalTest.extend<Pick<Fixtures, 'clock'>>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  clock: async ({}, use) => use(testClock(manualClock(Date.now()))),
})

export interface Step {
  prompt: string | RegExp
  /** A function is called when the text is shown, for codes. */
  input: string | (() => string)
}

export const step = (prompt: Step['prompt'], input: Step['input'] = ''): Step => ({ prompt, input })
export const { enter } = keys
export const down = '\x1b[B'

export async function walk({ until, type }: OpenTerminal, steps: readonly Step[]): Promise<void> {
  for (const { prompt, input } of steps) {
    await until(prompt)
    type(typeof input === 'string' ? input : input())
  }
}

/** Walks to the last step, and presses Ctrl-C there. Checks that the terminal is restored. */
export async function interruptAfter(
  open: (line: string, options?: TerminalOptions) => OpenTerminal,
  line: string,
  steps: readonly Step[],
): Promise<TerminalResult> {
  const terminal = open(`stty -g; ${line}; echo exit $?; stty -g`, { columns: 300 })
  const { prompt } = steps.at(-1) ?? { prompt: '' }
  await walk(terminal, steps.slice(0, -1))
  await terminal.until(prompt)
  terminal.type(keys.ctrlC)
  const end = await terminal.end
  const { screen } = end
  expect(screen.at(-1)).toBe(screen[0])
  expect(terminal.raw().lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(terminal.raw().lastIndexOf('\x1b[?25h'))
  return { exit: Number(screen.at(-2)?.replace('exit ', '')), screen: screen.slice(1, -2) }
}
