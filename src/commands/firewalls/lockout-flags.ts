/** Flags for traffic that a change of a firewall must not block. */
import type { ChangeOptions } from '../../account/change-context'
import type { Flag, Flags } from '../../engine/command'
import { listFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'

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
  const [{ withAddresses }, { parseKeepOpen }] = await Promise.all([
    import('./network-names'),
    import('../../account/lockout/keep-open'),
  ])
  const traffic = await withAddresses(text, '--keep-open', { flags, session })
  parseKeepOpen(traffic)
  return traffic
}
