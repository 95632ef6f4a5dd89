/** A guided flow as a person goes through it: what is waited for, and what is typed then. */
import { expect } from 'vitest'
import { manualClock } from '../support/clock'
import { type Fixtures, testClock } from '../support/skyctl'
import { keys, type OpenTerminal, type Shown, type TerminalOptions, test as terminalTest } from '../support/terminal'

/** The sandbox begins in the present: the program that is tested has the system's clock. */
export const presentTest = terminalTest.extend<Pick<Fixtures, 'clock'>>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  clock: async ({}, use) => use(testClock(manualClock(Date.now()))),
})

export interface Step {
  shown: string | RegExp
  /** Read when it is typed: a code is known only then. */
  typed: string | (() => string)
}

export const step = (shown: Step['shown'], typed: Step['typed'] = ''): Step => ({ shown, typed })
export const { enter } = keys
export const down = '\x1b[B'

export async function walk({ until, type }: OpenTerminal, steps: readonly Step[]): Promise<void> {
  for (const { shown, typed } of steps) {
    await until(shown)
    type(typeof typed === 'string' ? typed : typed())
  }
}

/** Goes as far as the last step, and presses Ctrl-C there. Checks that the terminal is as it was before. */
export async function interruptAfter(
  open: (line: string, options?: TerminalOptions) => OpenTerminal,
  line: string,
  steps: readonly Step[],
): Promise<Shown> {
  const terminal = open(`stty -g; ${line}; echo exit $?; stty -g`, { columns: 300 })
  const { shown } = steps.at(-1) ?? { shown: '' }
  await walk(terminal, steps.slice(0, -1))
  await terminal.until(shown)
  terminal.type(keys.ctrlC)
  const end = await terminal.end
  const { screen } = end
  expect(screen.at(-1)).toBe(screen[0])
  expect(terminal.raw().lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(terminal.raw().lastIndexOf('\x1b[?25h'))
  return { exit: Number(screen.at(-2)?.replace('exit ', '')), screen: screen.slice(1, -2) }
}
