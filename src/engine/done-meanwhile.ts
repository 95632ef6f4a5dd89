/** A change that is refused since somebody else made it meanwhile is as good as made. */
import type { Answer, Operation } from '../catalogue/operation'
import { isRefusal } from '../errors'
import { type Change, send } from './change'
import type { RequestBody, Situation } from './situation'

interface Standing {
  /** What stands now, where that is as it was wanted. */
  settled(): Promise<RequestBody | undefined>
  /** The sentence where nothing had to be done. */
  already(answer: Answer<Operation>): string
}

export function orDoneMeanwhile(change: Change, { settled, already }: Standing, { session }: Situation): Change {
  let standing: RequestBody | undefined
  return {
    ...change,
    async send() {
      try {
        return await send(change, session)
      } catch (error) {
        if (!isRefusal(error)) throw error
        standing = await settled()
        if (!standing) throw error
        return standing
      }
    },
    wasThere: () => standing !== undefined,
    done: (answer) => (standing ? already(answer) : change.done(answer)),
  }
}
