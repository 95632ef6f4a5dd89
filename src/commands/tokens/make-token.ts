/** Creates tokens. Their text comes with the answer only: a token whose answer is lost is useless. */
import type { RequestBody } from '../../account/change-context'
import { type CreationAttempt, findCreated } from '../../account/find-created'
import { compareFields, ifAllowed, lookUpLabel } from '../../account/label-lookup'
import { tokenResource } from '../../account/resources/token'
import { sendRequest } from '../../account/send'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Session } from '../../engine/session'
import { isLost, Problem } from '../../errors'

/** Creates a token. It throws `outcome_unknown` after a lost answer, as that had the token's text. */
export async function makeToken(body: RequestBody, session: Session): Promise<Token> {
  const { account } = session
  const before = await ifAllowed(lookUpLabel(String(body.label), tokenResource, account))
  try {
    return await sendRequest({ operation: tokens.create, body }, account)
  } catch (error) {
    if (!isLost(error) || account.signal.aborted) throw error
    throw await afterLoss(error, { body, resource: tokenResource, account, before, compare: compareFields }, session)
  }
}

/** Finds a token whose text was lost with the answer, and revokes it if the user agrees: it is valid but useless. */
async function afterLoss(lost: Problem, attempt: CreationAttempt, session: Session): Promise<Problem> {
  const { id, label } = await findCreated(lost, attempt)
  const message = `${lost.message}; token "${label}" (${id}) was created, but its text is lost`
  if (!(await agreed(id, session))) {
    const hint = `Revoke it, then try again: skyctl tokens revoke ${id}`
    return new Problem('outcome_unknown', message, { ...lost.details, hint })
  }
  await revokeToken(id, session)
  return new Problem('outcome_unknown', `${message}; it is revoked`, { ...lost.details, hint: 'Try again' })
}

async function agreed(id: number, session: Session): Promise<boolean> {
  if (!session.ui.interactive) return false
  const ask = await session.ui.ask()
  return ask.confirm(`The answer was lost, with the text of the new token ${id}. Revoke it?`)
}

export async function revokeToken(tokenId: number, session: Session): Promise<void> {
  await sendRequest({ operation: tokens.revoke, path: { tokenId } }, session.account)
}
