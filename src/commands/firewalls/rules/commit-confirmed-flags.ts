/** Flags for changes that must be confirmed (commit-confirmed). */

import type { Flag, Flags } from '../../../engine/command'
import { durationFlag, textFlag } from '../../../engine/flag-values'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import type { Confirmation } from './commit-confirmed'

export const commitConfirmedFlags: readonly Flag[] = [
  {
    name: 'confirm-within',
    value: 'time',
    description: 'Restore the previous rules unless the change is confirmed within this time',
    group: 'Rule safety flags',
  },
  {
    name: 'keep-if',
    value: 'command',
    description: 'Keep the change only if this shell command succeeds in time (default: 90s)',
    group: 'Rule safety flags',
  },
]

const usualMs = 90_000
const longestMs = 86_400_000

/** Returns the confirmation; undefined if none is requested. Throws `usage` if nobody could confirm. */
export function confirmationOf(flags: Flags, session: Session): Confirmation | undefined {
  const command = textFlag(flags, 'keep-if')
  const durationMs = durationFlag(flags, 'confirm-within')
  if (command === undefined && durationMs === undefined) return undefined
  const timeMs = durationMs ?? usualMs
  if (timeMs < 1_000 || timeMs > longestMs) throw new Problem('usage', '--confirm-within: must be 1s to 24h')
  if (command?.trim() === '') throw new Problem('usage', '--keep-if: the command is empty')
  if (command === undefined && !session.ui.interactive && !flags['dry-run']) {
    throw new Problem('usage', '--confirm-within: there is no terminal for the confirmation', {
      hint: 'Add --keep-if with a command that checks the change',
    })
  }
  return { timeMs, command }
}
