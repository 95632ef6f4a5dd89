import { tableOf } from '../completions'
import type { Node } from '../tree'
import { bash } from './bash'
import { fish } from './fish'
import { powershell } from './powershell'
import { zsh } from './zsh'

const shells = { bash, zsh, fish, powershell }

export type Shell = keyof typeof shells

/** The script that completes the whole tree in a shell. */
export function completionScript(shell: Shell, tree: Node): string {
  return shells[shell](tableOf(tree))
}
