/** Flags for traffic that a change of a firewall must not block, and for changes that must be confirmed. */
import type { ChangeOptions } from '../../account/change-context'
import type { Flag, Flags } from '../../engine/command'
import { durationFlag, listFlag, textFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import type { Confirmation } from './rules/commit-confirmed'

/** Flags of every command that may block traffic. */
export const lockoutFlags: readonly Flag[] = [
  {
    name: 'keep-open',
    value: 'traffic',
    list: 'repeats',
    description: 'Refuse a change that blocks this traffic: tcp/22@198.51.100.7',
    group: 'Rule safety flags',
  },
  {
    name: 'allow-lockout',
    description: 'Allow changes that block traffic of --keep-open',
    group: 'Rule safety flags',
    rare: true,
  },
]

export const lockoutHelp = 'Lists newly blocked and allowed traffic: see "skyctl help lockout".'

/** Returns the options of these flags, with the addresses of names; throws `usage` for traffic that is invalid. */
export async function lockoutOptions(
  flags: Flags,
  session: Session,
): Promise<Pick<ChangeOptions, 'keepOpen' | 'allowLockout'>> {
  const texts = listFlag(flags, 'keep-open')
  const keepOpen = texts && (await Promise.all(texts.map((text) => trafficOf(text, flags, session))))
  return { ...(keepOpen && { keepOpen }), allowLockout: flags['allow-lockout'] === true }
}

async function trafficOf(text: string, flags: Flags, session: Session): Promise<string> {
  const [{ withAddresses }, { expectKeepOpen }] = await Promise.all([
    import('./network-names'),
    import('../../account/lockout/read-keep-open'),
  ])
  const traffic = await withAddresses(text, '--keep-open', { flags, session })
  expectKeepOpen(traffic)
  return traffic
}

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
