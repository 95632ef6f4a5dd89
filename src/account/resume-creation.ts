/** Handles creations of a resumed journal whose request was sent, but whose answer is missing. */
import { isLost, Problem } from '../errors'
import type { ActionStep, CreatingAction } from './action'
import { attemptOf } from './action-functions'
import type { Change, Sent } from './change'
import type { ChangeOptions } from './change-context'
import { earlierRequest } from './earlier-request'
import { type CreationAttempt, findCreated } from './find-created'
import type { BeforeRequest } from './journal-lines'
import { lookUpLabel } from './label-lookup'
import type { Item } from './resource'

/**
 * Adopts the object that the earlier run certainly created, as after a lost answer. Otherwise the outcome stays unknown
 * and nothing is sent. Exceptions are `--if-absent`, which uses an existing object, and `--resend-unknown` if no new
 * object has the label: then it resolves to undefined, and the request may be sent.
 */
export async function resumeCreation(
  { operation: { method, path }, body = {} }: Change,
  action: CreatingAction,
  step: ActionStep,
): Promise<Sent | undefined> {
  const { entry } = step
  const past: BeforeRequest = entry?.past?.state === 'sending' ? entry.past : {}
  // Objects of other lines with the same label are not candidates.
  const others = (entry?.others() ?? []).map((id): Item => ({ id: Number(id) }))
  const before = past.before && { ...past.before, items: [...past.before.items, ...others] }
  const attempt = { ...(await attemptOf(action, body, step)), before }
  const lost = new Problem('outcome_unknown', `an earlier run ended before the answer to ${method} ${path} came`, {
    request: { method, path },
  })
  try {
    const answer = await findCreated(lost, attempt)
    const earlier = entry && (await earlierRequest(entry, step.account))
    await earlier?.history.done(answer)
    return { answer, outcome: { kind: 'done' } }
  } catch (error) {
    if (!isLost(error) || !(await maySend(attempt, step.options))) throw error
    return undefined
  }
}

async function maySend(
  { body, resource, account, before }: CreationAttempt,
  { ifAbsent, resendUnknown }: ChangeOptions,
): Promise<boolean> {
  const { label } = body
  if (typeof label !== 'string' || !(ifAbsent || resendUnknown)) return false
  const { items } = await lookUpLabel(label, resource, account)
  if (ifAbsent && items.length > 0) return true
  const fresh = items.filter(({ id }) => !before?.items.some((item) => item.id === id))
  return resendUnknown === true && before !== undefined && fresh.length === 0
}
