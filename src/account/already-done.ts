/** Treats a rejected change as done if somebody else has made it in the meantime. */
import type { Answer, Operation } from '../catalogue/operation'
import { isRefusal } from '../errors'
import { type Change, send } from './change'
import type { ChangeContext, RequestBody } from './change-context'

interface Standing {
  /** Returns the current state if it is the requested one. */
  settled(): Promise<RequestBody | undefined>
  /** Returns the message if nothing had to be done. */
  already(answer: Answer<Operation>): string
}

export function orAlreadyDone(change: Change, { settled, already }: Standing, { account }: ChangeContext): Change {
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
    wasNoop: () => standing !== undefined,
    done: (answer) => (standing ? already(answer) : change.done(answer)),
  }
}
