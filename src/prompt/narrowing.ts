/** Behaviour of terminals when their window becomes narrower. */
import type { Environment } from '../rules/environment'

/** `break`: long lines wrap. `keep`: they are cut. `break above`: they wrap, except for the cursor's line. */
export type Narrowing = 'break' | 'break above' | 'keep'

/**
 * Detects the behaviour. Most terminals wrap. xterm, the Linux console and GNU screen cut rows. xterm.js, the terminal
 * of VS Code, leaves the cursor's line to the program (option reflowCursorLine).
 */
export function narrowingOf({ XTERM_VERSION, STY, TERM, TERM_PROGRAM }: Environment): Narrowing {
  if (TERM_PROGRAM === 'vscode') return 'break above'
  return XTERM_VERSION || STY || TERM === 'linux' ? 'keep' : 'break'
}
