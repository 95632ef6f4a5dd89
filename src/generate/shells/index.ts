import { completionTable } from '../completions'
import type { CommandNode } from '../tree'
import { bash } from './bash'
import { fish } from './fish'
import { powershell } from './powershell'
import { zsh } from './zsh'

const shells = { bash, zsh, fish, powershell }

export type Shell = keyof typeof shells

/** Creates a shell's completion script for the command tree. */
export function completionScript(shell: Shell, tree: CommandNode): string {
  return shells[shell](completionTable(tree))
}
