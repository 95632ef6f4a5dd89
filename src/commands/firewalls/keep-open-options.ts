/** Reads what protects from lockouts, for the action: traffic with the addresses of its names. */
import type { ChangeOptions } from '../../account/change-context'
import { parseKeepOpen } from '../../account/lockout/keep-open'
import type { Flags } from '../../engine/command'
import { listFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { withAddresses } from './network-names'

/** Returns the options of lockout flags; throws `usage` for traffic that is invalid. */
export async function lockoutOptions(
  flags: Flags,
  session: Session,
): Promise<Pick<ChangeOptions, 'keepOpen' | 'allowLockout'>> {
  const texts = listFlag(flags, 'keep-open')
  const keepOpen =
    texts && (await Promise.all(texts.map((text) => withAddresses(text, '--keep-open', { flags, session }))))
  for (const text of keepOpen ?? []) parseKeepOpen(text)
  return { ...(keepOpen && { keepOpen }), allowLockout: flags['allow-lockout'] === true }
}
