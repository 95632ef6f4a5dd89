/** What terminals do with the lines on them when their window becomes narrower. */
import type { Environment } from '../rules/environment'

/** `break`: they go on below. `keep`: they are cut. `break above`: they go on below, but for that of the cursor. */
export type Narrowing = 'break' | 'break above' | 'keep'

/**
 * Most break them. xterm, the Linux console and GNU screen keep rows as they are; xterm.js, which is the terminal of
 * VS Code, leaves the line of the cursor to the program (its option reflowCursorLine).
 */
export function narrowingOf({ XTERM_VERSION, STY, TERM, TERM_PROGRAM }: Environment): Narrowing {
  if (TERM_PROGRAM === 'vscode') return 'break above'
  return XTERM_VERSION || STY || TERM === 'linux' ? 'keep' : 'break'
}
