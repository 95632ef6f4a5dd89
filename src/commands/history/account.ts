/** Whose changes may be undone: those of the account that is acted on. */
import { accountOf } from '../../engine/account'
import type { Past } from '../../engine/history/lines'
import { expectOwnAccount } from '../../engine/identity'
import { Problem } from '../../errors'
import type { Session } from '../../session'
import { accountFlag, contextNames } from './records'

/**
 * Ids mean something else in another account. Of a change whose user is not known, the context tells; it may be called
 * otherwise by now, and the environment may name none. `command` would undo it.
 */
export async function expectAccount(past: Past, command: string, session: Session): Promise<void> {
  const flag = (await accountFlag(session))(past)
  const hint = flag === '' ? 'Sign in to that account' : `Run: skyctl ${command}${flag}`
  const account = { service: past.service, user: past.user }
  if (await expectOwnAccount({ made: `change ${past.number} was made by`, account, hint }, session)) return
  const { context } = await accountOf(session)
  const other = past.context !== null && context !== null && past.context !== context
  if (!other || !(await contextNames(session)).has(past.context ?? '')) return
  throw new Problem('conflict', `change ${past.number} was made in the context "${past.context}"`, { hint })
}
