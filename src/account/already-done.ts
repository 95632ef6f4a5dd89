/** Treats a change as made if the object has the requested state: before it is sent, or after it was rejected. */
import { isRefusal } from '../errors'
import type { ActionStep } from './action'
import { type Change, send } from './change'
import type { ChangeContext, RequestBody } from './change-context'

/** Returns a change that sends nothing if the object already has the requested state. */
export async function unlessDone(
  change: Change,
  ready: () => Promise<Change>,
  { findDone, step }: { findDone(step: ActionStep): Promise<RequestBody | undefined>; step: ActionStep },
): Promise<Change> {
  // The object was just read, so that record is good enough here.
  const current = await findDone({ ...step, reread: step.record })
  if (current) return { ...change, noop: true, send: async () => current, outcome: () => ({ kind: 'already' }) }
  return orAlreadyDone(await ready(), () => findDone(step), step)
}

/** `settled` returns the current state if it is the requested one. */
export function orAlreadyDone(
  change: Change,
  settled: () => Promise<RequestBody | undefined>,
  { account }: Pick<ChangeContext, 'account'>,
): Change {
  let current: RequestBody | undefined
  return {
    ...change,
    async send() {
      try {
        return await send(change, account)
      } catch (error) {
        if (!isRefusal(error)) throw error
        current = await settled()
        if (!current) throw error
        return current
      }
    },
    outcome: () => ({ kind: current ? 'already' : 'done' }),
  }
}
