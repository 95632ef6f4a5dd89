/** Notes each request in the history, before it is sent and after: the only caller of the history. */
import type { Problem } from '../errors'
import type { Got } from '../http/client'
import type { About, Ended, Outgoing } from '../http/recording'
import type { Account } from './account'

/** A request that is about to be sent. */
interface Sending extends Omit<Outgoing, 'about'> {
  /** Returns the state before it; `looks`: a request for that alone is allowed. */
  about?(looks: boolean): Promise<About>
}

/** The entry of a request in the history. The last outcome that is noted is the valid one. */
export interface HistoryEntry {
  /** `answer` may be a substitute for a lost one. */
  done(answer: unknown, got?: Got): Promise<void>
  failed(got: Failed): Promise<void>
}

export type Failed = Exclude<Got, { is: 'ok' }>

/** Notes a request that is about to be sent. An entry that is never completed means an unknown outcome. */
export async function sending({ about, ...request }: Sending, account: Account): Promise<HistoryEntry> {
  const recording = request.method === 'GET' ? undefined : await account.changeLog()
  // A previous state that cannot be read must not prevent the change.
  const before = await (recording && about?.(recording.looks).catch(() => ({})))
  const recorded = await recording?.begin({ ...request, about: before })
  return {
    done: async (answer, got) => recorded?.ended({ outcome: 'ok', ...exchangeOf(got), answer }),
    failed: async (got) => recorded?.ended({ ...failureOf(got.problem), ...exchangeOf(got) }),
  }
}

/** A request without a conclusive answer may have succeeded, even if it can be retried. */
function failureOf({ code, details }: Problem): Ended {
  const isOpen = code === 'outcome_unknown' || code === 'defect' || details.mayBeDone
  return { outcome: isOpen ? 'unknown' : 'failed', code }
}

function exchangeOf({ status, requestId }: Pick<Failed, 'status' | 'requestId'> = {}): Partial<Ended> {
  return { ...(status !== undefined && { status }), ...(requestId && { requestId }) }
}
