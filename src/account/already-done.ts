/** Treats a rejected change as done if somebody else has made it in the meantime. */
import { isRefusal } from '../errors'
import { type Change, send } from './change'
import type { ChangeContext, RequestBody } from './change-context'

/** `settled` returns the current state if it is the requested one. */
export function orAlreadyDone(
  change: Change,
  settled: () => Promise<RequestBody | undefined>,
  { account }: Pick<ChangeContext, 'account'>,
): Change {
  let standing: RequestBody | undefined
  return {
    ...change,
    async send() {
      try {
        return await send(change, account)
      } catch (error) {
        if (!isRefusal(error)) throw error
        standing = await settled()
        if (!standing) throw error
        return standing
      }
    },
    outcome: () => ({ kind: standing ? 'already' : 'done' }),
  }
}
