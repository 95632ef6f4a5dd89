/** Checks that a change to undo belongs to the current account. */
import { accountOf } from '../../account/account'
import type { RecordedChange } from '../../account/history/lines'
import { expectOwnAccount } from '../../account/identity'
import { Problem } from '../../errors'
import type { Session } from '../../session'
import { accountFlag, contextNames } from './records'

/**
 * Throws if a change was made in another account, where ids mean other objects. If its user is unknown, the context
 * decides; it may have been renamed, and with environment variables there is none. `command` is the undo command.
 */
export async function expectAccount(past: RecordedChange, command: string, session: Session): Promise<void> {
  const flag = (await accountFlag(session))(past)
  const hint = flag === '' ? 'Sign in to that account' : `Run: skyctl ${command}${flag}`
  const owner = { service: past.service, user: past.user }
  if (await expectOwnAccount({ made: `change ${past.number} was made by`, owner, hint }, session.account)) return
  const { context } = await accountOf(session.account)
  const other = context !== null && past.context !== context
  if (!other || !(await contextNames(session)).has(past.context ?? '')) return
  throw new Problem('conflict', `change ${past.number} was made in the context "${past.context}"`, { hint })
}
